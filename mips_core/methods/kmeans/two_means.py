"""Spherical k-means with two clusters (Auvolat et al. 2015, Algorithm 1), for one node of a tree.

An item is compared with both centroids at once, in float32, where that settles the matter; float64
sums in order decide elsewhere, so that every processor parts the items alike.
"""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import FLOAT32_ROUNDING, SMALLEST_NORMAL, dot
from mips_core.methods.clustering.cluster_sums import VANISHED


@njit(cache=True, nogil=True)
def two_means(rows: Matrix, members: Ids, labels: Ids, max_rounds: int) -> tuple[Matrix, Floats]:
    """Algorithm 1 of Auvolat et al. 2015 with two clusters, from labels (s,) of 0 and 1.

    members (s,) are the rows clustered. Changes labels. Returns the centroids (2, d') and x.c0 -
    x.c1 of every member (s,); where that is 0 the first cluster has it. Stops where one cluster has
    all. All sums run in order.
    """
    sums = np.zeros((2, rows.shape[1]), np.float64)
    for at in range(len(members)):
        _add(rows[members[at]], 1.0, sums[labels[at]])
    centroids = np.zeros(sums.shape, np.float32)
    gaps = np.zeros(len(members), np.float64)
    in_second = labels.sum()
    longest = _longest(rows, members)
    for _ in range(max_rounds):
        _directions(sums, centroids)
        apart = centroids[0] - centroids[1]
        slack = _slack(apart, longest)
        moved = 0
        for at in range(len(members)):
            x = rows[members[at]]
            gap = float(_rough_dot(x, apart))
            if abs(gap) <= slack:
                gap = _gap(x, centroids)
            label = 0 if gap >= 0 else 1
            if label != labels[at]:
                _add(x, -1.0, sums[labels[at]])
                _add(x, 1.0, sums[label])
                in_second += label - labels[at]
                labels[at] = label
                moved += 1
        if moved == 0 or in_second == 0 or in_second == len(members):
            break
    for at in range(len(members)):
        gaps[at] = _gap(rows[members[at]], centroids)
    return centroids, gaps


@njit(cache=True, nogil=True)
def _gap(x: Matrix, centroids: Matrix) -> float:
    """x.c0 - x.c1, both dot products in one pass."""
    first = second = 0.0
    for j in range(len(x)):
        first += np.float64(x[j]) * np.float64(centroids[0, j])
        second += np.float64(x[j]) * np.float64(centroids[1, j])
    return first - second


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _rough_dot(x: Matrix, y: Matrix) -> np.float32:
    """x.y in float32, summed in any order: within rounding of the same on every processor."""
    total = np.float32(0)
    for j in range(len(x)):
        total += x[j] * y[j]
    return total


@njit(cache=True, nogil=True)
def _slack(apart: Matrix, longest: float) -> float:
    """By how much x.c0 - x.c1 and the rough x.apart may differ, for |x| of at most `longest`.

    (d + 2) u |x| |apart|, u = 2^-24: one rounding of apart, those of the product (Higham, Accuracy
    and Stability, section 3.1); the smallest float32 for each term that underflows.
    """
    d = len(apart)
    length = np.sqrt(dot(apart, apart))
    return 1.01 * (d + 2) * FLOAT32_ROUNDING * longest * length + d * SMALLEST_NORMAL


@njit(cache=True, nogil=True)
def _longest(rows: Matrix, members: Ids) -> float:
    """The largest length of the members, or a little more."""
    square = np.float32(0)
    for member in members:
        square = max(square, _rough_dot(rows[member], rows[member]))
    return 1.01 * np.sqrt(np.float64(square)) + SMALLEST_NORMAL**0.5 * rows.shape[1]


@njit(cache=True, nogil=True)
def _add(x: Matrix, times: float, total: Floats) -> None:
    for j in range(len(x)):
        total[j] += times * np.float64(x[j])


@njit(cache=True, nogil=True)
def _directions(sums: Floats, centroids: Matrix) -> None:
    """Write the unit sums of both clusters; one whose sum vanished keeps its own."""
    for side in range(2):
        length = np.sqrt(dot(sums[side], sums[side]))
        if length >= VANISHED:
            for j in range(sums.shape[1]):
                centroids[side, j] = sums[side, j] / length
