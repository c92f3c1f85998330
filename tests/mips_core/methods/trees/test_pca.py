"""What is particular to PCA-trees: the worked example, halves at medians, subtrees at every cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import compare
from mips_core.methods.reductions import PadToSphere
from mips_core.methods.trees import pca_directions
from mips_core.methods.trees.median_tree import median_tree, project
from mips_core.methods.trees.pca import PCATree, SubtreeSearcher
from mips_core.methods.trees.pca_directions import principal_directions

CORNERS = np.array([[3, 1], [3, -1], [-3, 1], [-3, -1]], np.float32)


def median_oracle(projections):
    """Addresses and medians {address so far: median} by the definition, from (D, n) projections."""
    paths = [""] * len(projections[0])
    medians = {}
    for values in projections:
        for path in sorted(set(paths)):
            inside = sorted((values[i], i) for i, p in enumerate(paths) if p == path)
            size = len(inside)
            medians[path] = (inside[(size - 1) // 2][0] + inside[size // 2][0]) / 2
            for place, (_, i) in enumerate(inside):
                paths[i] = path + ("0" if place < -(-size // 2) else "1")
    return paths, medians


def route_oracle(values, medians):
    """The leaf of a query by its value at every level."""
    path = ""
    for value in values:
        path += "0" if value <= medians[path] else "1"
    return path


def found_oracle(paths, leaf, depth, boosting):
    """Items whose address begins as `leaf` does for `depth` bits, or with one of them flipped."""

    def differing(path):
        return sum(a != b for a, b in zip(path[:depth], leaf[:depth], strict=True))

    return {i for i, path in enumerate(paths) if differing(path) <= int(boosting)}


def random_tree(seed, n, depth):
    """A tree on few different values, so that projections repeat; its lifted rows; queries."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, 3)).astype(np.float32)
    lift = PadToSphere().fit(X)
    rows = lift.items(X)
    directions = rng.normal(size=(depth, 4))
    Q = rng.normal(size=(4, 3)).astype(np.float32)
    return median_tree(lift, rows, directions, silent), rows, Q


@given(st.integers(0, 2**31), st.integers(1, 4), st.integers(0, 20), st.booleans())
def test_every_cut_holds_what_the_definition_says(seed, depth, spare, boosting):
    tree, rows, Q = random_tree(seed, 2**depth + spare, depth)
    projections = [project(rows, direction) for direction in tree.directions]
    paths, medians = median_oracle(projections)
    np.testing.assert_array_equal(tree.addresses, [int(path, 2) for path in paths])
    in_order = [medians[path] for path in sorted(medians, key=lambda path: (len(path), path))]
    np.testing.assert_array_equal(tree.thresholds, in_order)
    searcher = SubtreeSearcher(tree, boosting, scaled=True)
    for q in Q:
        unit = np.linalg.norm(q.astype(float))
        values = [
            sum(float(a) * b for a, b in zip(q, v[:3], strict=True)) / unit for v in tree.directions
        ]
        leaf = route_oracle(values, medians)
        for effort in searcher.efforts():
            cut = depth + 1 - effort
            found = searcher.candidates(q[None], effort, 1)
            expected = found_oracle(paths, leaf, cut, boosting)
            assert sorted(found.ids) == sorted(expected)
            assert found.cost == [cut + len(expected)]


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


def test_directions_are_eigenvectors_of_the_centred_covariance():
    rng = np.random.default_rng(3)
    rows = (rng.normal(size=(500, 5)) * [1, 4, 0.5, 2, 3] + 10).astype(np.float32)
    found = principal_directions(rows, 4, rng_for(0), silent)
    covariance = np.cov(rows.astype(float), rowvar=False)
    variances = np.einsum("ij,jk,ik->i", found, covariance, found)
    np.testing.assert_allclose(variances, np.linalg.eigvalsh(covariance)[:0:-1])
    np.testing.assert_allclose(found @ covariance, variances[:, None] * found, atol=1e-5)
    np.testing.assert_allclose(found @ found.T, np.eye(4), atol=1e-6)
    assert (found.max(axis=1) == np.abs(found).max(axis=1)).all()


def test_a_sample_of_many_rows_gives_nearly_the_same_directions(monkeypatch):
    rng = np.random.default_rng(3)
    rows = (rng.normal(size=(4000, 3)) * [1, 9, 3]).astype(np.float32)
    every = principal_directions(rows, 3, rng_for(0), silent)
    monkeypatch.setattr(pca_directions, "MOST_ROWS", 1000)
    sampled = principal_directions(rows, 3, rng_for(0), silent)
    assert (every != sampled).any()
    np.testing.assert_allclose(every, sampled, atol=0.05)
    np.testing.assert_array_equal(sampled, principal_directions(rows, 3, rng_for(0), silent))


def test_directions_without_variance_are_left_out():
    flat = np.random.default_rng(0).normal(size=(300, 2)) @ np.ones((2, 6))
    assert len(principal_directions(flat.astype(np.float32), 6, rng_for(0), silent)) == 1
    same = np.ones((300, 6), np.float32)
    assert len(principal_directions(same, 6, rng_for(0), silent)) == 1
    tree = PCATree().build(same, rng_for(0))  # one level, split by id
    np.testing.assert_array_equal(tree.addresses, np.arange(300) >= 150)


def test_leaves_differ_by_one_item_at_most(items):
    tree = PCATree().build(items, rng_for(0))
    deepest = int(np.log2(len(items)))
    assert min(1, deepest) <= tree.depth <= min(deepest, items.shape[1] + 1)
    assert np.ptp(np.diff(tree.starts)) <= 1
    for leaf in range(1 << tree.depth):
        inside = tree.members[tree.starts[leaf] : tree.starts[leaf + 1]]
        np.testing.assert_array_equal(inside, np.flatnonzero(tree.addresses == leaf))


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
