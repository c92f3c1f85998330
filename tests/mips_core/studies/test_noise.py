"""Noise on queries: the definition, one draw for all, both truths, metrics, bad input."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import INDEXES, Dataset, evaluate, rng_for, searched_by
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.data.classifier import layer_items, layer_queries
from mips_core.data.metrics import EXTRA
from mips_core.data.queries import QueryRecipe, rms, with_queries
from mips_core.evaluation.evaluate import rows_of
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.evaluation.setting import Setting
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.hashing.sign_hash import SRPHash
from mips_core.methods.indexes import Candidates
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.search import answers_among, best_candidates
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.noise import SIGMAS, ceiling, noisy_queries, under_noise
from tests import oracle

METHODS = [
    FlatKMeans(n_clusters=12),
    HierarchicalKMeans(n_clusters=30),
    SRPHash(n_bits=4),
    IPTree(),
]


def random_dataset(n=300, m=30, d=6, seed=0, exclude_self=False):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    X[5] = X[9]
    return with_queries(Dataset(X), QueryRecipe(count=m, exclude_self=exclude_self))


def built(index, dataset, at):
    """A searcher, and the setting of the effort at this share of those it offers."""
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    efforts = searcher.efforts()
    return searcher, Setting(index, 0, efforts[int(at * (len(efforts) - 1))])


@pytest.mark.parametrize("exclude_self", [False, True])
@pytest.mark.parametrize("index", METHODS, ids=lambda index: index.key)
def test_it_counts_by_the_definition(index, exclude_self):
    dataset, K = random_dataset(m=24, exclude_self=exclude_self), 4
    noisy = noisy_queries(dataset, dataset, sigmas=(0.1, 1.5))
    searcher, setting = built(index, dataset, 0.2)
    under = under_noise(setting, searcher, dataset, noisy, K, 1)
    assert under.m == 12
    for s in range(2):
        hits, cost = {"noisy": [], "clean": [], "exact": []}, 0
        for i in range(1, 24, 2):
            own = dataset.query_rows[i] if exclude_self else None
            q = noisy.queries[s, i]
            listed = searcher.candidates(q[None], setting.effort, K + exclude_self)
            cost += listed.cost[0]
            kept = [j for j in oracle.ranking(dataset.items, q, listed.ids) if j != own][:K]
            best, before = (
                [j for j in oracle.ranking(dataset.items, v) if j != own][:K]
                for v in (q, dataset.queries[i])
            )
            hits["noisy"].append(len(set(kept) & set(best)))
            hits["clean"].append(len(set(kept) & set(before)))
            hits["exact"].append(len(set(best) & set(before)))
        for truth in ("noisy", "clean"):
            counted = np.bincount(hits[truth], minlength=K + 1)
            np.testing.assert_array_equal(under.histograms[truth][s], counted)
        counted = np.bincount(hits["exact"], minlength=K + 1)
        np.testing.assert_array_equal(ceiling(noisy, K, 1)[s], counted)
        assert under.speedup[s] == pytest.approx(300 / (cost / 12))


@pytest.mark.parametrize("fold", [None, 0, 1])
@pytest.mark.parametrize("key", INDEXES)
def test_without_noise_it_is_what_was_evaluated(key, fold):
    dataset, K = random_dataset(exclude_self=fold == 1), 7
    noisy = noisy_queries(dataset, dataset, sigmas=(0, 0.5))
    searcher, setting = built(INDEXES[key](), dataset, 0.4)
    under = under_noise(setting, searcher, dataset, noisy, K, fold)
    evaluation = evaluate(setting.index, searcher, noisy.clean, 0, K=K)
    curve = evaluation.curve((K,), fold)
    at = list(evaluation.efforts).index(setting.effort)
    for truth in ("noisy", "clean"):
        np.testing.assert_array_equal(under.histograms[truth][0], curve.histograms[K][at])
        assert under.precision(truth)[0] == curve.precision(K)[at]
        np.testing.assert_array_equal(under.interval(truth)[0], curve.interval(K)[at])
    assert under.speedup[0] == curve.speedup[at]
    assert under.m == curve.m


@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 12), st.booleans())
def test_known_answers_are_those_of_scoring(seed, K, depth, exclude):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, (12, 2)).astype(np.float32)  # many ties
    Q = rng.integers(-2, 3, (5, 2)).astype(np.float32)
    rows = [np.flatnonzero(rng.random(12) < share) for share in (0, 0.2, 0.5, 0.8, 1)]
    rows = [rng.permutation(row) for row in rows]
    starts = np.cumsum([0, *map(len, rows)])
    found = Candidates(starts, np.concatenate(rows), {})
    own = rng.integers(-1, 12, 5) if exclude else None
    banned = own if exclude else np.full(5, -1)
    true = [[j for j in oracle.ranking(X, q) if j != b] for q, b in zip(Q, banned, strict=True)]
    best = np.array([ids[: min(depth, 11)] for ids in true])
    ids, scores = best_candidates(X, Q, found, K, own)
    np.testing.assert_array_equal(answers_among(best, X, Q, found, K, own), ids)
    for i, row in enumerate(rows):
        due = [j for j in oracle.ranking(X, Q[i], row) if j != banned[i]][:K]
        assert ids[i].tolist() == due + [-1] * (K - len(due))
        assert scores[i, : len(due)].tolist() == [oracle.dot(X[j], Q[i]) for j in due]
        assert (scores[i, len(due) :] == -np.inf).all()


def test_exact_search_finds_all_and_is_the_ceiling():
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=(0, 0.3, 3), seed=4)
    searcher, setting = built(ExactSearch(), dataset, 0)
    for K in (1, 10):
        under = under_noise(setting, searcher, dataset, noisy, K, None)
        np.testing.assert_array_equal(under.precision("noisy"), 1)
        np.testing.assert_array_equal(under.histograms["clean"], ceiling(noisy, K, None))
        np.testing.assert_array_equal(under.speedup, 1)
        assert under.precision("clean")[0] == 1 > under.precision("clean")[2]


def test_one_draw_of_noise_serves_all_amounts():
    dataset = random_dataset(n=900, m=700)
    sigmas = (0, 0.1, 0.2, 1)
    noisy = noisy_queries(dataset, dataset, sigmas=sigmas, seed=3)
    np.testing.assert_array_equal(noisy.queries[0], dataset.queries)
    noise = noisy.queries.astype(float) - dataset.queries
    for at, sigma in enumerate(sigmas):
        np.testing.assert_allclose(noise[at], sigma * noise[3], atol=1e-5)
    assert noise[3].mean() == pytest.approx(0, abs=0.05)
    assert noise[3].std(axis=0) == pytest.approx(1, abs=0.12)  # 4 standard errors of 700
    alone = noisy_queries(dataset, dataset, sigmas=(0.2,), seed=3)
    np.testing.assert_array_equal(alone.queries[0], noisy.queries[2])
    np.testing.assert_array_equal(alone.ids[0], noisy.ids[2])
    other = noisy_queries(dataset, dataset, sigmas=(0.2,), seed=4)
    assert (other.queries != alone.queries).any(axis=2).all()


def test_the_noise_is_not_that_of_noisy_queries():
    """They may have the same seed: added to itself, noise would be of another size."""
    plain = random_dataset(m=200)
    recipe = QueryRecipe(source="noisy", count=200, noise=0.5)
    asked = with_queries(Dataset(plain.items), recipe)
    before = asked.queries - plain.queries
    after = noisy_queries(asked, asked, sigmas=(1,)).queries[0] - asked.queries
    assert abs(np.corrcoef(before.ravel(), after.ravel())[0, 1]) < 0.12


def test_relative_noise_is_in_root_mean_squares():
    dataset = random_dataset()
    relative = noisy_queries(dataset, dataset, sigmas=(0.1, 0.3), unit="relative")
    assert relative.rms == pytest.approx(np.sqrt(np.mean(dataset.items.astype(float) ** 2)))
    absolute = noisy_queries(dataset, dataset, sigmas=[s * relative.rms for s in (0.1, 0.3)])
    np.testing.assert_array_equal(relative.queries, absolute.queries)
    np.testing.assert_allclose(relative.absolute, absolute.absolute)
    np.testing.assert_allclose(relative.relative, absolute.relative)
    np.testing.assert_allclose(absolute.relative, (0.1, 0.3))


def test_the_one_of_a_softmax_layer_stays():
    rng = np.random.default_rng(0)
    W, b = rng.normal(size=(60, 5)).astype(np.float32), np.full(60, 40, np.float32)
    H = rng.normal(size=(30, 5)).astype(np.float32)
    layer = Dataset(layer_items(W, b), layer_queries(H), logits=True)
    noisy = noisy_queries(layer, layer, sigmas=(0, 0.5))
    assert noisy.rms == pytest.approx(rms(W))
    assert (noisy.queries[..., -1] == 1).all()
    assert (noisy.queries[1, :, :-1] != H).all()
    with pytest.raises(DataError, match="All weights"):
        noisy_queries(replace(layer, items=layer_items(0 * W, b)), layer)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_noise_comes_before_the_metric(metric):
    raw = random_dataset()
    raw = replace(raw, items=raw.items + 3, queries=raw.queries + 3)
    searched = searched_by(raw, metric)
    noisy = noisy_queries(raw, searched, sigmas=(0, 0.7))
    plain = noisy_queries(raw, raw, sigmas=(0, 0.7))
    assert noisy.rms == plain.rms == rms(raw.items)
    np.testing.assert_array_equal(noisy.queries[0], searched.queries)
    Q, X = plain.queries[1].astype(float), raw.items.astype(float)
    if metric == "cosine":
        np.testing.assert_allclose(np.linalg.norm(noisy.queries[1], axis=1), 1, atol=1e-6)
        scores = Q @ (X / np.linalg.norm(X, axis=1)[:, None]).T
    else:
        extra = searched.queries[:, -EXTRA:]
        np.testing.assert_array_equal(noisy.queries[1, :, -EXTRA:], extra)
        scores = -np.linalg.norm(Q[:, None] - X, axis=2)
    nearest = np.argsort(-scores, axis=1, kind="stable")[:, :5]
    agree = (np.sort(nearest, axis=1) == np.sort(noisy.ids[1, :, :5], axis=1)).all(axis=1)
    assert agree.mean() > 0.9  # float32 may swap near-ties


def test_queries_that_rank_nothing_are_left_out_at_every_amount():
    dataset = random_dataset(m=25, exclude_self=True)
    Q = dataset.queries.copy()
    Q[3] = 0
    gap = replace(dataset, queries=Q)
    noisy, whole = (noisy_queries(data, data, sigmas=(0, 1)) for data in (gap, dataset))
    assert (noisy.m, noisy.dropped, whole.m, whole.dropped) == (24, 1, 25, 0)
    np.testing.assert_array_equal(noisy.queries, np.delete(whole.queries, 3, axis=1))
    np.testing.assert_array_equal(noisy.own_rows, np.delete(dataset.query_rows, 3))
    assert (noisy.ids != noisy.own_rows[:, None]).all()


def test_k_beyond_what_exists_and_one_query():
    for n, exclude_self in ((8, False), (2, True), (1, False)):
        dataset = random_dataset(n=20, m=1, exclude_self=exclude_self)
        rows = dataset.query_rows if exclude_self else None
        few = Dataset(dataset.items[-n:], dataset.queries, query_rows=rows and rows * 0)
        noisy = noisy_queries(few, few, sigmas=(0, 0.5))
        searcher, setting = built(ExactSearch(), few, 0)
        under = under_noise(setting, searcher, few, noisy, 10, None)
        assert under.m == 1
        np.testing.assert_array_equal(under.precision("clean"), 1)
        assert under.histograms["noisy"].shape == (2, n - exclude_self + 1)
        assert ceiling(noisy, 10, None).shape == (2, n - exclude_self + 1)


@pytest.mark.parametrize(
    ("sigmas", "found"),
    [
        ([-0.1], "is -0.1"),
        ([0, np.nan], "is nan"),
        ([np.inf], "is inf"),
        ([11], "is 11"),
        ([], "No"),
    ],
)
def test_amounts_that_cannot_be(sigmas, found):
    dataset = random_dataset()
    with pytest.raises(ParamError, match=found):
        noisy_queries(dataset, dataset, sigmas=sigmas)


def test_bad_input_is_told():
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=(0.1,))
    searcher, setting = built(FlatKMeans(n_clusters=12), dataset, 0.5)
    for K in (0, 101):
        with pytest.raises(ParamError, match=f"K is {K}"):
            under_noise(setting, searcher, dataset, noisy, K, None)
    with pytest.raises(ParamError, match="Effort 99 is not offered"):
        under_noise(replace(setting, effort=99), searcher, dataset, noisy, 5, None)
    with pytest.raises(ParamError, match="unit is 'percent'"):
        noisy_queries(dataset, dataset, unit="percent")
    bare = Dataset(dataset.items)
    with pytest.raises(DataError, match="no queries"):
        noisy_queries(bare, bare)
    huge = replace(dataset, items=dataset.items * np.float32(9e14 / np.abs(dataset.items).max()))
    with pytest.raises(DataError, match="queries with noise"):
        noisy_queries(huge, huge, sigmas=(10,), unit="relative")


def test_the_same_bits_at_any_number_of_threads(monkeypatch):
    dataset = random_dataset(n=2000, m=301)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("MIPS_THREADS", threads)
        noisy = noisy_queries(dataset, dataset, sigmas=SIGMAS[::4])
        searcher, setting = built(FlatKMeans(n_clusters=30), dataset, 0.2)
        under = under_noise(setting, searcher, dataset, noisy, 10, 1)
        found.append((noisy.queries, noisy.ids, under.speedup, *under.histograms.values()))
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_progress_rises_and_cancels():
    dataset, seen = random_dataset(m=300), []

    def note(fraction, message, partial=None):
        seen.append(fraction)

    def stop(fraction, message, partial=None):
        raise Cancelled

    noisy = noisy_queries(dataset, dataset, sigmas=(0, 0.1), progress=note)
    searcher, setting = built(FlatKMeans(n_clusters=12), dataset, 0.5)
    under_noise(setting, searcher, dataset, noisy, 5, None, note)
    assert seen.count(1) == 2
    with pytest.raises(Cancelled):
        noisy_queries(dataset, dataset, sigmas=(0, 0.1), progress=stop)
    with pytest.raises(Cancelled):
        under_noise(setting, searcher, dataset, noisy, 5, None, stop)


def test_histograms_give_precision_and_interval():
    dataset = random_dataset()
    noisy = noisy_queries(dataset, dataset, sigmas=(0, 0.5))
    searcher, setting = built(FlatKMeans(n_clusters=12), dataset, 0.1)
    under = under_noise(setting, searcher, dataset, noisy, 5, 0)
    for truth, histogram in under.histograms.items():
        assert (histogram.sum(axis=1) == 15).all()
        np.testing.assert_array_equal(under.precision(truth), mean_precision(histogram))
        np.testing.assert_array_equal(under.interval(truth), precision_interval(histogram))
    whole = under_noise(setting, searcher, dataset, noisy, 5, None).histograms["clean"]
    odd = under_noise(setting, searcher, dataset, noisy, 5, 1).histograms["clean"]
    np.testing.assert_array_equal(under.histograms["clean"] + odd, whole)
    assert len(range(30)[rows_of(0)]) == under.m
