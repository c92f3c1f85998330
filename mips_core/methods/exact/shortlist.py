"""Kernels that keep, of float32 scores, the items that may be among the K best of a query.

A score s of an item with error e says that the true score is at least s - e. What K of these lower
bounds reach is the `least` an item must be able to reach.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import COMPARE, kth_bound

GROUP = 16  # scores whose maximum is compared before any of them is looked at
SPARE = 160  # a shortlist may hold so many more than 2 K; beyond are near-ties


class Shortlists(NamedTuple):
    """What is listed for b queries; of query i, sizes[i] items.

    lowest, listed (b, room): lower bounds of scores, and the items they belong to. sizes (b,): -1
    where near-ties did not fit. least (b,).
    """

    lowest: Matrix
    listed: Ranks
    sizes: Ids
    least: Matrix

    def emptied(self, b: int) -> "Shortlists":
        """The first b of these lists, for other queries."""
        self.sizes[:], self.least[:] = 0, -np.inf
        return Shortlists(self.lowest[:b], self.listed[:b], self.sizes[:b], self.least[:b])


def shortlists(b: int, K: int, widest: int) -> Shortlists:
    """Lists of b queries, to be emptied before they are used, for tiles up to `widest` items."""
    shape = (b, 2 * K + SPARE + widest)
    lowest, listed = np.empty(shape, np.float32), np.empty(shape, np.int32)
    return Shortlists(lowest, listed, np.empty(b, np.int64), np.empty(b, np.float32))


@njit(cache=True, nogil=True, fastmath=COMPARE)
def add_tile(
    scores: Matrix,
    asking: Ids,
    first: int,
    errors: Matrix,
    widest: np.float32,
    longest: np.float32,
    K: int,
    lists: Shortlists,
) -> None:
    """List the items first, first + 1, ... with scores (a, w) for the queries `asking` (a,).

    errors (n,) of all items, `widest` the largest of these w; no item is longer than `longest`.
    """
    a, w = scores.shape
    highest, near = np.empty(w, np.float32), np.empty(w, np.int64)
    for r in range(a):
        i = asking[r]
        size, least = lists.sizes[i], lists.least[i]
        if size < 0:
            continue
        row, values, items = scores[r], lists.lowest[i], lists.listed[i]
        per_group = group_size(w, K if size < K else 1)
        groups = -(-w // per_group)
        _group_maxima(row, groups, per_group, highest)
        if size < K <= groups:  # K items reach the K-th of the maxima
            least = kth_bound(highest[:groups], K, -longest, longest) - widest
        bar = least - widest
        found = 0
        for g in range(groups):
            near[found] = g
            found += highest[g] >= bar
        for at in range(found):
            for j in range(near[at], w, groups):  # written always, kept by counting: no branch
                score = row[j]
                values[size] = score - errors[first + j]
                items[size] = first + j
                size += score >= bar
        if size > K + K // 4 + GROUP:
            least = kth_bound(values[:size], K, max(least, -longest), longest)
            size = _drop_below(least, values, items, size, errors)
        lists.sizes[i] = size if size <= 2 * K + SPARE else -1
        lists.least[i] = least


@njit(cache=True, nogil=True)
def group_size(w: int, K: int) -> int:
    """A power of two, 2 to GROUP, that makes 2 K groups of w scores or comes nearest to it."""
    size = GROUP
    while size > 2 and w < 2 * K * size:
        size //= 2
    return size


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _group_maxima(scores: Matrix, groups: int, size: int, highest: Matrix) -> None:
    """highest[g] = the maximum of the scores g, g + groups, g + 2 groups, ...: `size` of them.

    Scores are folded in half again and again: loops over long slices run wide.
    """
    half = groups * size // 2
    upper = scores[half:]  # shorter than half where some groups lack their last score
    for g in range(len(upper)):
        highest[g] = max(scores[g], upper[g])
    for g in range(len(upper), half):
        highest[g] = scores[g]
    while half > groups:
        half //= 2
        others = highest[half : 2 * half]
        for g in range(half):
            highest[g] = max(highest[g], others[g])


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _drop_below(least: np.float32, values: Matrix, items: Ranks, size: int, errors: Matrix) -> int:
    """Drop, of the first `size` items, those that cannot reach `least`; how many are left."""
    kept = 0
    for at in range(size):
        value, item = values[at], items[at]
        values[kept], items[kept] = value, item
        kept += value + 2 * errors[item] >= least
    return kept
