"""Several clusterings asked at once: unions, and how they are counted."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.kernels import mark_candidates
from mips_core.methods.clustering.rounds import Clustering
from mips_core.methods.kmeans.cluster_tree import KMeansTree, _level
from mips_core.methods.kmeans.multi import MultiKMeans
from mips_core.methods.kmeans.multi_search import LANES, MultiProbeSearcher, side_by_side
from mips_core.methods.reductions import Plain
from tests.mips_core.methods.hard_vectors import queries, vectors


def test_unions_are_counted_for_every_query_of_a_block():
    rng = np.random.default_rng(1)
    m = 2 * LANES + 3
    X, Q = vectors("plain", rng, 200, 4), queries(rng, m, 4)
    index = MultiKMeans(n_clusters=9)
    searcher = index.searcher(index.build(X, rng_for(0)))
    wanted = rng.integers(-1, 200, size=(m, 5))
    found, costs = searcher.sweep(Q, wanted)
    for at, effort in enumerate(searcher.efforts()):
        alone = searcher.candidates(Q, effort, 1)
        marked = mark_candidates(wanted, alone.starts, alone.ids, 200)
        np.testing.assert_array_equal(found <= at, marked)
        np.testing.assert_array_equal(costs["candidates"][:, at], np.diff(alone.starts))


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
