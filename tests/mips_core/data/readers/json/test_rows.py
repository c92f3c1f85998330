"""Bad rows are named, counted, and left out if a person says so."""

import tracemalloc

import pytest

from mips_core.data.readers.choices import Choices, UnsettledError
from mips_core.data.readers.json.rows import JsonRows
from tests.mips_core.data.readers.json.json_writing import V, one_a_line


def test_labels_that_are_no_text_are_shown(table):
    for content in (b'{"a\xff": [1, 2], "b": [3, 4]}', '{"a\\ud800": [1, 2], "b": [3, 4]}'):
        found = table(content)
        assert found.labels[1] == "b"
        assert found.labels[0].startswith("a\ufffd")
        assert "1 label is not UTF-8 (row 0)" in found.notes[0]


BAD = [[1, 2], [None, 2], None, "x", [1, "2"], [True, 1], [float("nan"), 1], [10**400, 1],
       [1e300, 1], [1, 2, 3], [], [[1], 2], {"a": 1}, [3, 4]]  # fmt: skip


@pytest.mark.parametrize("lines_", [False, True])
def test_bad_rows_are_counted_and_left_out(table, refused, lines_):
    content = one_a_line(BAD) if lines_ else BAD
    error = refused(content, UnsettledError)
    assert error.offers.bad_rows == 12
    where = "line 4" if lines_ else "row 3"
    assert f"{where} is the text “x” where a list of numbers is needed; 11 more" in error.found
    found = table(content, skip_bad=True)
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    assert found.offers.bad_rows == 12
    assert found.notes[-1].startswith("12 rows were left out: null in " + where[:4])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([None, 2], "null in row 1"),
        ([float("nan"), 2], "NaN in row 1"),
        ([float("-inf"), 2], "-inf in row 1"),
        ([10**400, 2], "a number out of range in row 1"),
        ([10**16, 2], "a number out of range in row 1"),
        ([1e99, 2], "1e+99 in row 1"),
        ([1], "row 1 has 1 number, the others have 2"),
        (["0.5", 2], "row 1 holds the text “0.5” where a number is needed"),
        ([False, 2], "row 1 holds false where"),
        ({"a": 1}, "row 1 is an object where"),
    ],
)
def test_a_bad_row_is_named(refused, row, words):
    assert words in refused([[1, 2], row, [3, 4], [5, 6]], UnsettledError).found


def test_rows_keep_their_order_where_some_are_odd(table):
    found = table([None, *BAD[:1], "x", [3, 4], [5, 6]], skip_bad=True)
    assert found.vectors.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert "no vector in row 0; row 2 is" in found.notes[-1]
    labels = table({"v": [[1, 2], [None, 1], [3, 4]], "labels": list("abc")}, skip_bad=True).labels
    assert labels == ["a", "c"]


def test_a_missing_number_in_the_first_row_is_no_missing_dimension(table):
    with pytest.raises(UnsettledError, match="null in row 0"):
        table([[1.0, None], [2.0, 3.0]])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[null, null]", "row 0 is null"),
        ("[[], []]", "row 0 is an empty list"),
        ([[V, V], [V, V]], "several vectors a row: row 0 has 2"),
    ],
)
def test_rows_that_are_no_vectors_are_named(refused, content, words):
    assert words in refused(content).found


def test_rows_are_held_once():
    rows, batch = JsonRows("x.json", Choices(), "row"), [[float(i)] * 64 for i in range(250)]
    tracemalloc.start()
    for place in range(0, 50_000, len(batch)):
        rows.add(batch, range(place, place + len(batch)))
    vectors = rows.table().vectors
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert vectors.shape == (50_000, 64)
    assert (vectors[:, 0] == [i % 250 for i in range(50_000)]).all()
    assert peak < 1.5 * vectors.nbytes
