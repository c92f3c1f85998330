"""A norm head and clusters: the longest always, then the clusters that promise most."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import Dataset, ParamError, compare, evaluate, rng_for, truth_of
from mips_core.base.threads import limited
from mips_core.methods.baselines.largest_norm import LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.soft_lists import lists_of, second_best
from mips_core.methods.reductions import Plain
from mips_core.methods.searcher import ListSearcher
from tests import oracle

PROBINGS = ("centroid", "mean", "spread")


def row(found, i):
    return set(found.ids[found.starts[i] : found.starts[i + 1]])


def unequal(seed, n=80, d=3, m=3):
    """Items of very unequal norms, some of them repeated or zero, and queries."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    X[5:9] = X[4]
    X[9:11] = 0
    return X.astype(np.float32), rng.normal(size=(m, d)).astype(np.float32)


def built(index, X, seed=0):
    return index.searcher(index.build(X, rng_for(seed)))


def promise(probing, centroid, members, q):
    """The definition: what a cluster promises the query q."""
    if probing == "centroid":
        return oracle.dot(centroid, q)
    mean = [sum(map(float, column)) / len(members) for column in zip(*members, strict=True)]
    apart = [[float(v) - m for v, m in zip(x, mean, strict=True)] for x in members]
    square = sum(oracle.dot(x, x) for x in apart) / (len(members) * len(q))
    spread = 2 * sqrt(square) if probing == "spread" else 0
    return oracle.dot(mean, q) + sqrt(oracle.dot(q, q)) * spread


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("probing", PROBINGS)
@given(st.integers(0, 2**31), st.sampled_from([0.0, 0.05, 0.5]), st.integers(1, 9))
def test_candidates_are_the_head_and_the_most_promising_clusters(probing, copies, seed, head, k):
    X, Q = unequal(seed)
    index = HeadKMeans(head=head, n_clusters=k, probing=probing, copies=copies)
    searcher = built(index, X, seed)
    longest = sorted(range(80), key=lambda i: (-oracle.dot(X[i], X[i]), i))[: int(head * 80)]
    level, labels = searcher.built.tree.levels[0], searcher.built.lists.labels
    clusters = [np.flatnonzero((labels == c + 1).any(axis=0)) for c in range(searcher.k)]
    assert set(np.flatnonzero(labels[0] == 0)) == set(longest)
    heads = int(len(longest) > 0)
    assert list(searcher.efforts()) == list(range(1, heads + searcher.k + 1))
    for i, q in enumerate(Q):
        worth = [
            promise(probing, centroid[:3], X[items], q)
            for centroid, items in zip(level.centroids, clusters, strict=True)
        ]
        for effort in searcher.efforts():
            found = searcher.candidates(Q, effort, 3)
            opened, _ = searcher.opened(Q, effort)
            best = opened[i, heads:] - 1
            assert not opened[i, :heads].any()
            assert len(set(best)) == effort - heads
            left = set(range(searcher.k)) - set(best)
            least = min((worth[c] for c in best), default=np.inf)
            assert max((worth[c] for c in left), default=-np.inf) <= least + 1e-5 * abs(least)
            expected = set(longest).union(*(clusters[c] for c in best))
            assert row(found, i) == expected
            compared = (searcher.k + (probing == "spread")) if len(best) else 0
            assert found.cost[i] == len(expected) + compared
            assert found.spent["centroids"][i] == searcher.k * (len(best) > 0)  # |q| is by itself


@pytest.mark.parametrize("seed", range(3))
def test_copies_go_to_the_second_best_cluster(seed):
    X, _ = unequal(seed, d=4)
    searcher = built(HeadKMeans(n_clusters=7, copies=2, head=0.1), X, seed)
    tree, labels = searcher.built.tree, searcher.built.lists.labels
    tail = np.flatnonzero(labels[0])
    for item, lifted in zip(tail, tree.lift.items(X[tail]), strict=True):
        order = oracle.ranking(tree.levels[0].centroids, lifted)
        assert sorted(labels[:, item] - 1) == sorted(order[:2])
        assert labels[0, item] == order[0] + 1 or tree.histories[0].rounds[-1].moved


def test_second_best_ties_go_to_the_lower_number_and_one_cluster_has_none():
    centroids = np.array([[1, 0], [0, 1], [0, 1], [-1, 0]], np.float32)
    rows = np.array([[1, 0], [0, 2], [0, 2], [0, 0]], np.float32)
    labels = np.array([0, 1, 2, 0])
    assert second_best(rows, centroids, labels).tolist() == [1, 2, 1, 1]
    assert second_best(rows, centroids[:1], labels * 0).tolist() == [0, 0, 0, 0]


def test_second_best_of_rows_whose_products_underflow():
    rng = np.random.default_rng(0)
    rows = (rng.normal(size=(40, 3)) * 2.0**-146).astype(np.float32)
    centroids = rng.normal(size=(9, 3)).astype(np.float32)
    centroids /= np.linalg.norm(centroids, axis=1, keepdims=True)
    first = [oracle.ranking(centroids, row)[0] for row in rows]
    second = [oracle.ranking(centroids, row)[1] for row in rows]
    assert second_best(rows, centroids, np.array(first)).tolist() == second


def test_lists_that_share_items_are_counted():
    lists = lists_of(np.array([[0, 1, 2, 1, 3], [0, 2, 1, 1, 1]], np.int32), 4)
    held = np.split(lists.members, lists.starts[1:-1])
    assert [items.tolist() for items in held] == [[0], [1, 2, 3, 4], [1, 2], [4]]
    assert dict(zip(map(tuple, lists.pairs.tolist()), lists.shared.tolist(), strict=True)) == {
        (1, 2): 2,
        (1, 3): 1,
    }


def test_no_head_no_copies_and_centroids_are_flat_k_means(items, queries):
    head = HeadKMeans(head=0.0, n_clusters=7, probing="centroid")
    curves = compare([head, FlatKMeans(n_clusters=7)], Dataset(items, queries), ks=(1, 10))
    one, other = (curve.as_dict()["points"] for curve in curves)
    assert one == other


def test_the_head_alone_is_the_largest_norm_baseline():
    X, Q = unequal(3, n=300, m=40)
    curves = compare([HeadKMeans(head=0.2), LargestNorm()], Dataset(X, Q), ks=(1, 10))
    head, longest = curves
    at = list(longest.efforts).index(56)  # the last step of its ladder up to 60
    assert head.mean_cost[0] == longest.mean_cost[at] == 56
    for K in (1, 10):
        assert head.precision(K)[0] == longest.precision(K)[at]


def test_probings_share_what_is_built_and_copies_do_not():
    assert len({HeadKMeans(probing=p).structure_key() for p in PROBINGS}) == 1
    assert HeadKMeans(copies=2).structure_key() != HeadKMeans().structure_key()


def test_only_lists_without_copies_say_that_an_item_is_in_one():
    X, _ = unequal(0)
    assert isinstance(built(HeadKMeans(), X), ListSearcher)
    assert not isinstance(built(HeadKMeans(copies=2), X), ListSearcher)
    assert isinstance(built(HeadKMeans(copies=2, n_clusters=1), X), ListSearcher)


def test_a_head_finds_where_a_long_item_hides():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 8)).astype(np.float32)
    X[:20] *= 20
    truth = truth_of(Dataset(X, rng.normal(size=(100, 8)).astype(np.float32)))
    index = HeadKMeans(head=0.04, n_clusters=9)
    assert evaluate(index, built(index, X), truth, 0).curve((1,)).precision(1)[0] == 1.0


def test_half_of_the_items_are_never_in_the_head():
    for n in (1, 2, 3):
        searcher = built(HeadKMeans(head=0.5), np.ones((n, 1), np.float32))
        assert searcher.built.lists.starts[1] == n // 2
    with pytest.raises(ParamError, match=r"head is 0\.51"):
        HeadKMeans(head=0.51)


def test_a_scale_far_from_1_changes_nothing():
    X, Q = unequal(5, n=200)
    for reduction in (HeadKMeans().reduction, Plain()):
        found = [
            built(HeadKMeans(n_clusters=12, reduction=reduction), X * np.float32(scale))
            .candidates(Q, 4, 5)
            .ids.tolist()
            for scale in (1, 2.0**-40, 2.0**30)
        ]
        assert found[0] == found[1] == found[2]


def test_copies_are_the_same_at_any_thread_count():
    X, _ = unequal(0, n=1100, d=4)
    index = HeadKMeans(n_clusters=12, copies=2, max_rounds=2)
    with limited(1):
        alone = built(index, X)
    both = built(index, X)
    np.testing.assert_array_equal(alone.built.lists.labels, both.built.lists.labels)
    np.testing.assert_array_equal(alone.built.means, both.built.means)


def test_the_sweep_counts_each_copy_once(items, queries):
    """Against its candidates, one effort after another."""
    for head in (0.0, 0.2):
        searcher = built(HeadKMeans(head=head, n_clusters=9, copies=2), items)
        wanted = np.tile(np.arange(-1, len(items)), (len(queries), 1))
        ranks, costs = searcher.sweep(queries, wanted)
        assert (ranks[:, 0] == len(searcher.efforts())).all()
        for at, effort in enumerate(searcher.efforts()):
            found = searcher.candidates(queries, effort, 1)
            np.testing.assert_array_equal(sum(costs.values())[:, at], found.cost)
            for i in range(len(queries)):
                assert set(np.flatnonzero(ranks[i, 1:] <= at)) == row(found, i)


def test_a_head_without_items_is_told():
    index = HeadKMeans(head=0.01)
    assert index.setting(100) == "head of 1%, 10 clusters"
    assert index.setting(81) == "head of 1% (no item), 9 clusters"
