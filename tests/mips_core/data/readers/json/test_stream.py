"""A document cut short, broken or deep is refused at once, with line and column."""

import json
import time

import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import UnsettledError
from tests.mips_core.data.readers.json.json_writing import (
    ROWS,
    WORDS,
    V,
    named,
)


def test_a_document_cut_short_is_refused(refused):
    for content in (json.dumps(ROWS), json.dumps(named(words=WORDS)), json.dumps(V, indent=1)):
        for end in range(1, len(content)):
            error = refused(content[:end])
            assert "cut short" in error.found or "no vectors" in error.found


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, '{"a":' * 100_000, "[[1,2]," + "[" * 100_000, "[1]\n" + "[" * 100_000,
     '{"a": ' + "[" * 50_000 + "]" * 50_000 + "}", "[" * 300 + "]" * 300],
)  # fmt: skip
def test_depth_is_refused_at_once(refused, content):
    start = time.process_time()
    refused(content, UnsettledError if "\n" in content else DataError)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[[1, 2],\n [3; 4]]", "line 2, column 4: a comma or a closing bracket is missing"),
        ("[[1, 2],\n [3, 4],]", "line 2, column 9: a value is missing"),
        ("[[1, 2]\n [3, 4]]", "line 2, column 2: a comma or a closing bracket is missing"),
        ("{'a': [1, 2]}", "line 1, column 2: a name in double quotes is missing"),
        ('{"a": [1, 2] "b": [3, 4]}', "line 1, column 14: a comma or a closing brace"),
        ('{"a" [1, 2]}', "line 1, column 6: a colon is missing"),
        ('{"a": [1, 2], 3: 4}', "line 1, column 15: a name in double quotes"),
        ('{"a": [1, nul]}', "line 1, column 11: a value is missing"),
        ('[{"a": "b\nc"}]', "line 1, column 10: a text holds a line break"),
        ("[\n[1, 2]\n]\n[3]", "line 4, column 1: something follows the end"),
        ("[[" + "9" * 5000 + "]]", "a whole number has too many digits"),
    ],
)
def test_a_fault_is_named_with_its_place(refused, content, words):
    assert words in refused(content).found
