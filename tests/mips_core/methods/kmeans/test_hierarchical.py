"""Clusters of clusters: the worked example, Algorithm 2, and sizes of levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import compare
from mips_core.methods.kmeans.flat import FlatKMeans, ProbeSearcher
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.levels_search import BeamSearcher
from mips_core.methods.reductions import Plain
from tests import oracle
from tests.mips_core.methods.kmeans.worked_items import tree_of


def angles(*degrees):
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


@pytest.mark.parametrize(
    ("angle", "p", "found", "cost"),
    [(40, 1, {2, 3}, 6), (40, 2, {2, 3, 4, 5}, 10), (46, 1, {4, 5}, 6)],
)
def test_hierarchical_worked_example(angle, p, found, cost):
    fine = angles(10, 35, 60, 80)
    items = angles(10, 10, 35, 35, 60, 60, 80, 80)
    tree = tree_of(
        (angles(0, 90), [0, 0, 1, 1]),
        (fine, [0, 0, 1, 1, 2, 2, 3, 3]),
        lift=Plain().fit(items),
    )
    got = BeamSearcher(tree).candidates(angles(angle), p, 2)
    assert set(got.ids) == found
    assert got.cost == [cost]


@given(st.integers(0, 2**31), st.integers(1, 3), st.integers(1, 6))
def test_a_beam_is_algorithm_2(seed, n_levels, p):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 3)).astype(np.float32)
    tree = HierarchicalKMeans(n_levels=n_levels).build(X, rng_for(seed))
    Q = rng.normal(size=(3, 3)).astype(np.float32)
    found = BeamSearcher(tree).candidates(Q, p, 5)
    levels = [(level.centroids[:, :3], level.labels) for level in tree.levels]
    for i, q in enumerate(Q):
        expected, cost = oracle.beam(levels, q, p)
        assert set(found.ids[found.starts[i] : found.starts[i + 1]]) == expected
        assert found.cost[i] == cost


@pytest.mark.parametrize("n_clusters", [0, 7, 64])
def test_one_level_is_flat_bit_for_bit(items, queries, n_clusters):
    dataset = Dataset(items, queries)
    flat, tree = (
        FlatKMeans(n_clusters=n_clusters),
        HierarchicalKMeans(n_levels=1, n_clusters=n_clusters),
    )
    a, b = (index.build(items, rng_for(4)) for index in (flat, tree))
    np.testing.assert_array_equal(a.levels[0].centroids, b.levels[0].centroids)
    np.testing.assert_array_equal(a.levels[0].labels, b.levels[0].labels)
    one, other = (c.as_dict()["points"] for c in compare([flat, tree], dataset, ks=(1, 10)))
    assert one == other
    for p in (1, 2, len(a.levels[0].centroids)):
        probed, beamed = (s.candidates(queries, p, 3) for s in (ProbeSearcher(a), BeamSearcher(b)))
        np.testing.assert_array_equal(probed.ids, beamed.ids)
        np.testing.assert_array_equal(probed.cost, beamed.cost)


def test_sizes_follow_the_rule_of_the_paper():
    n = 20_000
    assert FlatKMeans().clusters(n) == 141
    assert HierarchicalKMeans().level_sizes(n) == (27, 737)
    assert HierarchicalKMeans(n_levels=3).level_sizes(n) == (12, 141, 1682)
    assert HierarchicalKMeans(n_clusters=900).level_sizes(n) == (30, 900)
    assert HierarchicalKMeans(sizes=(46, 2154)).level_sizes(n) == (46, 2154)
    assert FlatKMeans(n_clusters=500).clusters(20) == 20


def test_opening_everything_finds_everything_at_a_speedup_below_one(items, queries):
    for curve in compare([FlatKMeans(), HierarchicalKMeans()], Dataset(items, queries), ks=(1, 3)):
        assert curve.precision(3)[-1] == 1
        assert curve.speedup[-1] < 1
        assert (np.diff(curve.precision(3)) >= 0).all() or curve.index.key != "flat-kmeans"
