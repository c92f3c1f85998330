"""Numba kernels shared by two modules or more: arrays in, arrays out, no randomness, no objects.

The caller checks shapes and dtypes. Sums of floats run over the dimensions in order, in float64,
so every processor forms the same bits. `COMPARE` allows the compiler what comparisons need to run
wide (no NaN, no signed zero); it never reorders a sum.
"""

import numpy as np
from numba import njit

from mips_core.arrays import Floats, Ids, Matrix

COMPARE = {"nnan", "nsz"}


@njit(cache=True, nogil=True)
def dot(x: Matrix, y: Matrix) -> float:
    """The canonical inner product of x (d,) and y (d,): float64, dimensions summed in order."""
    total = 0.0
    for j in range(len(x)):
        total += np.float64(x[j]) * np.float64(y[j])
    return total


@njit(cache=True, nogil=True)
def row_norms(X: Matrix) -> Floats:
    """X (n, d) -> (n,) Euclidean lengths, float64."""
    norms = np.empty(len(X), np.float64)
    for i in range(len(X)):
        norms[i] = np.sqrt(dot(X[i], X[i]))
    return norms


@njit(cache=True, nogil=True)
def order_of(scores: Floats, ids: Ids) -> Ids:
    """Positions of scores (c,) by score descending, then id ascending: the one strict order."""
    by_id = np.argsort(ids, kind="mergesort")
    return by_id[np.argsort(-scores[by_id], kind="mergesort")]


@njit(cache=True, nogil=True)
def score_rows(X: Matrix, q: Matrix, ids: Ids) -> Floats:
    """Canonical scores (c,) of the items ids (c,) of X (n, d) for the query q (d,)."""
    scores = np.empty(len(ids), np.float64)
    fours = len(ids) - len(ids) % 4
    for at in range(0, fours, 4):  # four sums at once: one alone waits for its last addition
        first, second, third, fourth = X[ids[at]], X[ids[at + 1]], X[ids[at + 2]], X[ids[at + 3]]
        a = b = c = e = 0.0
        for j in range(len(q)):
            weight = np.float64(q[j])
            a += np.float64(first[j]) * weight
            b += np.float64(second[j]) * weight
            c += np.float64(third[j]) * weight
            e += np.float64(fourth[j]) * weight
        scores[at], scores[at + 1], scores[at + 2], scores[at + 3] = a, b, c, e
    for at in range(fours, len(ids)):
        scores[at] = dot(X[ids[at]], q)
    return scores


@njit(cache=True, nogil=True)
def concat_lists(chosen: Ids, starts: Ids, members: Ids) -> tuple[Ids, Ids]:
    """Join, row by row, the chosen lists of a CSR collection; -1 in `chosen` means none.

    chosen (m, p), starts (L+1,), members (n,) -> row_starts (m+1,), ids (total,)
    """
    m, p = chosen.shape
    row_starts = np.zeros(m + 1, np.int64)
    for i in range(m):
        size = 0
        for j in range(p):
            if chosen[i, j] >= 0:
                size += starts[chosen[i, j] + 1] - starts[chosen[i, j]]
        row_starts[i + 1] = row_starts[i] + size
    ids = np.empty(row_starts[m], np.int64)
    for i in range(m):
        at = row_starts[i]
        for j in range(p):
            if chosen[i, j] >= 0:
                for s in range(starts[chosen[i, j]], starts[chosen[i, j] + 1]):
                    ids[at] = members[s]
                    at += 1
    return row_starts, ids


@njit(cache=True, nogil=True)
def distinct_ids(starts: Ids, ids: Ids, n: int) -> tuple[Ids, Ids]:
    """CSR rows of ids below n, with only the first of equal ids of a row kept."""
    m = len(starts) - 1
    seen_by = np.full(n, -1, np.int64)  # the last row that had this id
    kept_starts = np.zeros(m + 1, np.int64)
    kept = np.empty(len(ids), np.int64)
    size = 0
    for i in range(m):
        for at in range(starts[i], starts[i + 1]):
            if seen_by[ids[at]] != i:
                seen_by[ids[at]] = i
                kept[size] = ids[at]
                size += 1
        kept_starts[i + 1] = size
    return kept_starts, kept[:size].copy()


@njit(cache=True, nogil=True)
def mark_candidates(wanted: Ids, row_starts: Ids, ids: Ids, n: int) -> np.ndarray:
    """Which wanted items are among the candidates of their row.

    wanted (m, w) ids, -1 for none; row_starts (m+1,), ids (total,), n items -> (m, w) bool
    """
    m, w = wanted.shape
    seen_by = np.full(n, -1, np.int64)  # the last query that had this item as a candidate
    found = np.zeros((m, w), np.bool_)
    for i in range(m):
        for s in range(row_starts[i], row_starts[i + 1]):
            seen_by[ids[s]] = i
        for j in range(w):
            found[i, j] = wanted[i, j] >= 0 and seen_by[wanted[i, j]] == i
    return found
