"""A tree that halves its items at the median of their projections, on one direction a level.

Bachrach et al. 2014. An item's address is the bits of its way down, left 0 and right 1, the first
level's the most significant. Directions are principal ones, the same on every processor: the
covariance is summed in float64 in one fixed order, by slices of rows that do not depend on the
number of threads, and so are its eigenvectors. They are settled, and their free signs fixed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Matrix, settled
from mips_core.base.eigenvectors import largest_eigenvectors
from mips_core.base.kernels import dot
from mips_core.base.progress import Progress
from mips_core.base.seeds import sample_rows, stream
from mips_core.base.threads import map_blocks
from mips_core.methods.reductions import Lift
from mips_core.methods.soundness import check_lists, check_shape, expect

DEEPEST = 30  # levels of a tree
MOST_ROWS = 2**17  # rows a covariance is taken from: a sample of this size errs by under 1%
SLICES = 8
NEGLIGIBLE = 1e-12  # of the largest variance: below, a direction is rounding


@dataclass(frozen=True, slots=True, eq=False)
class MedianTree:
    """A tree of D levels over n items lifted onto the unit sphere.

    directions (D, d+1) float64, one a level; thresholds (2^D - 1,) float64 medians, level by level
    and by address within; addresses (n,) of the leaf of each item; members (n,) the items of leaf
    a are members[starts[a]:starts[a+1]], starts (2^D + 1,).
    """

    lift: Lift
    directions: Floats
    thresholds: Floats
    addresses: Ids
    starts: Ids
    members: Ids

    @property
    def depth(self) -> int:
        """Number of levels."""
        return len(self.directions)

    def check(self, n: int, d: int) -> None:
        """2^D leaves of all items, and a median at every node above them."""
        self.lift.check()
        expect(self.depth <= DEEPEST, f"it has {self.depth} levels")
        leaves = 2**self.depth
        check_shape(self.directions, (self.depth, d + self.lift.n_extra), "directions")
        check_shape(self.thresholds, (leaves - 1,), "thresholds")
        check_shape(self.addresses, (n,), "addresses")
        check_lists(self.starts, self.members, self.addresses, leaves)


def median_tree(lift: Lift, rows: Matrix, directions: Floats, progress: Progress) -> MedianTree:
    """Split the lifted items rows (n, d+1) along one of directions (D, d+1) a level."""
    members, starts = np.arange(len(rows)), np.array([0, len(rows)])
    thresholds = [np.empty(0)]
    for level, direction in enumerate(directions):
        progress(level / len(directions), f"level {level + 1} of {len(directions)}")
        starts, medians = _halve(members, starts, project(rows, direction))
        thresholds.append(medians)
    addresses = np.empty(len(rows), np.int64)
    addresses[members] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return MedianTree(lift, directions, np.concatenate(thresholds), addresses, starts, members)


@njit(cache=True, nogil=True)
def project(rows: NDArray[Any], direction: NDArray[Any]) -> Floats:
    """(n,) projections of rows (n, d) on a direction (d,) float64; entries beyond d meet zeros."""
    projections = np.empty(len(rows), np.float64)
    for i in range(len(rows)):
        projections[i] = dot(rows[i], direction)
    return projections


@njit(cache=True, nogil=True)
def _halve(members: Ids, starts: Ids, projections: Floats) -> tuple[Ids, Floats]:
    """Split every node at its median: new starts (2c + 1,) and the medians (c,) of c nodes.

    Reorders members (n,), which ascend in every node before and after. By (projection, id) the
    first half goes left, and the odd item with it.
    """
    cuts = np.empty(2 * len(starts) - 1, np.int64)
    medians = np.empty(len(starts) - 1, np.float64)
    cuts[-1] = starts[-1]
    for node in range(len(medians)):
        inside = members[starts[node] : starts[node + 1]]
        ranked = inside[np.argsort(projections[inside], kind="mergesort")]
        half = (len(inside) + 1) // 2
        middle = projections[ranked[half - 1]], projections[ranked[len(inside) // 2]]
        medians[node] = (middle[0] + middle[1]) / 2
        cuts[2 * node], cuts[2 * node + 1] = starts[node], starts[node] + half
        inside[:half], inside[half:] = np.sort(ranked[:half]), np.sort(ranked[half:])
    return cuts, medians


@njit(cache=True, nogil=True)
def route(values: Floats, thresholds: Floats) -> Ids:
    """(m,) leaves that queries come to by their values (m, D): at most the median goes left."""
    leaves = np.zeros(len(values), np.int64)
    for i in range(len(values)):
        for level in range(values.shape[1]):
            median = thresholds[(1 << level) - 1 + leaves[i]]
            leaves[i] = 2 * leaves[i] + (values[i, level] > median)
    return leaves


def principal_directions(
    rows: Matrix, count: int, rng: np.random.Generator, progress: Progress
) -> Floats:
    """Up to `count` unit eigenvectors (c, d) of the centred covariance of rows (n, d).

    By falling variance; those without variance are left out, but for the first. The entry of
    largest magnitude is positive, the first of them on ties.
    """
    sample = sample_rows(stream(rng, "covariance"), len(rows), MOST_ROWS)
    covariance = _covariance(rows, sample, progress)
    variances, vectors = largest_eigenvectors(
        lambda x: project(covariance, x), len(covariance), max(1, min(count, len(covariance)))
    )
    varying = np.count_nonzero(variances > NEGLIGIBLE * variances[0])
    directions = settled(vectors[: max(1, varying)])
    largest = np.abs(directions).argmax(axis=1)
    return directions * np.sign(directions[np.arange(len(directions)), largest])[:, None]


def _covariance(rows: Matrix, chosen: Ids, progress: Progress) -> Floats:
    """(d, d) covariance of rows[chosen]."""
    centre = _mean(rows, chosen)

    def work(start: int, stop: int) -> Floats:
        progress(start / len(chosen), "covariance")
        return _scatter(rows, chosen[start:stop], centre)

    parts = map_blocks(work, len(chosen), -(-len(chosen) // SLICES))
    lower = sum(parts, np.zeros_like(parts[0])) / len(chosen)
    return lower + np.tril(lower, -1).T


@njit(cache=True, nogil=True)
def _mean(rows: Matrix, chosen: Ids) -> Floats:
    total = np.zeros(rows.shape[1], np.float64)
    for i in chosen:
        for j in range(len(total)):
            total[j] += rows[i, j]
    return total / len(chosen)


@njit(cache=True, nogil=True)
def _scatter(rows: Matrix, chosen: Ids, centre: Floats) -> Floats:
    """Lower triangle (d, d) of the sum of outer products of rows[chosen] less the centre (d,)."""
    d = len(centre)
    scatter = np.zeros((d, d), np.float64)
    for i in chosen:
        deviation = rows[i] - centre
        for j in range(d):
            for k in range(j + 1):
                scatter[j, k] += deviation[j] * deviation[k]
    return scatter
