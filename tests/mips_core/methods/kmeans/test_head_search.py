"""A head, then the most promising clusters, by their definition."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.reductions import Plain
from mips_core.methods.searcher import ListSearcher
from tests import oracle
from tests.mips_core.methods.kmeans.head_items import PROBINGS, built, row, unequal


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


def test_only_lists_without_copies_say_that_an_item_is_in_one():
    X, _ = unequal(0)
    assert isinstance(built(HeadKMeans(), X), ListSearcher)
    assert not isinstance(built(HeadKMeans(copies=2), X), ListSearcher)
    assert isinstance(built(HeadKMeans(copies=2, n_clusters=1), X), ListSearcher)


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
