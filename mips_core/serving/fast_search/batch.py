"""Many queries at once: list by list, one matrix product for all the queries that opened it.

Each query first scans its best list, which tells what is worth looking for; then the others, each
as far as norms allow.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import COMPARE
from mips_core.serving.fast_search.packed import PackedLists
from mips_core.serving.fast_search.shortlist import (
    TOO_MANY,
    add_near,
    decide,
    drop_below,
    reach,
    room_for,
    rounding_bound,
)

TILE_QUERIES = 256
TILE_ITEMS = 512
GROUP = 16  # scores whose maximum is compared before any of them is looked at


class Shortlists(NamedTuple):
    """What may be among the K best of each query, so far.

    near (m, room) int32 rows, and highest (m, room) float32 what they may score, of which size (m,)
    are in use, or TOO_MANY; lowest (m, K) float32 heaps: so much K rows are known to score.
    """

    near: Ranks
    highest: Matrix
    size: Ids
    lowest: Matrix


@njit(cache=True, nogil=True)
def answer_block(
    Q: Matrix, unit: Matrix, opened: Ids, packed: PackedLists, ids: Ids, scores: Floats
) -> Mask:
    """Write the K best of the lists `opened` (m, p) for Q (m, d) to ids and scores (m, K).

    unit (m, d): the queries at length 1. Returns which queries (m,) are left unanswered, as more
    items nearly tie than a shortlist holds.
    """
    m, K = ids.shape
    found = Shortlists(
        np.empty((m, room_for(K)), np.int32),
        np.empty((m, room_for(K)), np.float32),
        np.zeros(m, np.int64),
        np.empty((m, K), np.float32),
    )
    found.lowest[:] = -np.inf
    for columns in (opened[:, :1], opened[:, 1:]):
        by_list, asking = _queries_of_lists(columns, len(packed.starts) - 1)
        _scan_lists(by_list, asking, unit, packed, found)
    for i in range(m):
        if found.size[i] != TOO_MANY:
            near = found.near[i]
            kept = drop_below(found.lowest[i, 0], near, found.highest[i], found.size[i])
            decide(Q[i], packed.rows, packed.items, near[:kept], ids[i], scores[i])
    return found.size == TOO_MANY


@njit(cache=True, nogil=True)
def _queries_of_lists(opened: Ids, n_lists: int) -> tuple[Ids, Ids]:
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
def _scan_lists(
    by_list: Ids, asking: Ids, unit: Matrix, packed: PackedLists, found: Shortlists
) -> None:
    """Shortlist the rows of each list for the queries asking[by_list[which]:by_list[which + 1]]."""
    starts, rows, norms = packed.starts, packed.rows, packed.norms
    some = np.empty((TILE_QUERIES, unit.shape[1]), np.float32)
    who = np.empty(TILE_QUERIES, np.int64)
    products = np.empty(TILE_QUERIES * TILE_ITEMS, np.float32)
    for which in packed.visits:
        taken = by_list[which]
        while taken < by_list[which + 1]:
            count, furthest = 0, starts[which]
            while taken < by_list[which + 1] and count < TILE_QUERIES:
                i = asking[taken]
                taken += 1
                end = reach(norms, starts[which], starts[which + 1], found.lowest[i, 0])
                if end > starts[which]:
                    furthest = max(furthest, end)
                    some[count], who[count] = unit[i], i
                    count += 1
            for first in range(starts[which], furthest, TILE_ITEMS):
                last = min(first + TILE_ITEMS, furthest)
                tile = products[: count * (last - first)].reshape(count, last - first)
                np.dot(some[:count], rows[first:last].T, tile)
                _take_tile(tile, who, first, norms[first], unit.shape[1], found)


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _take_tile(tile: Matrix, who: Ids, first: int, norm: float, d: int, found: Shortlists) -> None:
    """Shortlist the rows first, first + 1, ..., no longer than `norm`, of a tile (b, w).

    who (b,): its queries.
    """
    relative, absolute = rounding_bound(d)
    slack = np.float32(relative * norm + absolute)
    b, w = tile.shape
    for at in range(b):
        i = who[at]
        near, highest, lowest = found.near[i], found.highest[i], found.lowest[i]
        scores = tile[at]
        for begin in range(0, w, GROUP):
            if begin + GROUP <= w:
                top = scores[begin]
                for column in range(begin + 1, begin + GROUP):
                    top = max(top, scores[column])
                if top + slack < lowest[0]:
                    continue
            chunk = scores[begin : min(begin + GROUP, w)]
            size = add_near(chunk, first + begin, slack, lowest, near, highest, found.size[i])
            found.size[i] = size
            if size == TOO_MANY:
                lowest[:] = np.inf  # nothing more is looked at
                break
