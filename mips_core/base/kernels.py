"""Numba kernels shared by two modules or more: arrays in, arrays out, no randomness, no objects.

The caller checks shapes and dtypes. Sums of floats run over the dimensions in order, in float64,
so every processor forms the same bits. `COMPARE` allows the compiler what comparisons need to run
wide (no NaN, no signed zero); it never reorders a sum.
"""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.sorting import merged_order

COMPARE = {"nnan", "nsz"}
FLOAT32_ROUNDING = 2.0**-24  # relative, of one rounding
SMALLEST_NORMAL = 2.0**-126  # of float32: no more is lost where a product underflows
SMALLEST_SLACK = 1e-34  # scores closer to the smallest float32 are not worth a product
CLOSE = 16  # what K + K / 16 values reach is close enough to the K-th largest
COUNTED = 256  # up to so many, counting what is larger than each is quicker than sorting


@njit(cache=True, nogil=True)
def dot(x: Matrix, y: Matrix) -> float:
    """The canonical inner product of x (d,) and y (d,): float64, dimensions summed in order."""
    total = 0.0
    for j in range(len(x)):
        total += np.float64(x[j]) * np.float64(y[j])
    return total


@njit(cache=True, nogil=True)
def _eight_sums(products: Floats, sums: Floats) -> None:
    """sums (8,) of the rows of products (8, d), each in order; one alone waits for its additions.

    Products of float32 numbers are exact in float64, so these are the bits of `dot`.
    """
    a = b = c = e = f = g = h = i = 0.0
    for j in range(products.shape[1]):
        a += products[0, j]
        b += products[1, j]
        c += products[2, j]
        e += products[3, j]
        f += products[4, j]
        g += products[5, j]
        h += products[6, j]
        i += products[7, j]
    sums[0], sums[1], sums[2], sums[3] = a, b, c, e
    sums[4], sums[5], sums[6], sums[7] = f, g, h, i


@njit(cache=True, nogil=True)
def row_norms(X: Matrix) -> Floats:
    """X (n, d) -> (n,) Euclidean lengths, float64."""
    n, d = X.shape
    squares = np.empty(n, np.float64)
    products = np.empty((8, d), np.float64)
    eights = n - n % 8
    for at in range(0, eights, 8):
        for r in range(8):
            x, row = X[at + r], products[r]
            for j in range(d):
                row[j] = np.float64(x[j]) * np.float64(x[j])
        _eight_sums(products, squares[at : at + 8])
    for at in range(eights, n):
        squares[at] = dot(X[at], X[at])
    return np.sqrt(squares)


@njit(cache=True, nogil=True)
def order_of(scores: Floats, ids: Ids) -> Ids:
    """Positions of scores (c,) by score descending, then id ascending: the one strict order."""
    if len(ids) > COUNTED:
        return merged_order(scores, ids)
    order = np.full(len(ids), -1, np.int64)
    for i in range(len(ids)):
        score, at, placed = scores[i], 0, i
        for other in range(len(scores)):
            at += scores[other] > score
        while order[at] >= 0:  # taken by a tie: the lower id stays
            other = order[at]
            if ids[placed] < ids[other] or (ids[placed] == ids[other] and placed < other):
                placed, order[at] = other, placed
            at += 1
        order[at] = placed
    return order


@njit(cache=True, nogil=True)
def score_rows(X: Matrix, q: Matrix, ids: Ids) -> Floats:
    """Canonical scores (c,) of the items ids (c,) of X (n, d) for the query q (d,)."""
    scores = np.empty(len(ids), np.float64)
    eights = len(ids) - len(ids) % 8
    if eights > 0:
        weights = q.astype(np.float64)
        products = np.empty((8, len(q)), np.float64)
        for at in range(0, eights, 8):
            for r in range(8):
                x, row = X[ids[at + r]], products[r]
                for j in range(len(q)):
                    row[j] = np.float64(x[j]) * weights[j]
            _eight_sums(products, scores[at : at + 8])
    for at in range(eights, len(ids)):
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
def queries_of_lists(opened: Ids, n_lists: int) -> tuple[Ids, Ids]:
    """The rows of opened (m, p) that name each list, as starts (l+1,) and rows; -1 names none."""
    starts = np.zeros(n_lists + 1, np.int64)
    for which in opened.flat:
        if which >= 0:
            starts[which + 1] += 1
    for at in range(n_lists):
        starts[at + 1] += starts[at]
    free = starts[:-1].copy()
    asking = np.empty(starts[-1], np.int64)
    for i in range(opened.shape[0]):
        for j in range(opened.shape[1]):
            which = opened[i, j]
            if which >= 0:
                asking[free[which]] = i
                free[which] += 1
    return starts, asking


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


@njit(cache=True, nogil=True, fastmath=COMPARE | {"reassoc", "contract"})
def product(x: Matrix, y: Matrix) -> np.float32:
    """x.y in float32, over the dimensions of y in any order: near enough to shortlist, no more."""
    total = np.float32(0.0)
    for j in range(len(y)):
        total += x[j] * y[j]
    return total


@njit(cache=True, nogil=True, fastmath=COMPARE)
def kth_bound(values: Matrix, K: int, low: np.float32, high: np.float32) -> np.float32:
    """`low`, or a larger number that K or hardly more of `values` reach: by halving up to `high`.

    To count is quicker than to move values about, as a sort or a quickselect does.
    """
    while True:
        middle = np.float32(0.5) * low + np.float32(0.5) * high
        if not low < middle < high:
            return low
        reached = np.uint32(0)
        for at in range(len(values)):
            reached = np.uint32(reached + np.uint32(values[at] >= middle))
        if reached < K:
            high = middle
        else:
            low = middle
            if reached <= K + K // CLOSE:
                return low
