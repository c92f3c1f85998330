"""True answers: queries that are dropped, and ties."""

import numpy as np
import pytest

from mips_core import Dataset, compare, evaluate, truth_of
from mips_core.base.errors import DataError
from mips_core.data.metrics import searched_by
from mips_core.methods.kmeans.flat import FlatKMeans
from tests.mips_core.evaluation.random_data import random_dataset


def test_zero_queries_are_dropped_and_counted():
    dataset = random_dataset(m=4)
    Q = dataset.queries.copy()
    Q[1] = 0
    truth = truth_of(Dataset(dataset.items, Q))
    assert (truth.m, truth.dropped) == (3, 1)
    with pytest.raises(DataError, match="All queries are zero"):
        truth_of(Dataset(dataset.items, Q[1:2]))
    with pytest.raises(DataError, match="no queries"):
        truth_of(Dataset(dataset.items))


def test_equal_queries_count_once_on_one_side_of_the_split():
    dataset = random_dataset(m=30)
    Q = dataset.queries.copy()
    Q[0] = [*Q[0, :-1], 0]
    equal = np.r_[Q, Q[::-1], Q]
    equal[30:60][equal[30:60] == 0] = -0.0
    index = FlatKMeans(n_clusters=5)
    searcher = index.searcher(index.build(dataset.items, np.random.default_rng(0)))
    once, often = (truth_of(Dataset(dataset.items, queries)) for queries in (Q, equal))
    assert (often.m, often.dropped) == (30, 0)
    np.testing.assert_array_equal(once.ids, often.ids)
    for fold in (None, 0, 1):
        first, second = (
            evaluate(index, searcher, truth, 0).curve((3,), fold) for truth in (once, often)
        )
        np.testing.assert_array_equal(first.interval(3), second.interval(3))


def test_ties_beyond_the_spare_depth_still_count_as_right():
    X = np.ones((900, 2), np.float32)
    X[::2] = [2, 0]  # 450 equal best answers for the query
    dataset = Dataset(X, np.array([[1, -1]], np.float32))
    curve = compare([FlatKMeans(n_clusters=2)], dataset, ks=(10,))[0]
    assert curve.tolerant[10][-1] == 1
    assert (curve.precision(10) <= curve.tolerant[10]).all()


def test_ties_of_distances_are_told_by_the_distances():
    groups = np.repeat([[-1e4], [1e4]], 40, axis=0)  # scores are 1e8 where distances are 1
    rng = np.random.default_rng(2)
    X = groups + rng.normal(size=(80, 3))
    X[10:13] = X[9]
    truth = truth_of(searched_by(Dataset(X, X[[9, 50]]), "euclidean"))
    np.testing.assert_array_equal(truth.widths(1), [4, 1])
    np.testing.assert_array_equal(truth.widths(5), [5, 5])


def test_the_truth_of_float16_items_is_that_of_their_float32_copy():
    X = np.random.default_rng(4).normal(size=(700, 5)).astype(np.float16)
    X[300:320] = X[7]
    rows = np.arange(0, 60, 3)
    for own in (None, rows):
        kept, plain = (
            truth_of(Dataset(X, X[rows], query_rows=own, keep_dtype=keep)) for keep in (True, False)
        )
        for name in ("queries", "ids", "scores", "origins"):
            one, other = getattr(kept, name), getattr(plain, name)
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other, err_msg=name)
        assert (kept.n, kept.available, kept.dropped) == (plain.n, plain.available, plain.dropped)
