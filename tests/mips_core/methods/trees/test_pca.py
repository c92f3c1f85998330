"""What is particular to PCA-trees: the worked example, halves at medians, subtrees at every cut."""

import numpy as np
import pytest

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import compare
from mips_core.methods.reductions import PadToSphere
from mips_core.methods.trees.median_tree import median_tree
from mips_core.methods.trees.pca import PCATree, SubtreeSearcher

CORNERS = np.array([[3, 1], [3, -1], [-3, 1], [-3, -1]], np.float32)


@pytest.mark.parametrize(("boosting", "found", "cost"), [(False, {0}, 3), (True, {0, 1, 2}, 5)])
def test_worked_example(boosting, found, cost):
    index = PCATree(boosting=boosting)
    tree = index.build(CORNERS, rng_for(0))
    np.testing.assert_array_equal(tree.directions, np.eye(3)[:2])
    np.testing.assert_array_equal(tree.thresholds, [0, 0, 0])
    np.testing.assert_array_equal(tree.addresses, [3, 2, 1, 0])
    got = index.searcher(tree).candidates(np.array([[1, 2]], np.float32), 1, 1)
    assert set(got.ids) == found
    assert got.cost == [cost]


@pytest.mark.parametrize("boosting", [False, True])
def test_a_shallow_tree_is_the_top_of_a_deep_one(items, queries, boosting):
    deep, shallow = (PCATree(depth=depth, boosting=boosting) for depth in (0, 2))
    trees = [index.build(items, rng_for(0)) for index in (deep, shallow)]
    above = trees[0].depth - trees[1].depth
    for effort in range(1, trees[1].depth + 1):
        more, less = (
            index.searcher(tree).candidates(queries, at, 1)
            for index, tree, at in zip(
                (deep, shallow), trees, (effort + above, effort), strict=True
            )
        )
        np.testing.assert_array_equal(np.sort(more.ids), np.sort(less.ids))
        np.testing.assert_array_equal(more.cost, less.cost)


def test_one_boosted_level_is_everything(items, queries):
    index = PCATree(depth=1)
    found = index.searcher(index.build(items, rng_for(0))).candidates(queries, 1, 1)
    np.testing.assert_array_equal(found.cost, min(1, len(items) - 1) + len(items))


def test_only_raw_queries_keep_their_length():
    lines = np.array([[1, 0], [2, 0], [3, 0], [4, 0]], np.float32)
    Q = np.array([[0.1, 0], [4, 0], [400, 0]], np.float32)
    lift = PadToSphere().fit(lines)
    tree = median_tree(lift, lift.items(lines), np.eye(3)[:1], silent)  # the median is at 2.5
    scaled, raw = (
        PCATree(query_length=length, boosting=False).searcher(tree).candidates(Q, 1, 1)
        for length in ("scaled", "raw")
    )
    assert [set(row) for row in np.split(scaled.ids, scaled.starts[1:-1])] == [{2, 3}] * 3
    assert [set(row) for row in np.split(raw.ids, raw.starts[1:-1])] == [{0, 1}, {2, 3}, {2, 3}]


def test_depth_zero_means_leaves_of_one_or_two_items():
    assert PCATree().explicit(20_000) == PCATree(depth=14)
    assert PCATree(depth=30).explicit(100).depth == 6
    assert PCATree().setting(2) == "up to 1 level, boosted"
    assert PCATree(depth=3).setting(1) == "up to 0 levels, boosted"
    assert PCATree(depth=3, boosting=False).setting(100) == "up to 3 levels, plain"
    raw = PCATree(depth=3, query_length="raw")
    assert raw.setting(100) == "up to 3 levels, boosted, raw queries"


def test_both_ways_of_the_grid_share_one_build(items, queries):
    plain, boosted = PCATree.grid(len(items), items.shape[1])
    assert plain.structure_key() == boosted.structure_key()
    curves = compare([plain, boosted], Dataset(items, queries), ks=(1,))
    assert (curves[0].precision(1) <= curves[1].precision(1)).all()
    assert (curves[0].mean_cost < curves[1].mean_cost).all() or len(items) == 1
    assert curves[1].precision(1)[-1] == 1


@pytest.mark.parametrize("boosting", [False, True])
def test_a_single_item_is_a_tree_without_levels(boosting):
    item, Q = np.array([[2, -1]], np.float32), np.array([[1, 3], [-5, 1]], np.float32)
    tree = PCATree().build(item, rng_for(0))
    assert tree.depth == 0
    searcher = SubtreeSearcher(tree, boosting, scaled=True)
    assert list(searcher.efforts()) == [1]
    found = searcher.candidates(Q, 1, 1)
    assert found.ids.tolist() == [0, 0]
    assert found.cost.tolist() == [1, 1]
    assert [list(group) for group in searcher.groups()] == [[0]]
