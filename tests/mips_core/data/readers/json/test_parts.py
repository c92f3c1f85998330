"""Objects are taken apart within limits."""

import json

from mips_core.base import limits
from mips_core.data.readers.json import stream
from tests.mips_core.data.readers.json.json_writing import (
    PAIRS,
    ROWS,
    V,
    named,
    one_a_line,
)


def test_a_name_that_stands_twice(table, refused):
    assert table('{"a": [1, 2], "a": [3, 4]}').labels == ["a", "a"]
    assert "“a” twice" in refused('{"a": [[1, 2]], "a": [[3, 4]]}').found
    assert "“v” twice" in refused('[{"v": [1, 2], "v": [3, 4]}]').found


def test_limits_are_named(refused, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 64)
    monkeypatch.setattr(stream, "BULK", 64)
    monkeypatch.setattr(limits, "MAX_JSON_PIECE", 2**20)
    assert "larger than 1 MB" in refused(json.dumps([[0.5] * 300_000])).found
    monkeypatch.setattr(limits, "MAX_VALUES", 10)
    for content in (V, named(), dict(PAIRS), one_a_line(ROWS)):
        assert "more than 10 numbers" in refused(content).found
    many = {f"a{i}": [[1, 2]] for i in range(300)}
    monkeypatch.setattr(limits, "MAX_VALUES", 10_000)
    assert "more than 256 arrays" in refused(many).found


def test_arrays_too_large_to_hold_are_read_in_pieces(table, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 64)
    monkeypatch.setattr(limits, "MAX_JSON_PIECE", 100)
    rows = [[float(i), 0.5] for i in range(99)]
    words = [f"word {i}" for i in range(99)]
    for content in ({"words": words, "vectors": rows}, {"in": {"words": words, "vectors": rows}},
                    {"all": dict(zip(words, rows, strict=True))}):  # fmt: skip
        found = table(content)
        assert found.vectors.tolist() == rows
        assert found.labels == words


def test_labels_and_names_are_bounded(refused, monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABELS", 3)
    assert "4 labels; the limit is 3" in refused(ROWS).found
    monkeypatch.setattr(limits, "MAX_JSON_NAMES", 3)
    assert "more than 3 names" in refused(dict(PAIRS)).found
