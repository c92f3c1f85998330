"""Curves: exclusion, folds, K beyond n, dropped queries, intervals, frontier."""

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, compare, rng_for, truth_of
from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.evaluate import READ_OFF, evaluate
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.curve_table import columns, report
from tests import oracle
from tests.mips_core.evaluation.random_data import METHODS, random_dataset


@pytest.mark.parametrize("index", METHODS, ids=lambda index: index.key)
def test_a_querys_own_row_does_not_count(index):
    dataset = with_queries(random_dataset(), QueryRecipe(count=25, exclude_self=True))
    (curve,) = compare([index], dataset, ks=(1, 5))
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    for at in (0, 3):
        found = searcher.candidates(dataset.queries, int(curve.efforts[at]), 5)
        lists = np.split(found.ids, found.starts[1:-1])
        expected = oracle.precision(dataset.items, dataset.queries, lists, 5, dataset.query_rows)
        assert curve.precision(5)[at] == pytest.approx(expected)


@pytest.mark.parametrize("index", METHODS, ids=lambda index: index.key)
def test_folds_share_out_queries_and_costs(index):
    dataset = random_dataset(m=601)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    whole, even, odd = (evaluation.curve((10,), fold) for fold in (None, 0, 1))
    assert (even.m, odd.m) == (301, 300)
    np.testing.assert_array_equal(whole.histograms[10], even.histograms[10] + odd.histograms[10])
    half = Dataset(dataset.items, dataset.queries[::2])
    (alone,) = compare([index], half, ks=(10,))
    np.testing.assert_array_equal(alone.histograms[10], even.histograms[10])
    np.testing.assert_allclose(alone.mean_cost, even.mean_cost)


def test_stored_numbers_of_any_type_are_measured_as_float32():
    whole = np.random.default_rng(0).integers(0, 200, (60, 5)).astype(np.uint8)
    kept, plain = (Dataset(whole, whole[:9], keep_dtype=keep) for keep in (True, False))
    np.testing.assert_array_equal(truth_of(kept).scores, truth_of(plain).scores)
    a, b = (compare(METHODS[:1], data, ks=(3,))[0].as_dict() for data in (kept, plain))
    assert a == b


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
@pytest.mark.parametrize("d", [1, 4])
def test_one_item_is_measured_like_any_number_of_them(metric, d):
    one = Dataset(np.full((1, d), -2.5), np.ones((3, d)))
    searched = searched_by(one, metric)
    indexes = [index for cls in INDEXES.values() for index in cls.grid(1, searched.d)]
    curves = compare(indexes, searched, ks=(1, 10))
    for curve in curves:
        for K, histogram in curve.histograms.items():
            assert histogram.shape[1] == 2  # one answer there is, not ten
            assert set(curve.precision(K)) <= {0, 1 / 3, 2 / 3, 1}
    told = report(searched, curves)
    assert told["answers"] == {"1": 1, "10": 1}
    assert told["dataset"]["metric"] == metric
    assert set(columns(searched, curves, 10)["metric"]) == {metric}
    assert set(columns(searched, curves, 10)["precision@10"]) >= {1.0}


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_every_index_searches_by_any_metric(metric):
    rng = np.random.default_rng(1)
    raw = Dataset(30 + rng.normal(size=(200, 6)), 30 + rng.normal(size=(20, 6)))
    searched = searched_by(raw, metric)
    for cls in INDEXES.values():
        (curve, *_) = compare([cls()], searched, ks=(5,))
        assert 0 <= curve.precision(5).min() <= curve.precision(5).max() <= 1
    assert compare([ExactSearch()], searched, ks=(5,))[0].precision(5)[-1] == 1


def test_a_float16_memory_map_gives_the_curve_of_its_float32_copy(tmp_path):
    X = np.random.default_rng(3).normal(size=(300, 6)).astype(np.float16)
    np.save(tmp_path / "x.npy", X)
    stored = Dataset(np.load(tmp_path / "x.npy", mmap_mode="r"), X[:40])
    copied = Dataset(X.astype(np.float32), X[:40].astype(np.float32))
    index = FlatKMeans(n_clusters=12)
    [ours], [due] = (compare([index], data, ks=(1, 10)) for data in (stored, copied))
    assert ours.as_dict() == due.as_dict()


def test_what_is_read_off_takes_little_however_much_is_asked():
    dataset, index = random_dataset(), FlatKMeans(n_clusters=20)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation, fresh = (evaluate(index, searcher, truth_of(dataset), 0) for _ in range(2))
    for K in (*range(1, 12), 1):
        curves = [evaluation.curve((K,), fold) for fold in (None, 0, 1)]
        assert evaluation.curve((K,)) is curves[0]
        np.testing.assert_array_equal(
            sum(curve.histograms[K] for curve in curves[1:]), curves[0].histograms[K]
        )
        assert len(evaluation.read_off) <= READ_OFF
    again = fresh.curve((1,), 1)
    np.testing.assert_array_equal(again.histograms[1], curves[2].histograms[1])
    np.testing.assert_array_equal(again.speedup, curves[2].speedup)
    both = evaluation.read_off["counted", 1][0]
    assert all(curve.histograms[1].base is both for curve in curves[1:])  # no memory of their own
