"""A Dataset is whole or refused; its fingerprint names its content."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.dataset import Dataset

X = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.mark.parametrize(
    ("items", "known", "words"),
    [
        (np.zeros((3, 2)), {}, "all rows are zero"),
        (X[:0], {}, "no vectors"),
        (X[0], {}, "1 dimension .*n rows x d columns"),
        (X[None], {}, r"3 dimensions \(shape 1 x 4 x 3\)"),
        (X + 1j, {}, "complex"),
        (np.where(X == 4, np.nan, X), {}, "nan in row 1, column 1"),
        (np.where(X > 4, np.inf, X), {}, "inf in row 1, column 2, and 2 more rows"),
        (X * 1e30, {}, "at most 1e\\+15"),
        (X, {"queries": X[:, :2]}, "queries have 2 dimensions, the items 3"),
        (X, {"labels": ["a"]}, "1 labels for 4 rows"),
        (X, {"queries": X, "query_rows": np.arange(3)}, "query_rows must have one entry"),
        (X, {"queries": X, "query_labels": ["a"]}, "query_labels must have one entry"),
        (X[:, :0], {}, "rows without numbers"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_place(items, known, words):
    with pytest.raises(DataError, match=words):
        Dataset(items, **known)


def test_arrays_become_float32_in_c_order():
    dataset = Dataset(np.asfortranarray(X.astype(np.float64)), queries=X.astype(np.int8))
    assert dataset.items.dtype == dataset.queries.dtype == np.float32
    assert dataset.items.flags.c_contiguous
    assert (dataset.n, dataset.m, dataset.d) == (4, 4, 3)
    assert Dataset(X).queries.shape == (0, 3)


def test_the_fingerprint_sees_every_cell_and_nothing_else():
    big = np.random.default_rng(0).normal(size=(4000, 300)).astype(np.float32)
    changed = big.copy()
    changed[1999, 123] = 1e6
    assert Dataset(big).fingerprint != Dataset(changed).fingerprint
    assert Dataset(big, name="a").fingerprint == Dataset(big.copy(), name="b").fingerprint
    plain, other = Dataset(X, X), Dataset(X, X, query_rows=np.arange(4))
    assert plain.fingerprint == other.fingerprint
    assert plain.query_fingerprint != other.query_fingerprint


@pytest.mark.parametrize("dtype", ["f2", ">f8", "u1", "i8", "?"])
def test_the_dtype_is_kept_where_asked(dtype):
    stored = np.asfortranarray(X).astype(dtype)
    kept = Dataset(stored, stored[:1], keep_dtype=True)
    assert kept.items.dtype == kept.queries.dtype == np.dtype(dtype).newbyteorder("=")
    assert kept.items.flags.c_contiguous
    np.testing.assert_array_equal(kept.items, stored)
    narrow = kept.float32()
    assert narrow.items.dtype == narrow.queries.dtype == np.float32
    assert narrow.float32() is narrow
    assert narrow.fingerprint == Dataset(stored).fingerprint


@pytest.mark.parametrize("keep", [True, False])
def test_numbers_too_large_are_refused_in_any_dtype(keep):
    with pytest.raises(DataError, match="in row 2, column 1"):
        Dataset(np.where(X == 7, 1e300, X.astype(float)), keep_dtype=keep)


def test_one_item_is_enough():
    assert (Dataset(X[1:2]).n, Dataset(X[1:2]).available) == (1, 1)


def test_items_that_are_read_from_their_file_are_known_for_it(tmp_path):
    X = np.ones((5, 3), np.float32)
    np.save(tmp_path / "x.npy", X)
    mapped = Dataset(np.load(tmp_path / "x.npy", mmap_mode="r"))
    assert mapped.is_mapped
    assert replace(mapped, queries=X[:2]).is_mapped
    assert not Dataset(X).is_mapped
    assert not replace(mapped, items=mapped.items[:2] * 2).is_mapped


@pytest.mark.parametrize("place", [(0, 0), (8191, 1), (8192, 0), (9999, 2)])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_float16_that_is_not_finite_is_refused_wherever_it_stands(place, value):
    halves = np.ones((10_000, 3), np.float16)
    halves[place] = value
    with pytest.raises(DataError, match=f"in row {place[0]:,}, column {place[1]}"):
        Dataset(halves, keep_dtype=True)


@pytest.mark.parametrize("n", [1, 8192, 8193, 20_000])
def test_float16_has_the_name_of_its_float32_copy(n):
    halves = np.random.default_rng(n).normal(size=(n, 2)).astype(np.float16)
    kept = Dataset(halves, halves[:3], keep_dtype=True)
    whole = Dataset(halves, halves[:3])
    assert (kept.fingerprint, kept.query_fingerprint) == (
        whole.fingerprint,
        whole.query_fingerprint,
    )
