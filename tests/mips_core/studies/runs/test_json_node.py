"""A value that cannot be is refused with its place."""

import io
import json

import pytest

from mips_core import DataError
from mips_core.studies.runs import read_runs
from mips_core.studies.runs.json_node import JsonNode


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_a_number_that_is_none_is_refused(small, number):
    document = json.loads(small)
    document["runs"][0]["build_seconds"] = "here"
    text = json.dumps(document).replace('"here"', number)
    with pytest.raises(DataError):
        read_runs(io.BytesIO(text.encode()))


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda node: node.of("b").whole(0, 9), "root.b is 12, not 0 to 9"),
        (lambda node: node.of("c"), "root has no c"),
        (lambda node: node.only(["a"]), "root has an entry that is not known, 'b'"),
        (lambda node: node.of("a").wholes(2, 0, 9), r"root.a\[1\] is no whole number"),
        (lambda node: node.of("a").numbers(3, 0, 9), "root.a has 2 entries, not 3 to 3"),
        (lambda node: node.of("a").text(9), "root.a is no text"),
        (lambda node: node.of("b").flag(), "root.b is neither true nor false"),
    ],
)
def test_every_refusal_names_its_place(read, message):
    with pytest.raises(DataError, match=message):
        read(JsonNode({"a": [1, True], "b": 12}, "root"))


def test_what_a_file_says_is_repeated_in_one_short_line():
    with pytest.raises(DataError) as refused:
        JsonNode({}, "root").refuse("has no " + "n_\n" * 9_000)
    assert len(str(refused.value)) < 500
    assert "\n" not in str(refused.value)


def test_numbers_come_back_as_arrays():
    node = JsonNode({"a": [1, 2.5], "b": [3, 4]}, "root")
    assert node.of("a").numbers(2, 0, 9).tolist() == [1.0, 2.5]
    assert node.of("b").wholes(2, 0, 9).tolist() == [3, 4]
    assert [child.place for child in node.of("b").items(0, 9)] == ["root.b[0]", "root.b[1]"]
