"""Several clusterings: the union of what flat searches find, and one clustering is flat k-means."""

import numpy as np
import pytest

from mips_core import Dataset, compare, evaluate, rng_for, truth_of
from mips_core.methods.kmeans.flat import FlatKMeans, ProbeSearcher
from mips_core.methods.kmeans.multi import MultiKMeans


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
