"""Hierarchical k-means with its own number of probes above the finest level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import Dataset, compare, rng_for
from mips_core.methods.cluster_order.first import FEW, MOST_PICKED
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.levels_search import LevelProbeSearcher, descend
from tests import oracle


def descent(levels, q, coarse, p):
    """The definition: `coarse` of each level, then p; what is opened, and the cost."""
    kept, cost = list(range(len(levels[0][0]))), 0
    for depth, (centroids, below) in enumerate(levels):
        cost += len(kept)
        finest = depth == len(levels) - 1
        best = oracle.ranking(centroids, q, kept)[: p if finest else coarse]
        kept = [i for i, parent in enumerate(below) if parent in best]
    return set(kept), cost + len(kept)


@given(st.integers(0, 2**31), st.integers(2, 4), st.integers(1, 5))
def test_candidates_are_those_of_the_definition(seed, n_levels, coarse):
    rng = np.random.default_rng(seed)
    X, Q = (rng.normal(size=(size, 3)).astype(np.float32) for size in (80, 3))
    index = HierarchicalKMeans(n_levels=n_levels, coarse_probes=coarse)
    searcher = index.searcher(index.build(X, rng_for(seed)))
    assert isinstance(searcher, LevelProbeSearcher)
    levels = [(level.centroids[:, :3], level.labels) for level in searcher.tree.levels]
    wanted = np.tile(np.arange(-1, 80), (3, 1))
    ranks, costs = searcher.sweep(Q, wanted)
    for at, p in enumerate(searcher.efforts()):
        found = searcher.candidates(Q, p, 5)
        for i, q in enumerate(Q):
            expected, cost = descent(levels, q, coarse, p)
            assert set(found.ids[found.starts[i] : found.starts[i + 1]]) == expected
            assert set(np.flatnonzero(ranks[i, 1:] <= at)) == expected
            assert found.cost[i] == sum(costs.values())[i, at] == cost


def test_all_coarse_probes_reach_every_item(items, queries):
    index = HierarchicalKMeans(coarse_probes=1000)
    searcher = index.searcher(index.build(items, rng_for(0)))
    found = searcher.candidates(queries, searcher.efforts()[-1], 3)
    assert (np.diff(found.starts) == len(items)).all()


def test_every_p_of_the_paper_is_a_point_of_some_curve():
    rng = np.random.default_rng(0)
    X, Q = (rng.normal(size=(size, 6)).astype(np.float32) for size in (500, 30))
    own = [HierarchicalKMeans(n_clusters=49, coarse_probes=p) for p in (1, 2, 3)]
    paper, *curves = compare([HierarchicalKMeans(n_clusters=49), *own], Dataset(X, Q), ks=(10,))
    for p, curve in enumerate(curves, 1):
        for K in (10,):
            assert curve.precision(K)[p - 1] == paper.precision(K)[p - 1]
        assert curve.mean_cost[p - 1] == paper.mean_cost[p - 1]


def test_probes_are_how_a_tree_is_asked_and_not_what_is_built():
    tree = HierarchicalKMeans(n_clusters=49)
    asked = HierarchicalKMeans(n_clusters=49, coarse_probes=4)
    assert asked.structure_key() == tree.structure_key()
    assert asked.setting(500) == tree.setting(500) + ", 4 coarse probes"
    assert tree.misses_nothing
    assert not asked.misses_nothing


@pytest.mark.parametrize("coarse_probes", [0, 5])
def test_one_level_has_none_above_it(coarse_probes):
    index = HierarchicalKMeans(n_levels=1, n_clusters=9, coarse_probes=coarse_probes)
    X = np.random.default_rng(0).normal(size=(60, 3)).astype(np.float32)
    assert index.searcher(index.build(X, rng_for(0))).efforts() == range(1, 10)
    assert index.setting(60) == "9 clusters"


def test_many_probes_of_many_queries_are_those_of_one_alone():
    rng = np.random.default_rng(3)
    X, Q = (rng.normal(size=(size, 4)).astype(np.float32) for size in (900, 2 * FEW))
    tree = HierarchicalKMeans(n_clusters=450).build(X, rng_for(0))
    widths = [len(tree.levels[0].centroids) // 2, MOST_PICKED + 30]
    (_, together), counted = descend(tree, Q, widths)
    assert counted.max() > MOST_PICKED + 30
    for i in range(len(Q)):
        (_, alone), scored = descend(tree, Q[i : i + 1], widths)
        np.testing.assert_array_equal(together[i], alone[0])
        assert counted[i] == scored[0]
