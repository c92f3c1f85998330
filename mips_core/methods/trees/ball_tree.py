"""Ball trees: items in nested balls, each split between two items that are far apart.

Ram and Gray, "Maximum inner-product search using cone trees", KDD 2012, section 3.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import dot, row_norms
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.progress import Progress
from mips_core.base.seeds import row_hashes, stream
from mips_core.base.threads import map_blocks
from mips_core.methods.soundness import check_lists, check_permutation, check_shape, expect

ROUNDING = 2.0**-52
REPORT_EVERY = 2**17  # items split between two reports
NODE_BLOCK = 64  # nodes enclosed between two reports


class Balls(NamedTuple):
    """The N nodes of a tree and its n rows, as kernels read them.

    Nodes are in preorder: the first child of node t is t + 1, the root is 0. A node owns the rows
    starts[t]:stops[t]; rows (n, d) stand leaf by leaf, and members (n,) are their ids, ascending in
    a leaf.
    """

    rows: Matrix
    members: Ids
    centres: Matrix  # (N, d) means of their rows
    radii: Floats  # (N,) of the farthest row, and a margin for all rounding of a bound
    reach: Floats  # (N,) |centre| + radius: no row of the node is longer
    starts: Ids
    stops: Ids
    second: Ids  # (N,) second child, -1 in a leaf
    leaf: Ids  # (N,) number of a leaf from left to right, -1 elsewhere

    def check(self, n: int, d: int) -> None:
        """A tree in preorder, whose nodes part n rows; raises UnsoundError."""
        N = len(self.second)
        for name in ("radii", "reach", "starts", "stops", "second", "leaf"):
            check_shape(getattr(self, name), (N,), name)
        for rows, count in ((self.rows, n), (self.centres, N)):
            check_shape(rows, (count, d), "rows")
            expect((np.abs(rows) <= MAX_MAGNITUDE).all(), "a row is too long")
        check_permutation(self.members, n, "members")
        expect(N >= 1 and (self.radii >= 0).all() and (self.reach >= 0).all(), "a ball is no ball")
        leaf = self.second < 0
        inner = np.flatnonzero(~leaf)
        near, far = inner + 1, self.second[inner]
        expect((far > near).all() and (far < N).all(), "a node has no two children behind it")
        children = np.sort(np.concatenate([near, far]))
        expect(np.array_equal(children, np.arange(1, N)), "a node has other parents than one")
        starts, stops = self.starts, self.stops
        whole = starts[0] == 0 and stops[0] == n and (stops > starts).all()
        halves = (starts[near] == starts[inner]) & (stops[near] == starts[far])
        parted = (halves & (stops[far] == stops[inner])).all()
        expect(whole and parted, "children do not part a node")
        numbers = np.where(leaf, np.cumsum(leaf) - 1, -1)
        expect(np.array_equal(self.leaf, numbers), "leaves are not numbered from left to right")


@dataclass(frozen=True, slots=True, eq=False)
class BallTree:
    """A tree of nested balls over n items.

    leaf_starts (L+1,) first row of each leaf, and n; labels (n,) leaf of each item.
    """

    balls: Balls
    leaf_starts: Ids
    labels: Ids

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.balls.members)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.leaf_starts) - 1

    def check(self, n: int, d: int) -> None:
        """Its balls are sound, and its leaves theirs."""
        self.balls.check(n, d)
        leaf_starts = np.append(self.balls.starts[self.balls.leaf >= 0], n)
        expect(np.array_equal(self.leaf_starts, leaf_starts), "leaves start elsewhere")
        check_shape(self.labels, (n,), "labels")
        check_lists(self.leaf_starts, self.balls.members, self.labels, self.n_leaves)

    def cut(self, most: int) -> Ids:
        """(n,) which of the largest balls of at most `most` items, or leaf, each item is in."""
        labels = np.empty(self.n, np.int64)
        count = at = 0
        for start, stop, leaf in zip(
            self.balls.starts, self.balls.stops, self.balls.leaf, strict=True
        ):
            if start == at and (stop - start <= most or leaf >= 0):
                labels[self.balls.members[start:stop]] = count
                count, at = count + 1, stop
        return labels


def ball_tree(X: Matrix, leaf_size: int, rng: np.random.Generator, progress: Progress) -> BallTree:
    """Split the items X (n, d) into balls until a leaf holds `leaf_size`, or one place alone.

    A random item, A farthest from it, B farthest from A: the nearer of A and B wins, A on ties.
    """
    members = np.arange(len(X))
    draws = row_hashes(stream(rng, "ball tree"), 2 * len(X))  # one a node
    starts: list[int] = []
    stops: list[int] = []
    second: list[int] = []
    waiting = [(0, len(X), -1)]  # rows, and the node they are the second child of
    unreported = REPORT_EVERY
    while waiting:
        start, stop, parent = waiting.pop()
        node, size = len(starts), stop - start
        unreported += size
        if unreported >= REPORT_EVERY:
            progress(0.7 * start / len(X), f"{start:,} of {len(X):,} items in leaves")
            unreported = 0
        if parent >= 0:
            second[parent] = node
        starts.append(start)
        stops.append(stop)
        second.append(-1)
        if size > leaf_size:
            first = _split(X, members[start:stop], int(draws[node]) % size)
            if first < size:
                waiting += [(start + first, stop, node), (start, start + first, -1)]
    return _enclosed(X, members, np.array([starts, stops, second]), progress)


def _enclosed(X: Matrix, members: Ids, nodes: Ids, progress: Progress) -> BallTree:
    """The tree of nodes (3, N), starts, stops and second children, with a ball around each."""
    starts, stops, second = nodes
    rows = X[members]
    is_leaf = second < 0
    centres = np.empty((len(starts), X.shape[1]), np.float32)
    radii = np.empty(len(starts), np.float64)

    def work(first: int, last: int) -> None:
        progress(0.7 + 0.3 * first / len(starts), "balls around the items")
        block = slice(first, last)
        _enclose(rows, starts[block], stops[block], centres[block], radii[block])

    map_blocks(work, len(starts), NODE_BLOCK)
    leaf = np.where(is_leaf, np.cumsum(is_leaf) - 1, -1)
    leaf_starts = np.append(starts[is_leaf], len(members))
    labels = np.empty(len(members), np.int64)
    labels[members] = np.repeat(np.arange(len(leaf_starts) - 1), np.diff(leaf_starts))
    reach = row_norms(centres) + radii
    balls = Balls(rows, members, centres, radii, reach, starts, stops, second, leaf)
    return BallTree(balls, leaf_starts, labels)


@njit(cache=True, nogil=True)
def _square_distances(X: Matrix, inside: Ids, x: Matrix) -> Floats:
    """(c,) squared distances of the items inside (c,) of X (n, d) from x (d,)."""
    squares = np.zeros(len(inside), np.float64)
    for at in range(len(inside)):
        for j in range(len(x)):
            squares[at] += (np.float64(X[inside[at], j]) - np.float64(x[j])) ** 2
    return squares


@njit(cache=True, nogil=True)
def _split(X: Matrix, inside: Ids, draw: int) -> int:
    """Put the items nearer A before those nearer B, both in order; how many are nearer A.

    All of them, untouched, where every item is the same.
    """
    A = np.argmax(_square_distances(X, inside, X[inside[draw]]))
    from_a = _square_distances(X, inside, X[inside[A]])
    B = np.argmax(from_a)
    from_b = _square_distances(X, inside, X[inside[B]])
    nearer_a = from_a <= from_b
    inside[:] = np.concatenate((inside[nearer_a], inside[~nearer_a]))
    return int(np.count_nonzero(nearer_a))


@njit(cache=True, nogil=True)
def _enclose(rows: Matrix, starts: Ids, stops: Ids, centres: Matrix, radii: Floats) -> None:
    """Write the mean (c, d) and radius (c,) of rows[starts[t]:stops[t]] for each of c nodes.

    Float64 sums of d terms err by at most d u, u = 2^-53, of the lengths multiplied (Higham,
    Accuracy and Stability, section 3.1). The margin covers that of q.c, of q.x, of |q| and of the
    radius, so that no q.x as computed passes q.c + |q| r as computed.
    """
    d = rows.shape[1]
    margin = (2 * d + 8) * ROUNDING
    for node in range(len(starts)):
        total = np.zeros(d, np.float64)
        for i in range(starts[node], stops[node]):
            for j in range(d):
                total[j] += rows[i, j]
        centre = centres[node]
        centre[:] = total / (stops[node] - starts[node])
        inside = np.arange(starts[node], stops[node])
        radius = np.sqrt(_square_distances(rows, inside, centre).max())
        radii[node] = radius + margin * (np.sqrt(dot(centre, centre)) + radius)
