"""What one query and batches share: which items can still matter, and how those are decided.

All bounds are of scores over |q|: queries are scored at unit length. With u = 2^-24, a float32
product of x and a unit query that was rounded once errs by (d + 2) u |x| at most (Higham, Accuracy
and Stability, section 3.1); adding a bound to a score and comparing sums rounds a few times more.
Where a processor takes the smallest numbers for zero, entries and products lose 2^-126 each.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import FLOAT32_ROUNDING, SMALLEST_NORMAL, order_of, score_rows

SPARE = 160
TOO_MANY = -1


@njit(cache=True, nogil=True)
def room_for(K: int) -> int:
    """How many a shortlist holds, before those that others have passed are dropped from it."""
    return 2 * K + SPARE


@njit(cache=True, nogil=True)
def rounding_bound(d: int) -> tuple[float, float]:
    """(relative, absolute): a float32 score errs by relative * |x| + absolute at most."""
    return 1.05 * (d + 8) * FLOAT32_ROUNDING, 8.0 * (d + 8) * SMALLEST_NORMAL


@njit(cache=True, nogil=True)
def reach(norms: Matrix, start: int, stop: int, least: float) -> int:
    """Where norms[start:stop], falling, get too short for a score of `least`: |q.x| <= |q| |x|."""
    shortest = least - abs(least) * np.float32(1e-6)  # of both sides rounded
    while start < stop:
        middle = (start + stop) // 2
        if norms[middle] >= shortest:
            start = middle + 1
        else:
            stop = middle
    return start


@njit(cache=True, nogil=True)
def add_near(
    chunk: Matrix,
    first: int,
    slack: np.float32,
    lowest: Matrix,
    near: Ranks,
    highest: Matrix,
    size: int,
) -> int:
    """Shortlist those of the rows first, first + 1, ... that may be among the K best; the new size.

    chunk (w,) float32: their scores, within the slack. lowest (K,) a heap: so much K rows are known
    to score. near, highest: what is shortlisted so far, and what it may score. TOO_MANY where more
    rows nearly tie than it holds.
    """
    least = lowest[0]
    if size + len(chunk) > len(near):
        size = drop_below(least, near, highest, size)
        if size + len(chunk) > len(near):
            return TOO_MANY
    for at in range(len(chunk)):
        score = chunk[at]
        if score + slack >= least:
            near[size], highest[size] = first + at, score + slack
            size += 1
            if score - slack > least:
                replace_least(lowest, score - slack)
                least = lowest[0]
    return size


@njit(cache=True, nogil=True)
def drop_below(least: float, near: Ranks, highest: Matrix, size: int) -> int:
    """Keep, in place, those of near[:size] that may score `least` or more; how many."""
    left = 0
    for at in range(size):
        if highest[at] >= least:
            near[left], highest[left] = near[at], highest[at]
            left += 1
    return left


@njit(cache=True, nogil=True)
def decide(q: Matrix, rows: Matrix, items: Ranks, near: Ranks, ids: Ids, scores: Floats) -> None:
    """Write the best of the rows `near` by (float64 score descending, id ascending), K at most."""
    places, named = np.empty(len(near), np.int64), np.empty(len(near), np.int64)
    for at in range(len(near)):
        places[at], named[at] = near[at], items[near[at]]
    sums = score_rows(rows, q, places)
    order = order_of(sums, named)
    for at in range(min(len(ids), len(near))):
        ids[at], scores[at] = named[order[at]], sums[order[at]]


@njit(cache=True, nogil=True)
def replace_least(heap: NDArray[Any], value: float) -> None:
    """Put `value` in the place of heap[0], the least of a heap (K,): so it keeps the K largest."""
    at = 0
    size = len(heap)
    while True:
        child = 2 * at + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if child >= size or heap[child] >= value:
            heap[at] = value
            return
        heap[at] = heap[child]
        at = child
