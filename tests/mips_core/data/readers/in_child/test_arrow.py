"""Columns of lists and of numbers: the same numbers back, and bad rows named."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.data.readers import UnsettledError
from mips_core.data.readers.in_child import arrow
from tests.mips_core.data.readers.in_child.arrow_writing import (
    WORDS,
    WRITERS,
    X,
    lists,
    parsed,
    refusal,
)

NUMBERS = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint64")


@given(
    suffix=st.sampled_from(sorted(WRITERS)),
    dtype=st.sampled_from(NUMBERS),
    shape=st.tuples(st.integers(1, 30), st.integers(1, 5)),
    make=st.sampled_from(["list", "large", "fixed"]),
    seed=st.integers(0, 99),
)
def test_a_column_of_lists_comes_back_bit_for_bit(
    tmp_path_factory, suffix, dtype, shape, make, seed
):
    bits = np.random.default_rng(seed).integers(0, 256, (*shape, np.dtype(dtype).itemsize), "u1")
    array = bits.view(dtype)[..., 0]
    kind = {"list": pa.list_, "large": pa.large_list, "fixed": lambda t: pa.list_(t, shape[1])}
    path = tmp_path_factory.mktemp("arrow") / f"x.{suffix}"
    WRITERS[suffix](pa.table({"v": lists(array, kind[make])}), str(path))
    vectors = parsed(path).vectors
    assert vectors.dtype == dtype
    np.testing.assert_array_equal(vectors.view("u1"), array.view("u1"))


@pytest.mark.parametrize(
    "column",
    [
        lists(X, pa.list_view),
        lists(X, pa.large_list_view),
        pa.FixedShapeTensorArray.from_numpy_ndarray(X),
        lists(X).slice(0),
        pa.concat_arrays([lists(X[:1]), lists(X)]).slice(1),
    ],
    ids=["view", "large view", "tensor", "plain", "slice"],
)
def test_every_kind_of_list_is_read(arrow_file, column):
    np.testing.assert_array_equal(parsed(arrow_file({"v": column}, "arrow")).vectors, X)


def test_truth_values_and_decimals_are_numbers(arrow_file):
    np.testing.assert_array_equal(parsed(arrow_file({"v": lists(X > 0)})).vectors, X > 0)
    decimals = pa.array([1, 2.5, None]).cast(pa.decimal128(9, 3))
    path = arrow_file({"x": decimals, "y": decimals})
    np.testing.assert_array_equal(parsed(path, skip_bad=True).vectors, [[1, 1], [2.5, 2.5]])


def test_labels_are_chosen_blank_or_not_utf8(arrow_file):
    path = arrow_file({"v": lists(X), "title": [None, *WORDS[1:]], "code": range(6),
                    "raw": pa.array([b"\xff", *[b"ok"] * 5])})  # fmt: skip
    assert parsed(path).labels == ["", *WORDS[1:]]
    assert parsed(path, label="code").labels == list("012345")
    found = parsed(path, label="raw")
    assert found.labels[0] == "�"
    assert any("not UTF-8" in note for note in found.notes)
    assert "“nothing”" in refusal(path, label="nothing")


ROWS = [[1.0, 2.0], None, [3.0, 4.0], [5.0], [6.0, None], [], [7.0, 8.0]]


@pytest.mark.parametrize("suffix", sorted(WRITERS))
@pytest.mark.parametrize("make", [pa.list_, pa.large_list, pa.list_view])
def test_bad_lists_are_refused_with_their_row_or_left_out(arrow_file, monkeypatch, suffix, make):
    if make is pa.list_view and "parquet" in suffix:
        pytest.skip("Parquet has no views of lists")
    monkeypatch.setattr(arrow, "MOST_ROWS", 2)
    path = arrow_file({"v": pa.array(ROWS, make(pa.float32())), "title": list("abcdefg")}, suffix)
    text = refusal(path, UnsettledError)
    assert "column “v”: row 1 has no list; 3 more rows" in text
    assert "Each row needs 2 numbers" in text
    found = parsed(path, skip_bad=True)
    np.testing.assert_array_equal(found.vectors, [[1, 2], [3, 4], [7, 8]])
    assert found.labels == ["a", "c", "g"]
    assert found.offers.bad_rows == 4
    assert any("4 rows were left out" in note and "(row 1, 3, 4, 5)" in note
               for note in found.notes)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1.0, 2.0], [1.0, 2.0], [3.0]], "row 2 has 1 number where 2 are needed"),
        ([[1.0, 2.0], [1.0, None]], "row 1 has a missing number in its list"),
    ],
)
def test_what_is_wrong_first_is_said(arrow_file, rows, words):
    assert words in refusal(arrow_file({"v": pa.array(rows, pa.list_(pa.float32()))}))


def test_fixed_lists_may_be_missing(arrow_file):
    column = pa.array([[1, 2], None, [3, 4]], pa.list_(pa.float32(), 2))
    for suffix in WRITERS:
        path = arrow_file({"v": column}, suffix)
        assert "row 1 has no list" in refusal(path)
        assert parsed(path, skip_bad=True).vectors.tolist() == [[1, 2], [3, 4]]


def test_missing_cells_are_refused_with_their_row_or_left_out(arrow_file):
    path = arrow_file({"x": [1.0, 2, None, 4], "y": [1, None, 3, 4], "title": list("abcd")})
    assert "row 1 has no number in column “y”; 1 more row" in refusal(path, UnsettledError)
    found = parsed(path, skip_bad=True)
    np.testing.assert_array_equal(found.vectors, [[1, 1], [4, 4]])
    assert found.labels == ["a", "d"]


def test_a_table_without_a_usable_row_is_refused(arrow_file):
    path = arrow_file({"v": pa.array([[1.0, None], [None, 2.0]])})
    assert "row 0" in refusal(path, skip_bad=True)
    assert "holds no rows" in refusal(arrow_file({"v": lists(X[:0])}))
    assert "holds no rows" in refusal(arrow_file({"v": lists(X[:0])}, "arrow"))
    assert "no column" in refusal(arrow_file({"v": pa.array([None, None], pa.list_(pa.int8()))}))


def test_limits_hold_before_and_while_reading(arrow_file, monkeypatch):
    for suffix in WRITERS:
        path = arrow_file({"v": lists(np.zeros((1000, 8), "f4"))}, suffix)
        with monkeypatch.context() as patch:
            patch.setattr(limits, "MAX_VALUES", 7999)
            assert "the limits are 7,999 numbers" in refusal(path)
            patch.setattr(limits, "MAX_VALUES", 999)
            assert "the limit is 999 numbers" in refusal(path) or "the limits are" in refusal(path)
        with monkeypatch.context() as patch:
            patch.setattr(limits, "MAX_FILE_BYTES", 30_000)
            assert "the limits are" in refusal(path)
