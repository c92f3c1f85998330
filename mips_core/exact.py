"""Exact top-K, the ground truth: BLAS preselects in float32, float64 decides.

Scores of identical rows differ between BLAS tiles, so BLAS may only shortlist. Every item whose
float32 score comes within the error bound of the K-th best is scored again in float64, dimensions
summed in order, and ranked by (score descending, id ascending).
"""

import operator

import numpy as np
from numba import njit

from mips_core.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.errors import DataError, ParamError
from mips_core.kernels import COMPARE, order_of, row_norms, score_rows
from mips_core.progress import Progress, silent
from mips_core.threads import map_blocks

QUERY_BLOCK = 256
ITEM_BLOCK = 1024  # a tile of 256 x 1024 float32 scores is 1 MB: it stays in cache
GROUP = 16  # scores whose maximum is compared before any of them is looked at
SPARE = 160  # room of a shortlist beyond 2 K
FLOAT32_ROUNDING = 2.0**-24
SMALLEST_SLACK = 1e-34


def exact_top_k(X: Matrix, Q: Matrix, k: int, exclude: Ids | None = None) -> Ids:
    """(m, K) items of largest inner product, best first; ties go to the lower number.

    X (n, d), Q (m, d) float32. K is k, or the number of items left when k is larger. `exclude`
    (m,) names one item a query must not get, -1 for none. Raises ParamError when k < 1, DataError
    when the dimensions differ.
    """
    X, Q = as_matrix(X, "X"), as_matrix(Q, "Q")
    if len(X) == 0:
        raise DataError("X holds no items.", "Give one or more.")
    banned = None if exclude is None else np.asarray(exclude, np.int64)
    return exact_top_k_scores(X, Q, operator.index(k), banned)[0]


def exact_top_k_scores(
    X: Matrix, Q: Matrix, k: int, exclude: Ids | None = None, progress: Progress = silent
) -> tuple[Ids, Floats]:
    """ids (m, K) as `exact_top_k` returns them, and their float64 scores (m, K).

    X and Q must be checked already: float32, C order, finite, n >= 1. K is 0 where the only item
    is excluded.
    """
    if k < 1:
        raise ParamError(f"k is {k}.", "Ask for one answer or more.")
    if X.shape[1] != Q.shape[1]:
        raise DataError(f"The queries have {Q.shape[1]} dimensions, the items {X.shape[1]}.")
    n = len(X)
    K = min(k, n)
    if exclude is None:
        return _top_k(X, Q, K, progress)
    ids, scores = _top_k(X, Q, min(k + 1, n), progress)
    return _without(ids, scores, exclude, min(k, n - 1))


def _without(ids: Ids, scores: Floats, exclude: Ids, K: int) -> tuple[Ids, Floats]:
    """Drop each row's excluded id, or its last entry, and keep K."""
    keep = ids != exclude[:, None]
    keep[keep.all(axis=1), -1] = False
    shape = (len(ids), ids.shape[1] - 1)
    return ids[keep].reshape(shape)[:, :K], scores[keep].reshape(shape)[:, :K]


def _top_k(X: Matrix, Q: Matrix, K: int, progress: Progress) -> tuple[Ids, Floats]:
    ids = np.empty((len(Q), K), np.int64)
    scores = np.empty((len(Q), K), np.float64)
    longest = float(row_norms(X).max())
    # |float32 score - true score| <= (d + 1) u |q| |x| for unit q that were rounded once (Higham,
    # Accuracy and Stability, section 3.1); doubled, as the K-th best and the item may both be off.
    slack = 2.02 * (X.shape[1] + 2) * FLOAT32_ROUNDING * longest
    lengths = np.maximum(row_norms(Q), np.finfo(np.float64).tiny)[:, None]
    done = np.zeros(len(Q), np.bool_)

    def work(start: int, stop: int) -> None:
        rows = slice(start, stop)
        unit = (Q[rows] / lengths[rows]).astype(np.float32)
        listed, count = _shortlists(X, unit, K, slack)
        _decide(X, Q[rows], K, listed, count, ids[rows], scores[rows])
        done[rows] = True
        progress(done.mean(), "Exact search")

    map_blocks(work, len(Q), QUERY_BLOCK)
    return ids, scores


def _shortlists(X: Matrix, unit: Matrix, K: int, slack: float) -> tuple[Ids, Ids]:
    """Items (b, room) that may be among the K best for unit queries (b, d), and how many (b,).

    -1 where the list does not hold all that may matter: then all items must be scored.
    """
    b, n = len(unit), len(X)
    room = 2 * K + SPARE
    listed_scores = np.empty((b, room), np.float32)
    listed = np.empty((b, room), np.int64)
    count = np.zeros(b, np.int64)
    if slack < SMALLEST_SLACK:  # scores near the smallest float32 are not worth a product
        return listed, count - 1
    least = np.full(b, -np.inf, np.float32)
    tile = np.empty(b * min(ITEM_BLOCK, n), np.float32)
    for first in range(0, n, ITEM_BLOCK):
        items = X[first : first + ITEM_BLOCK]
        block = tile[: b * len(items)].reshape(b, len(items))
        np.dot(unit, items.T, out=block)
        _shortlist(block, first, K, slack, listed_scores, listed, count, least)
    return listed, count


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _shortlist(
    block: Matrix,
    first: int,
    K: int,
    slack: float,
    listed_scores: Matrix,
    listed: Ids,
    count: Ids,
    least: Matrix,
) -> None:
    """Add the items of a tile (b, w) that may be among the K best of their query."""
    b, w = block.shape
    room = listed.shape[1]
    for i in range(b):
        if count[i] < 0:
            continue
        for start in range(0, w, GROUP):
            stop = min(start + GROUP, w)
            highest = block[i, start]
            for j in range(start, stop):
                highest = max(highest, block[i, j])
            if highest < least[i]:
                continue
            if count[i] + GROUP > room:
                count[i] = _tighten(listed_scores[i], listed[i], count[i], K, slack, least, i)
                if count[i] + GROUP > room:  # more near-ties than the shortlist holds
                    count[i] = -1
                    break
            for j in range(start, stop):
                if block[i, j] >= least[i]:
                    listed_scores[i, count[i]] = block[i, j]
                    listed[i, count[i]] = first + j
                    count[i] += 1


@njit(cache=True, nogil=True)
def _tighten(
    scores: Matrix, ids: Ids, size: int, K: int, slack: float, least: Matrix, i: int
) -> int:
    """Raise least[i] to the K-th best of scores[:size] less the slack; drop what falls below."""
    least[i] = np.partition(scores[:size], size - K)[size - K] - slack
    kept = 0
    for at in range(size):
        if scores[at] >= least[i]:
            scores[kept] = scores[at]
            ids[kept] = ids[at]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def _decide(
    X: Matrix, Q: Matrix, K: int, listed: Ids, count: Ids, ids: Ids, scores: Floats
) -> None:
    """Score the shortlists in float64 and keep the K best; where none could be kept, score all."""
    for i in range(len(Q)):
        if count[i] >= K:
            near = listed[i, : count[i]].copy()
            near_scores = score_rows(X, Q[i], near)
        else:
            every = score_rows(X, Q[i], np.arange(len(X)))
            last = np.partition(every, len(X) - K)[len(X) - K]
            near = np.flatnonzero(every >= last)
            near_scores = every[near]
        best = order_of(near_scores, near)[:K]
        for j in range(K):
            ids[i, j] = near[best[j]]
            scores[i, j] = near_scores[best[j]]
