"""The first few clusters of each query, without ordering the rest."""

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import FLOAT32_ROUNDING, dot, kth_bound, order_of, product
from mips_core.methods.cluster_order.order import cluster_order, unit_rows

MOST_PICKED = 128  # clusters beyond which, for many queries, a sort of all is quicker
FEW = 4  # queries for which a matrix product takes longer to call than to do


def first_clusters(Q: Matrix, centroids: Matrix, p: int) -> Ids:
    """(m, min(p, k)) the first columns of `cluster_order`, quicker where p is far below k.

    Q (m, d) and centroids (k, d') unit rows, float32, d <= d': the zeros that a lift adds to
    queries may be left out, as they change no sum.
    """
    (m, d), (k, width) = Q.shape, centroids.shape
    if m > FEW and p > min(MOST_PICKED, k // 4):
        lifted = np.zeros((m, width), np.float32)
        lifted[:, :d] = Q
        return cluster_order(lifted, centroids)[:, :p].astype(np.int64)
    first = np.empty((m, min(p, k)), np.int64)
    if m <= FEW:
        _first_of_few(Q, centroids, first)
    else:
        _first_of_each(unit_rows(Q) @ centroids[:, :d].T, Q, centroids, first)
    return first


@njit(cache=True, nogil=True)
def _first_of_few(Q: Matrix, centroids: Matrix, first: Ids) -> None:
    unit = unit_rows(Q)
    scores = np.empty((len(Q), len(centroids)), np.float32)
    for i in range(len(Q)):
        for c in range(len(centroids)):
            scores[i, c] = product(centroids[c], unit[i])
    _first_of_each(scores, Q, centroids, first)


@njit(cache=True, nogil=True)
def _first_of_each(scores: Matrix, Q: Matrix, centroids: Matrix, first: Ids) -> None:
    """Write the first clusters (m, p); scores (m, k) are those of unit queries, nearly."""
    every = np.arange(len(centroids))
    for i in range(len(Q)):
        first[i] = first_among(every, scores[i], Q[i], centroids, first.shape[1])


@njit(cache=True, nogil=True)
def first_children(
    Q: Matrix, centroids: Matrix, parents: Ids, starts: Ids, members: Ids, p: int
) -> tuple[Ids, Ids]:
    """(m, min(p, k)) the first clusters among the children of each query's parents; -1 for none.

    Q and centroids as in `first_clusters`. parents (m, p'), -1 for none: the children of parent c
    are members[starts[c]:starts[c+1]]. Also (m,) how many children there were: all are scored.
    """
    m, k = len(Q), len(centroids)
    unit = unit_rows(Q)
    first, scored = np.full((m, min(p, k)), -1, np.int64), np.zeros(m, np.int64)
    children, scores = np.empty(k, np.int64), np.empty(k, np.float32)
    for i in range(m):
        count = 0
        for parent in parents[i]:
            if parent >= 0:
                for child in members[starts[parent] : starts[parent + 1]]:
                    children[count] = child
                    scores[count] = product(centroids[child], unit[i])
                    count += 1
        scored[i] = count
        kept = min(count, p)
        first[i, :kept] = first_among(children[:count], scores[:count], Q[i], centroids, kept)
    return first, scored


@njit(cache=True, nogil=True)
def unit_slack(d: int) -> np.float32:
    """How far apart two float32 products of unit vectors are in their true order for certain.

    |float32 score - true score| <= (d + 2) u, u = 2^-24, for a query that was rounded once (Higham,
    Accuracy and Stability of Numerical Algorithms, section 3.1).
    """
    return np.float32(2.1 * (d + 2) * FLOAT32_ROUNDING)


@njit(cache=True, nogil=True)
def first_among(clusters: Ids, scores: Matrix, q: Matrix, centroids: Matrix, p: int) -> Ids:
    """(p,) the first of `clusters` (c,), p <= c, whose scores (c,) are of q (d,), nearly.

    Those that cannot be told apart so are put into the strict order by their canonical scores.
    """
    slack = unit_slack(len(q))
    near = _reaching(scores, _bound(scores, p) - slack)
    found, found_scores = clusters[near], scores[near]
    order = order_of(found_scores.astype(np.float64), found)
    found, found_scores = found[order], found_scores[order]
    start = 0
    for at in range(1, len(found) + 1):
        if start >= p:
            break
        if at == len(found) or found_scores[at - 1] - found_scores[at] > slack:
            if at - start > 1:
                run = found[start:at]
                exact = np.array([dot(q, centroids[cluster]) for cluster in run])
                found[start:at] = run[order_of(exact, run)]
            start = at
    return found[:p]


@njit(cache=True, nogil=True)
def _bound(scores: Matrix, p: int) -> np.float32:
    """What p of scores (c,), of unit vectors, reach, and hardly more; all of them where p is c."""
    lowest = np.float32(-1.01)
    return kth_bound(scores, p, lowest, -lowest) if p < len(scores) else lowest


@njit(cache=True, nogil=True)
def _reaching(scores: Matrix, least: np.float32) -> Ids:
    """Positions of scores (c,) that are `least` or more."""
    near = np.empty(len(scores), np.int64)
    size = 0
    for c in range(len(scores)):
        near[size] = c  # written always, kept by counting: no branch
        size += scores[c] >= least
    return near[:size]
