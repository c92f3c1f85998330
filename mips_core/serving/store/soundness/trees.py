"""Of trees that are neither clusterings nor tables."""

import numpy as np

from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.methods.kmeans.top_down_tree import MAX_DEPTH, SplitTree
from mips_core.methods.trees.ball_tree import BallTree
from mips_core.methods.trees.median_tree import MedianTree
from mips_core.serving.store.soundness.rules import (
    check_ascending,
    check_lift,
    check_lists,
    check_permutation,
    check_shape,
    check_sound,
    check_unit,
    check_within,
    expect,
)

DEEPEST = 30  # levels of a PCA tree


@check_sound.register
def _(tree: MedianTree, n: int, d: int) -> None:
    check_lift(tree.lift)
    expect(tree.depth <= DEEPEST, f"it has {tree.depth} levels")
    leaves = 2**tree.depth
    check_shape(tree.directions, (tree.depth, d + tree.lift.n_extra), "directions")
    check_shape(tree.thresholds, (leaves - 1,), "thresholds")
    check_shape(tree.addresses, (n,), "addresses")
    check_lists(tree.starts, tree.members, tree.addresses, leaves)


@check_sound.register
def _(tree: BallTree, n: int, d: int) -> None:
    balls, N = tree.balls, len(tree.balls.second)
    for name in ("radii", "reach", "starts", "stops", "second", "leaf"):
        check_shape(getattr(balls, name), (N,), name)
    for rows, count in ((balls.rows, n), (balls.centres, N)):
        check_shape(rows, (count, d), "rows")
        expect((np.abs(rows) <= MAX_MAGNITUDE).all(), "a row is too long")
    check_permutation(balls.members, n, "members")
    expect(N >= 1 and (balls.radii >= 0).all() and (balls.reach >= 0).all(), "a ball is no ball")
    leaf = balls.second < 0
    inner = np.flatnonzero(~leaf)
    near, far = inner + 1, balls.second[inner]
    expect((far > near).all() and (far < N).all(), "a node has no two children behind it")
    children = np.sort(np.concatenate([near, far]))
    expect(np.array_equal(children, np.arange(1, N)), "a node has other parents than one")
    starts, stops = balls.starts, balls.stops
    whole = starts[0] == 0 and stops[0] == n and (stops > starts).all()
    halves = (starts[near] == starts[inner]) & (stops[near] == starts[far])
    expect(whole and (halves & (stops[far] == stops[inner])).all(), "children do not part a node")
    numbers = np.where(leaf, np.cumsum(leaf) - 1, -1)
    expect(np.array_equal(balls.leaf, numbers), "leaves are not numbered from left to right")
    _check_leaves(tree, n, int(leaf.sum()))


def _check_leaves(tree: BallTree, n: int, count: int) -> None:
    balls = tree.balls
    expected = np.append(balls.starts[balls.leaf >= 0], n)
    expect(np.array_equal(tree.leaf_starts, expected), "leaves start elsewhere")
    check_shape(tree.labels, (n,), "labels")
    check_lists(tree.leaf_starts, balls.members, tree.labels, count)


@check_sound.register
def _(tree: SplitTree, n: int, d: int) -> None:
    N = len(tree.children)
    check_lift(tree.lift)
    for name in ("children", "parents"):
        check_shape(getattr(tree, name), (N,), name)
    check_shape(tree.members, (len(tree.members),), "members")
    check_unit(tree.centroids, (N, d + tree.lift.n_extra), "centroids")
    check_shape(tree.labels, (n,), "labels")
    check_within(tree.labels, N, "a label")
    check_within(tree.members, n, "a member")
    check_ascending(tree.starts, N, len(tree.members), "the starts of leaves")
    leaf = tree.children < 0
    inner = np.flatnonzero(~leaf)
    first = tree.children[inner]
    expect((first > inner).all(), "a node comes after its children")
    below = np.sort(np.concatenate([first, first + 1]))
    expect(N >= 1 and np.array_equal(below, np.arange(1, N)), "a node has other parents than one")
    parents = np.full(N, -1, np.int64)
    parents[first] = parents[first + 1] = inner
    expect(np.array_equal(tree.parents, parents), "parents and children differ")
    expect(leaf[tree.labels].all(), "an item is in no leaf")
    sizes = np.diff(tree.starts)
    expect((sizes[inner] == 0).all(), "a node that is no leaf has members")
    _check_depth(parents)
    held = np.repeat(np.arange(N), sizes)
    pairs = np.unique(held * n + tree.members)
    expect(len(pairs) == len(held), "a leaf names an item twice")
    own = tree.labels * n + np.arange(n)
    expect(np.isin(own, pairs).all(), "an item is not in its own leaf")


def _check_depth(parents: np.ndarray) -> None:
    """No node is deeper than trees are grown."""
    at, depth = np.arange(len(parents)), 0
    while (at > 0).any():
        at, depth = parents[np.maximum(at, 0)], depth + 1
        expect(depth <= MAX_DEPTH + 1, "it is too deep")
