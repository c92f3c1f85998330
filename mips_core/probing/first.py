"""The first few clusters of each query, without ordering the rest."""

import numpy as np
from numba import njit

from mips_core.arrays import Ids, Matrix
from mips_core.kernels import FLOAT32_ROUNDING, dot, product
from mips_core.probing.order import cluster_order, unit_rows

MOST_PICKED = 64  # clusters beyond which a sort of all is quicker
FEW = 4  # queries for which a matrix product takes longer to call than to do


def first_clusters(Q: Matrix, centroids: Matrix, p: int) -> Ids:
    """(m, min(p, k)) the first columns of `cluster_order`, quicker where p is far below k.

    Q (m, d) and centroids (k, d') unit rows, float32, d <= d': the zeros that a lift adds to
    queries may be left out, as they change no sum.
    """
    (m, d), (k, width) = Q.shape, centroids.shape
    if p > min(MOST_PICKED, k // 4):
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
    m, k = scores.shape
    slack = unit_slack(Q.shape[1])
    best, best_scores = np.empty(k, np.int64), np.empty(k, np.float32)
    for i in range(m):
        size = _best_and_near(scores[i], first.shape[1], slack, best, best_scores)
        _settle(Q[i], centroids, best[:size], best_scores, slack)
        first[i] = best[: first.shape[1]]


@njit(cache=True, nogil=True)
def first_children(
    Q: Matrix, centroids: Matrix, parents: Ids, starts: Ids, members: Ids, p: int
) -> tuple[Ids, Ids]:
    """(m, min(p, k)) the first clusters among the children of each query's parents; -1 for none.

    Q and centroids as in `first_clusters`. parents (m, p'), -1 for none: the children of parent c
    are members[starts[c]:starts[c+1]]. Also (m,) how many children there were: all are scored.
    """
    m, k = len(Q), len(centroids)
    slack, unit = unit_slack(Q.shape[1]), unit_rows(Q)
    first, scored = np.full((m, min(p, k)), -1, np.int64), np.zeros(m, np.int64)
    children, scores = np.empty(k, np.int64), np.empty(k, np.float32)
    best, best_scores = np.empty(k, np.int64), np.empty(k, np.float32)
    for i in range(m):
        count = 0
        for parent in parents[i]:
            if parent >= 0:
                for child in members[starts[parent] : starts[parent + 1]]:
                    children[count] = child
                    scores[count] = product(centroids[child], unit[i])
                    count += 1
        scored[i] = count
        size = _best_and_near(scores[:count], p, slack, best, best_scores)
        for at in range(size):
            best[at] = children[best[at]]
        _settle(Q[i], centroids, best[:size], best_scores, slack)
        kept = min(size, first.shape[1])
        first[i, :kept] = best[:kept]
    return first, scored


@njit(cache=True, nogil=True)
def unit_slack(d: int) -> np.float32:
    """How far apart two float32 products of unit vectors are in their true order for certain.

    |float32 score - true score| <= (d + 2) u, u = 2^-24, for a query that was rounded once (Higham,
    Accuracy and Stability of Numerical Algorithms, section 3.1).
    """
    return np.float32(2.1 * (d + 2) * FLOAT32_ROUNDING)


@njit(cache=True, nogil=True)
def _best_and_near(
    scores: Matrix, p: int, slack: np.float32, best: Ids, best_scores: Matrix
) -> int:
    """Clusters of the p best scores, and of those within the slack below, best first; how many."""
    size = 0
    least = np.float32(-np.inf)
    for c in range(len(scores)):
        score = scores[c]
        if score < least:
            continue
        at = size
        while at > 0 and best_scores[at - 1] < score:
            best[at], best_scores[at] = best[at - 1], best_scores[at - 1]
            at -= 1
        best[at], best_scores[at] = c, score
        size += 1
        if size >= p:
            least = best_scores[p - 1] - slack
            while best_scores[size - 1] < least:
                size -= 1
    return size


@njit(cache=True, nogil=True)
def _settle(
    q: Matrix, centroids: Matrix, best: Ids, best_scores: Matrix, slack: np.float32
) -> None:
    """Put runs of clusters whose scores nearly tie into the strict order, by float64."""
    start = 0
    for at in range(1, len(best) + 1):
        if at == len(best) or best_scores[at - 1] - best_scores[at] > slack:
            if at - start > 1:
                _sort_run(q, centroids, best[start:at])
            start = at


@njit(cache=True, nogil=True)
def _sort_run(q: Matrix, centroids: Matrix, run: Ids) -> None:
    """Sort a run of clusters in place by (float64 score descending, number ascending)."""
    exact = np.empty(len(run), np.float64)
    for start in range(len(run)):
        cluster, at = run[start], start
        score = dot(q, centroids[cluster])
        while at > 0 and (
            exact[at - 1] < score or (exact[at - 1] == score and run[at - 1] > cluster)
        ):
            run[at], exact[at] = run[at - 1], exact[at - 1]
            at -= 1
        run[at], exact[at] = cluster, score
