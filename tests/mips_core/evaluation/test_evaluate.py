"""Curves: exclusion, folds, K beyond n, dropped queries, intervals, frontier."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import INDEXES, Dataset, compare, frontier, rng_for, truth_of
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.curve import report, rows
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.intervals import precision_interval
from mips_core.methods.baselines.exact_search import ExactSearch
from mips_core.methods.hashing.srp import SRPHash
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from tests import oracle

METHODS = [FlatKMeans(n_clusters=12), HierarchicalKMeans(n_clusters=30)]


def random_dataset(n=300, m=40, seed=0, **known):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, 6)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return Dataset(X, rng.normal(size=(m, 6)).astype(np.float32), **known)


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


@pytest.mark.parametrize("index", [*METHODS, SRPHash(n_tables=8)], ids=lambda index: index.key)
@pytest.mark.parametrize("fold", [None, 0, 1])
def test_hits_by_query_are_what_the_histogram_counts(index, fold):
    dataset = random_dataset(m=41)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    for K in (1, 7, 100):
        histogram = evaluation.curve((K,), fold).histograms[K]
        for at in range(len(evaluation.efforts)):
            counted = np.bincount(evaluation.hits(K, at, fold), minlength=K + 1)
            np.testing.assert_array_equal(counted, histogram[at])


def test_k_beyond_n_divides_by_what_exists():
    dataset = random_dataset(n=8, m=5)
    (curve,) = compare([ExactSearch()], dataset, ks=(10, 100))
    assert curve.precision(10) == [1]
    assert curve.histograms[100].shape == (1, 9)
    for K in (0, 101):
        with pytest.raises(ParamError, match=f"K is {K}"):
            truth_of(dataset).answers(K)


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


def test_ties_beyond_the_spare_depth_still_count_as_right():
    X = np.ones((900, 2), np.float32)
    X[::2] = [2, 0]  # 450 equal best answers for the query
    dataset = Dataset(X, np.array([[1, -1]], np.float32))
    curve = compare([FlatKMeans(n_clusters=2)], dataset, ks=(10,))[0]
    assert curve.tolerant[10][-1] == 1
    assert (curve.precision(10) <= curve.tolerant[10]).all()


def test_progress_rises_carries_curves_and_cancels():
    seen = []

    def note(fraction, message, partial=None):
        seen.append((fraction, partial))

    compare(METHODS, random_dataset(), ks=(1,), progress=note)
    assert seen[-1][0] == 1
    finished = [partial for _, partial in seen if isinstance(partial, tuple) and partial]
    assert [len(curves) for curves in finished][-1] == 2

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        compare(METHODS, random_dataset(), ks=(1,), progress=stop)


def test_the_frontier_is_what_nothing_beats():
    curves = compare(METHODS, random_dataset(), ks=(10,))
    kept = [
        (curves[p.curve].speedup[p.at], curves[p.curve].precision(10)[p.at])
        for p in frontier(curves, 10)
    ]
    everything = [(s, v) for c in curves for s, v in zip(c.speedup, c.precision(10), strict=True)]
    beaten = {
        (s, v)
        for s, v in everything
        for t, w in everything
        if t >= s and w >= v and (t, w) != (s, v)
    }
    assert set(kept) == set(everything) - beaten
    assert kept == sorted(kept)


def test_rows_and_json_say_the_same():
    dataset = random_dataset(name="made", simulated=True)
    (curve,) = compare(METHODS[:1], dataset, ks=(1, 10))
    table, points = rows(dataset, [curve], 10), curve.as_dict()["points"]
    assert [row["precision@10"] for row in table] == [p["precision"]["10"] for p in points]
    assert [row["low_95"] for row in table] == [p["interval"]["10"][0] for p in points]
    assert all(sum(p["cost"].values()) == pytest.approx(p["mean_cost"]) for p in points)
    assert curve.as_dict()["index"]["reduction.U"] == 0.75
    assert {(row["data"], row["simulated"]) for row in table} == {("made", True)}


@given(st.integers(1, 300), st.integers(1, 20), st.integers(0, 2**31))
def test_intervals_hold_the_mean_and_never_vanish(m, K, seed):
    rng = np.random.default_rng(seed)
    hits = rng.binomial(K, rng.beta(5, 1, size=m))
    histogram = np.bincount(hits, minlength=K + 1)[None]
    low, high = precision_interval(histogram)[0]
    assert 0 <= low <= hits.mean() / K <= high <= 1
    assert high > low


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_intervals_are_honest_at_the_ends(share):
    histogram = np.zeros((1, 11), int)
    histogram[0, int(share * 10)] = 500
    low, high = precision_interval(histogram)[0]
    assert high - low == pytest.approx(1.96**2 / (500 + 1.96**2), rel=1e-3)


@pytest.mark.parametrize(("K", "true"), [(1, 0.8), (10, 0.8), (100, 0.95)])
def test_intervals_cover_as_often_as_they_say(K, true):
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        shares = rng.beta(8 * true, 8 * (1 - true), size=2000) if K > 1 else true
        hits = rng.binomial(K, shares, size=2000)
        low, high = precision_interval(np.bincount(hits, minlength=K + 1)[None])[0]
        covered += low <= true <= high
    assert 930 <= covered <= 970


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
    assert {row["metric"] for row in rows(searched, curves, 10)} == {metric}
    assert {row["precision@10"] for row in rows(searched, curves, 10)} >= {1.0}


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_every_index_searches_by_any_metric(metric):
    rng = np.random.default_rng(1)
    raw = Dataset(30 + rng.normal(size=(200, 6)), 30 + rng.normal(size=(20, 6)))
    searched = searched_by(raw, metric)
    for cls in INDEXES.values():
        (curve, *_) = compare([cls()], searched, ks=(5,))
        assert 0 <= curve.precision(5).min() <= curve.precision(5).max() <= 1
    assert compare([ExactSearch()], searched, ks=(5,))[0].precision(5)[-1] == 1


def test_ties_of_distances_are_told_by_the_distances():
    groups = np.repeat([[-1e4], [1e4]], 40, axis=0)  # scores are 1e8 where distances are 1
    rng = np.random.default_rng(2)
    X = groups + rng.normal(size=(80, 3))
    X[10:13] = X[9]
    truth = truth_of(searched_by(Dataset(X, X[[9, 50]]), "euclidean"))
    np.testing.assert_array_equal(truth.widths(1), [4, 1])
    np.testing.assert_array_equal(truth.widths(5), [5, 5])


def test_a_float16_memory_map_gives_the_curve_of_its_float32_copy(tmp_path):
    X = np.random.default_rng(3).normal(size=(300, 6)).astype(np.float16)
    np.save(tmp_path / "x.npy", X)
    stored = Dataset(np.load(tmp_path / "x.npy", mmap_mode="r"), X[:40])
    copied = Dataset(X.astype(np.float32), X[:40].astype(np.float32))
    index = FlatKMeans(n_clusters=12)
    [ours], [due] = (compare([index], data, ks=(1, 10)) for data in (stored, copied))
    assert ours.as_dict() == due.as_dict()
