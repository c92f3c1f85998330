"""Sums of the rows of clusters in int64 fixed point: additions have no order, so any split of the
work, and any sequence of moves, gives the same bits."""

from threading import Lock

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Mask, Matrix

FIXED_POINT = 2.0**32  # entries are below 2 in size, so 2^29 rows fit an int64 sum
ROUNDS = 1.5 * 2.0**52  # added to a smaller one it rounds as rint does, in lanes on any processor
ROUNDS_BITS = int(np.float64(ROUNDS).view(np.int64))
VANISHED = 1e-12  # a sum shorter than this has no direction


class ClusterSums:
    """Fixed-point sums and counts of k clusters of rows (d,), changed by the rows that move."""

    def __init__(self, k: int, d: int) -> None:
        self.totals = np.zeros((k, d), np.int64)
        self.counts = np.zeros(k, np.int64)
        self._adding = Lock()  # threads hand in their blocks of rows

    def move(self, rows: Matrix, old: Ids, new: Ids) -> int:
        """Rows (b, d) go from cluster old (b,) to new (b,); -1 in old: from nowhere. How many do.

        Several threads may call it at once.
        """
        with self._adding:
            return int(_move(rows, old, new, self.totals, self.counts))

    def objective(self, centroids: Matrix) -> float:
        """Sum over rows of row . its centroid, for centroids (k, d)."""
        return float(_objective(self.totals, centroids) / FIXED_POINT)

    def directions(self, previous: Matrix) -> Matrix:
        """Unit sums (k, d); a cluster that is empty or has no direction keeps its previous."""
        return _directions(self.totals, self.counts, previous)

    def keep(self, live: Mask) -> None:
        """Forget the clusters that are not live (k,)."""
        self.totals, self.counts = self.totals[live], self.counts[live]


@njit(cache=True, nogil=True)
def _move(rows: Matrix, old: Ids, new: Ids, totals: Ids, counts: Ids) -> int:
    moved = 0
    shifted = np.empty(rows.shape[1], np.float64)
    bits = shifted.view(np.int64)
    for i in range(len(rows)):
        before, after = old[i], new[i]
        if before != after:
            for j in range(len(shifted)):
                shifted[j] = np.float64(rows[i, j]) * FIXED_POINT + ROUNDS
            moved += 1
            counts[after] += 1
            for j in range(len(bits)):
                totals[after, j] += bits[j] - ROUNDS_BITS
            if before >= 0:
                counts[before] -= 1
                for j in range(len(bits)):
                    totals[before, j] -= bits[j] - ROUNDS_BITS
    return moved


@njit(cache=True, nogil=True)
def _objective(totals: Ids, centroids: Matrix) -> float:
    objective = 0.0
    for c in range(len(totals)):
        for j in range(totals.shape[1]):
            objective += np.float64(totals[c, j]) * np.float64(centroids[c, j])
    return objective


@njit(cache=True, nogil=True)
def _directions(totals: Ids, counts: Ids, previous: Matrix) -> Matrix:
    """Unit sums (k, d) float32; a cluster that is empty or whose sum vanished keeps its own."""
    k, d = totals.shape
    centroids = previous.copy()
    for c in range(k):
        square = 0.0
        for j in range(d):
            square += (np.float64(totals[c, j]) / FIXED_POINT) ** 2
        length = np.sqrt(square)
        if counts[c] > 0 and length >= VANISHED:
            for j in range(d):
                centroids[c, j] = np.float64(totals[c, j]) / FIXED_POINT / length
    return centroids
