"""Sorting and selecting inside kernels. Numba takes seconds to compile numpy's ways, not these."""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids


@njit(cache=True, nogil=True)
def kth_largest(values: Floats, k: int) -> float:
    """The k-th largest of values (c,), 1 <= k <= c, which are left in another order.

    Quickselect (Hoare, "Algorithm 65: FIND", 1961) around a median of three. No value may be NaN.
    """
    low, high, place = 0, len(values) - 1, k - 1
    while low < high:
        a, b, c = values[low], values[(low + high) // 2], values[high]
        pivot = max(min(a, b), min(max(a, b), c))
        left, right = low, high
        while left <= right:
            while values[left] > pivot:
                left += 1
            while values[right] < pivot:
                right -= 1
            if left <= right:
                values[left], values[right] = values[right], values[left]
                left += 1
                right -= 1
        if place <= right:
            high = right
        elif place >= left:
            low = left
        else:
            break
    return values[place]


@njit(cache=True, nogil=True)
def merged_order(scores: Floats, ids: Ids) -> Ids:
    """Positions of scores (c,) by score descending, then id ascending: runs of 1, 2, 4, ... merged.

    No score may be NaN.
    """
    order, merged = np.arange(len(scores)), np.empty(len(scores), np.int64)
    width = 1
    while width < len(order):
        for start in range(0, len(order), 2 * width):
            left, right = start, start + width
            stop = min(right + width, len(order))
            for at in range(start, stop):
                if right < stop and (
                    left >= start + width or _first(scores, ids, order[right], order[left])
                ):
                    merged[at] = order[right]
                    right += 1
                else:
                    merged[at] = order[left]
                    left += 1
        order, merged = merged, order
        width *= 2
    return order


@njit(cache=True, nogil=True)
def _first(scores: Floats, ids: Ids, i: int, j: int) -> bool:
    """Whether position i comes before position j."""
    return scores[i] > scores[j] or (scores[i] == scores[j] and ids[i] < ids[j])
