"""Halves at medians: what every cut holds; directions are eigenvectors, of a sample of many."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.methods.reductions import PadToSphere
from mips_core.methods.trees import median_tree as halving
from mips_core.methods.trees.median_tree import median_tree, principal_directions, project
from mips_core.methods.trees.pca import PCATree, SubtreeSearcher


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


def test_leaves_differ_by_one_item_at_most(items):
    tree = PCATree().build(items, rng_for(0))
    deepest = int(np.log2(len(items)))
    assert min(1, deepest) <= tree.depth <= min(deepest, items.shape[1] + 1)
    assert np.ptp(np.diff(tree.starts)) <= 1
    for leaf in range(1 << tree.depth):
        inside = tree.members[tree.starts[leaf] : tree.starts[leaf + 1]]
        np.testing.assert_array_equal(inside, np.flatnonzero(tree.addresses == leaf))


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
    monkeypatch.setattr(halving, "MOST_ROWS", 1000)
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
