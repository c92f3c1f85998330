"""Which clusters a query opens first: all of them in strict order, the same on every processor."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.arrays import Floats, Matrix, Ranks
from mips_core.clustering import NEAR_TIE
from mips_core.kernels import dot, row_norms

_ID_BITS = np.int64(32)
_ID_MASK = np.int64(0xFFFFFFFF)


def cluster_order(Q: Matrix, centroids: Matrix) -> Ranks:
    """(m, k) cluster numbers of each query by inner product descending, lower number on ties.

    Q (m, d), centroids (k, d) unit rows, float32. Float32 products sort; runs closer than
    rounding are settled in float64. The length of a query does not matter.
    """
    lengths = row_norms(Q)
    unit = (Q / np.maximum(lengths, np.finfo(np.float64).tiny)[:, None]).astype(np.float32)
    scores = unit @ centroids.T
    keys = _sortable(scores)
    keys.sort(axis=1)
    order = np.empty(keys.shape, np.int32)
    _settle(keys, scores, Q, centroids, order)
    return order


@njit(cache=True, nogil=True)
def _sortable(scores: Matrix) -> NDArray[np.int64]:
    """int64 keys whose ascending order is (score descending, column ascending)."""
    bits = scores.view(np.int32)
    keys = np.empty(scores.shape, np.int64)
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            b = np.int64(bits[i, j])
            rank = b if b >= 0 else -(b & np.int64(0x7FFFFFFF))
            keys[i, j] = ((-rank) << _ID_BITS) | np.int64(j)
    return keys


@njit(cache=True, nogil=True)
def _settle(
    keys: NDArray[np.int64], scores: Matrix, Q: Matrix, centroids: Matrix, order: Ranks
) -> None:
    """Write the order, sorting runs of near-equal neighbours by their float64 scores."""
    m, k = keys.shape
    exact = np.empty(k, np.float64)
    for i in range(m):
        start = 0  # of the run that ends at the cluster before `at`
        last = np.float32(np.inf)
        for at in range(k):
            cluster = keys[i, at] & _ID_MASK
            order[i, at] = cluster
            score = scores[i, cluster]
            if last - score > NEAR_TIE:
                if at - start > 1:
                    _sort_run(Q[i], centroids, order[i], exact, start, at)
                start = at
            last = score
        if k - start > 1:
            _sort_run(Q[i], centroids, order[i], exact, start, k)


@njit(cache=True, nogil=True)
def _sort_run(
    q: Matrix, centroids: Matrix, order: Ranks, exact: Floats, start: int, stop: int
) -> None:
    """Sort order[start:stop] in place by (float64 score descending, number ascending)."""
    run = np.sort(order[start:stop].copy())
    for at in range(len(run)):
        exact[at] = -dot(q, centroids[run[at]])
    by_score = np.argsort(exact[: len(run)], kind="mergesort")
    for at in range(len(run)):
        order[start + at] = run[by_score[at]]
