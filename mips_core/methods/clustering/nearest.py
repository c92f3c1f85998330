"""The centroid of largest inner product of each row: float32 shortlists, float64 decides.

A tile of rows is multiplied with all centroids, and looked through while its scores are in cache.
"""

from collections.abc import Callable

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import COMPARE, FLOAT32_ROUNDING, SMALLEST_SLACK, dot
from mips_core.base.threads import map_blocks
from mips_core.methods.reductions import LiftedRows

TILE_SCORES = 2**18  # float32 scores of a tile: 1 MB, half of a usual second-level cache
TILE_ROWS = 512
BLOCK = 2048  # rows a thread takes at once

Take = Callable[[int, Matrix, Ids], None]  # the number of its first row, rows, labels


def assign(X: Matrix | LiftedRows, centroids: Matrix, norms: Matrix | Floats) -> Ids:
    """(n,) the centroid of largest inner product for each row of X; the lower number on ties.

    X (n, d), centroids (k, d) unit rows, norms (n,) of the rows of X.
    """
    labels = np.empty(len(X), np.int64)

    def keep(start: int, rows: Matrix, nearest: Ids) -> None:
        labels[start : start + len(rows)] = nearest

    assign_tiles(X, centroids, norms, keep)
    return labels


def assign_tiles(
    X: Matrix | LiftedRows,
    centroids: Matrix,
    norms: Matrix | Floats,
    take: Take,
) -> None:
    """As `assign`, but hands over each tile at once.

    `take` is called by several threads, in any order.
    """
    k = len(centroids)
    most = int(np.clip(TILE_SCORES // k, 64, TILE_ROWS))
    near = near_ties(norms, X.shape[1])

    def work(start: int, stop: int) -> None:
        scores = np.zeros(k * most, np.float32)  # some BLAS kernels read what they overwrite
        for first in range(start, stop, most):
            rows = X[first : min(first + most, stop)]
            tile = scores[: k * len(rows)].reshape(k, len(rows))
            np.dot(centroids, rows.T, out=tile)
            nearest = np.empty(len(rows), np.int64)
            _nearest(tile, rows, centroids, near[first : first + len(rows)], nearest)
            take(first, rows, nearest)

    # Of many centroids fewer tiles a block, the same ones: cancel is heard between blocks.
    map_blocks(work, len(X), BLOCK if most > 64 else max(BLOCK * 4096 // k // most, 1) * most)


def near_ties(norms: Matrix | Floats, d: int) -> Matrix:
    """(n,) how far below the best float32 score of a row another may be and yet be as good.

    For rows of lengths `norms` and unit vectors, |float32 score - true score| <= (d + 1) u |x|
    (Higham, Accuracy and Stability, section 3.1); doubled, as both scores may be off. Scores near
    the smallest float32 are all taken for ties.
    """
    return (2.02 * (d + 2) * FLOAT32_ROUNDING * norms + SMALLEST_SLACK).astype(np.float32)


@njit(cache=True, nogil=True)
def _nearest(scores: Matrix, rows: Matrix, centroids: Matrix, near: Matrix, nearest: Ids) -> None:
    """scores (k, b) float32 -> nearest (b,); clusters within near (b,) of the best in float64."""
    k, b = scores.shape
    best = np.full(b, -np.inf, np.float32)
    second = np.full(b, -np.inf, np.float32)
    label = np.zeros(b, np.int32)
    two_best(scores, best, second, label)
    for i in range(b):
        nearest[i] = label[i]
        least = best[i] - near[i]
        if second[i] >= least:
            exact = -np.inf
            for c in range(k):
                if scores[c, i] >= least:
                    score = dot(rows[i], centroids[c])
                    if score > exact:
                        nearest[i], exact = c, score


@njit(cache=True, nogil=True, fastmath=COMPARE)
def two_best(scores: Matrix, best: Matrix, second: Matrix, label: Ranks) -> None:
    """Largest and second largest of each column of scores (k, b), and the row of the largest.

    All columns at once, two rows at a time: so the compiler compares as many as fit its registers.
    What is passed in knows of nothing: -inf, and label 0.
    """
    odd = len(scores) % 2
    if odd:
        best[:] = scores[0]
    for c in range(odd, len(scores) - 1, 2):
        row, following = scores[c], scores[c + 1]
        for i in range(len(row)):
            high, low = max(row[i], following[i]), min(row[i], following[i])
            nearer = c if row[i] >= following[i] else c + 1
            second[i] = max(max(second[i], min(best[i], high)), low)
            label[i] = nearer if high > best[i] else label[i]
            best[i] = max(best[i], high)
