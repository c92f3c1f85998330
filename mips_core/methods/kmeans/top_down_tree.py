"""A binary tree of clusters, grown from the root: every node is split by spherical 2-means.

After Mnih and Hinton, "A scalable hierarchical distributed language model", 2009, whose trees also
let an item stand in several leaves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask, Matrix
from mips_core.base.progress import Progress
from mips_core.base.seeds import stream
from mips_core.base.threads import map_blocks
from mips_core.methods import soundness
from mips_core.methods.kmeans.two_means import two_means
from mips_core.methods.reductions import Lift

MOST_COPIED = 0.1  # of the smaller child's items: trees stay small at any margin
MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class SplitRule:
    """How nodes are split: down to leaf_size items, with copies of items within the margin."""

    leaf_size: int
    margin: float
    max_rounds: int


@dataclass(frozen=True, slots=True, eq=False)
class SplitTree:
    """N nodes, numbered level by level from the root, 0.

    centroids (N, d') unit rows, the root's zero; children (N,) the first of a node's two, c and
    c + 1, or -1 for a leaf; parents (N,), the root's -1; starts (N+1,), members: the items of every
    leaf as lists, empty for other nodes; labels (n,) the leaf where an item is not a copy.
    """

    lift: Lift
    centroids: Matrix
    children: Ids
    parents: Ids
    starts: Ids
    members: Ids
    labels: Ids

    def check(self, n: int, d: int) -> None:
        """A tree whose leaves hold every item in its own leaf, and no item twice."""
        N = len(self.children)
        self.lift.check()
        for name in ("children", "parents"):
            soundness.check_shape(getattr(self, name), (N,), name)
        soundness.check_shape(self.members, (len(self.members),), "members")
        soundness.check_unit(self.centroids, (N, d + self.lift.n_extra), "centroids")
        soundness.check_shape(self.labels, (n,), "labels")
        soundness.check_within(self.labels, N, "a label")
        soundness.check_within(self.members, n, "a member")
        soundness.check_ascending(self.starts, N, len(self.members), "the starts of leaves")
        leaf = self.children < 0
        inner = np.flatnonzero(~leaf)
        _check_nodes(self.children, self.parents, inner)
        soundness.expect(leaf[self.labels].all(), "an item is in no leaf")
        sizes = np.diff(self.starts)
        soundness.expect((sizes[inner] == 0).all(), "a node that is no leaf has members")
        at, depth = np.arange(N), 0
        while (at > 0).any():
            at, depth = self.parents[np.maximum(at, 0)], depth + 1
            soundness.expect(depth <= MAX_DEPTH + 1, "it is too deep")
        held = np.repeat(np.arange(N), sizes)
        pairs = np.unique(held * n + self.members)
        soundness.expect(len(pairs) == len(held), "a leaf names an item twice")
        own = self.labels * n + np.arange(n)
        soundness.expect(np.isin(own, pairs).all(), "an item is not in its own leaf")


def _check_nodes(children: Ids, parents: Ids, inner: Ids) -> None:
    """Each of the nodes (N,) but the root is a child of one of the `inner` ones before it."""
    N, first = len(children), children[inner]
    soundness.expect((first > inner).all(), "a node comes after its children")
    below = np.sort(np.concatenate([first, first + 1]))
    soundness.expect(
        N >= 1 and np.array_equal(below, np.arange(1, N)), "a node has other parents than one"
    )
    holders = np.full(N, -1, np.int64)
    holders[first] = holders[first + 1] = inner
    soundness.expect(np.array_equal(parents, holders), "parents and children differ")


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    """A node as it grows: its items (s,), and which of them are copies."""

    parent: int
    centroid: Matrix
    members: Ids
    is_copy: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _Split:
    """Two centroids (2, d'), and by how much each item prefers the first to the second (s,)."""

    centroids: Matrix
    gaps: Floats


def grow(
    lift: Lift, rows: Matrix, rule: SplitRule, rng: np.random.Generator, progress: Progress
) -> SplitTree:
    """Split the lifted rows (n, d') level by level, until nodes are small or do not split."""
    n, width = rows.shape
    level = [_Node(-1, np.zeros(width, np.float32), np.arange(n), np.zeros(n, np.bool_))]
    nodes: list[_Node] = []
    children: list[int] = []
    for depth in range(MAX_DEPTH + 1):
        progress(_guess_fraction(level, n, rule.leaf_size), f"splitting {len(level):,} nodes")
        limit = rule if depth < MAX_DEPTH else replace(rule, leaf_size=n)  # no more splits
        splits = _split_level(level, len(nodes), rows, limit, rng)
        first = len(nodes) + len(level)  # node of the next level
        below: list[_Node] = []
        for number, (node, split) in enumerate(zip(level, splits, strict=True), len(nodes)):
            parts = _children(node, number, split, rule.margin) if split else []
            children.append(first + len(below) if parts else -1)
            below += parts
        nodes += level
        level = below
        if not level:
            break
    return _assemble(lift, nodes, np.array(children), n)


def _split_level(
    level: Sequence[_Node], first: int, rows: Matrix, rule: SplitRule, rng: np.random.Generator
) -> list[_Split | None]:
    """2-means in every node that is too large for a leaf; `first` is the number of the first."""

    def work(at: int, _: int) -> _Split | None:
        members = level[at].members
        if len(members) <= rule.leaf_size:
            return None
        halves = stream(rng, "split", first + at).permutation(len(members)) % 2
        return _split(rows, members, halves, rule.max_rounds)

    return map_blocks(work, len(level), 1)


def _split(rows: Matrix, members: Ids, halves: Ids, max_rounds: int) -> _Split | None:
    """2-means from the labels `halves`; once more from its own gaps where one side ends empty.

    None where that does not part the items either.
    """
    for _ in range(2):
        split = _Split(*two_means(rows, members, halves, max_rounds))
        if len(np.unique(split.gaps >= 0)) == 2:
            return split
        halves = (split.gaps > np.median(split.gaps)).astype(np.int64)
    return None


def _children(node: _Node, number: int, split: _Split, margin: float) -> list[_Node]:
    """Two nodes of the items of `node`, which has this number."""
    first = split.gaps >= 0
    own = (first, ~first)
    most = int(MOST_COPIED * min(np.count_nonzero(side) for side in own))
    copied = [_nearest(split.gaps, side, margin)[:most] for side in own]
    nodes = []
    for centroid, side, guests in zip(split.centroids, own, reversed(copied), strict=True):
        is_copy = node.is_copy.copy()
        is_copy[guests] = True
        inside = side.copy()
        inside[guests] = True
        nodes.append(_Node(number, centroid, node.members[inside], is_copy[inside]))
    return nodes


def _nearest(gaps: Floats, side: Mask, margin: float) -> Ids:
    """Positions on one side (s,) whose gap is below the margin, smallest first.

    A gap of exactly 0 tells nothing: items that cannot be told apart are not copied.
    """
    inside = np.flatnonzero(side & (np.abs(gaps) < margin) & (gaps != 0))
    return inside[np.argsort(np.abs(gaps[inside]), kind="stable")]


def _assemble(lift: Lift, nodes: Sequence[_Node], children: Ids, n: int) -> SplitTree:
    leaves = np.flatnonzero(children < 0).tolist()
    sizes = np.zeros(len(nodes), np.int64)
    sizes[leaves] = [len(nodes[leaf].members) for leaf in leaves]
    labels = np.empty(n, np.int64)
    for leaf in leaves:
        labels[nodes[leaf].members[~nodes[leaf].is_copy]] = leaf
    return SplitTree(
        lift,
        centroids=np.stack([node.centroid for node in nodes]),
        children=children,
        parents=np.array([node.parent for node in nodes]),
        starts=np.concatenate([[0], np.cumsum(sizes)]),
        members=np.concatenate([nodes[leaf].members for leaf in leaves]),
        labels=labels,
    )


def _guess_fraction(level: Sequence[_Node], n: int, leaf_size: int) -> float:
    """How far the largest node has come from n items to the size of a leaf, in halvings."""
    largest = max(len(node.members) for node in level)
    if largest <= leaf_size:
        return 0.99
    return min(0.99, float(np.log(n / largest) / np.log(n / leaf_size)))
