"""Several clusterings: the union of what flat searches find, and one clustering is flat k-means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import Dataset, compare, evaluate, rng_for, truth_of
from mips_core.methods.clustering import Clustering
from mips_core.methods.kmeans.cluster_tree import KMeansTree, _level
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.flat_search import ProbeSearcher
from mips_core.methods.kmeans.multi import MultiKMeans
from mips_core.methods.kmeans.multi_search import MultiProbeSearcher, side_by_side
from mips_core.methods.reductions import Plain


def union_of_probes(clusterings, q, p):
    """The definition: [(centroids, labels)] -> items of the best p clusters of each, and cost."""
    found, cost = set(), 0
    for centroids, labels in clusterings:
        scores = [sum(float(a) * float(b) for a, b in zip(c, q, strict=True)) for c in centroids]
        best = sorted(range(len(scores)), key=lambda c: (-scores[c], c))[:p]
        found |= {i for i, label in enumerate(labels) if label in best}
        cost += len(centroids)
    return found, cost + len(found)


def row(found, i):
    return found.ids[found.starts[i] : found.starts[i + 1]]


def flat_tree(centroids, labels, lift):
    found = Clustering(np.asarray(centroids, np.float32), np.asarray(labels), (), converged=True)
    return KMeansTree(lift, (_level(found),), (found,))


@given(st.integers(0, 2**31), st.integers(1, 4), st.integers(2, 12))
def test_candidates_are_the_union_of_flat_searches(seed, R, k):
    rng = np.random.default_rng(seed)
    X, Q = (rng.normal(size=(size, 3)).astype(np.float32) for size in (80, 3))
    index = MultiKMeans(n_clusterings=R, n_clusters=k)
    searcher = index.searcher(index.build(X, rng_for(seed)))
    levels = [tree.levels[0] for tree in searcher.built.trees]
    clusterings = [(level.centroids[:, :3], level.labels) for level in levels]
    for p in searcher.efforts():
        found = searcher.candidates(Q, p, 5)
        for i, q in enumerate(Q):
            expected, cost = union_of_probes(clusterings, q, p)
            assert set(row(found, i)) == expected
            assert found.cost[i] == cost


def test_a_clustering_with_few_clusters_opens_all_of_them():
    lift = Plain().fit(np.eye(2, dtype=np.float32))
    compass = [[1, 0], [0, 1], [-1, 0]]
    trees = [
        flat_tree(compass, [0, 0, 1, 2, 2], lift),
        flat_tree(compass[:2], [0, 1, 1, 1, 0], lift),
    ]
    searcher = MultiProbeSearcher(side_by_side(trees))
    q = np.array([[2, 1]], np.float32)
    found = [set(searcher.candidates(q, p, 1).ids) for p in searcher.efforts()]
    assert found == [{0, 1, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}]
    ranks, costs = searcher.sweep(q, np.array([[0, 1, 2, 3, 4, -1]]))
    assert ranks.tolist() == [[0, 0, 1, 1, 0, 3]]
    assert {part: cost.tolist() for part, cost in costs.items()} == {
        "centroids": [[5, 5, 5]],
        "candidates": [[3, 5, 5]],
    }


@pytest.mark.parametrize("n_clusters", [0, 7, 64])
def test_one_clustering_is_flat_bit_for_bit(items, queries, n_clusters):
    flat = FlatKMeans(n_clusters=n_clusters)
    multi = MultiKMeans(n_clusterings=1, n_clusters=n_clusters)
    a, b = (index.build(items, rng_for(4)) for index in (flat, multi))
    np.testing.assert_array_equal(a.levels[0].centroids, b.trees[0].levels[0].centroids)
    np.testing.assert_array_equal(a.levels[0].labels, b.labels[0])
    for p in (1, 2, len(a.levels[0].centroids)):
        one, other = (
            index.searcher(built).candidates(queries, p, 3)
            for index, built in ((flat, a), (multi, b))
        )
        np.testing.assert_array_equal(one.ids, other.ids)
        np.testing.assert_array_equal(one.cost, other.cost)
    curves = compare([flat, multi], Dataset(items, queries), ks=(1, 10))
    assert curves[0].as_dict()["points"] == curves[1].as_dict()["points"]


def test_recall_is_never_below_that_of_any_member():
    rng = np.random.default_rng(0)
    X, Q = (rng.normal(size=(size, 8)).astype(np.float32) for size in (2000, 60))
    index = MultiKMeans(n_clusters=40)
    built = index.build(X, rng_for(0))
    truth = truth_of(Dataset(X, Q))
    multi = evaluate(index, index.searcher(built), truth, 0)
    starts = {tuple(tree.levels[0].labels) for tree in built.trees}
    assert len(starts) == 3  # no two clusterings are the same
    for tree in built.trees:
        member = evaluate(FlatKMeans(), ProbeSearcher(tree), truth, 0)
        assert (multi.ranks <= member.ranks).all()
        for K in (1, 10):
            ours, theirs = (e.curve((1, 10)).precision(K) for e in (multi, member))
            shared = min(len(ours), len(theirs))
            assert (ours[:shared] >= theirs[:shared]).all()
