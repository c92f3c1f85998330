"""Lists scanned for what may be among the best, each as far as norms allow.

One query goes from its best list on, in one compiled call (by codes: `one_query`). Many go list by
list, one matrix product for all the queries that opened it: each first scans its best list, which
tells what is worth looking for; then the others.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import COMPARE, product, queries_of_lists
from mips_core.methods.cluster_order.order import unit_rows
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

CHUNK = 32  # items scored before any of them is looked at
TILE_QUERIES = 256
TILE_ITEMS = 512
GROUP = 16  # scores whose maximum is compared before any of them is looked at


@njit(cache=True, nogil=True)
def answer_one(q: Matrix, opened: Ids, packed: PackedLists, ids: Ids, scores: Floats) -> bool:
    """Write the K best of the lists `opened` (1, p) for q (1, d) to ids and scores (1, K).

    False where more items nearly tie than a shortlist holds: then nothing is written.
    """
    starts, norms = packed.starts, packed.norms
    K = ids.shape[1]
    near, highest = np.empty(room_for(K), np.int32), np.empty(room_for(K), np.float32)
    lowest = np.empty(K, np.float32)  # a heap: K items score at least so much
    lowest[:] = -np.inf
    unit, chunk = unit_rows(q)[0], np.empty(CHUNK, np.float32)
    relative, absolute = rounding_bound(len(unit))
    size = 0
    for which in opened[0]:
        if which < 0:
            continue
        stop = reach(norms, starts[which], starts[which + 1], lowest[0])
        for first in range(starts[which], stop, CHUNK):
            last = min(first + CHUNK, stop)
            top = _score_rows(packed.rows, first, last, unit, chunk)
            slack = np.float32(relative) * norms[first] + np.float32(absolute)
            if top + slack < lowest[0]:
                continue
            size = add_near(chunk[: last - first], first, slack, lowest, near, highest, size)
            if size == TOO_MANY:
                return False
    size = drop_below(lowest[0], near, highest, size)
    decide(q[0], packed.rows, packed.items, near[:size], ids[0], scores[0])
    return True


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _score_rows(rows: Matrix, first: int, last: int, unit: Matrix, chunk: Matrix) -> np.float32:
    """Write the float32 products of rows[first:last] and a unit query; the highest."""
    highest = np.float32(-np.inf)
    for at in range(last - first):
        chunk[at] = product(rows[first + at], unit)
        highest = max(highest, chunk[at])
    return highest


class Contenders(NamedTuple):
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
    contenders = Contenders(
        np.empty((m, room_for(K)), np.int32),
        np.empty((m, room_for(K)), np.float32),
        np.zeros(m, np.int64),
        np.empty((m, K), np.float32),
    )
    contenders.lowest[:] = -np.inf
    for columns in (opened[:, :1], opened[:, 1:]):
        by_list, asking = queries_of_lists(columns, len(packed.starts) - 1)
        _scan_lists(by_list, asking, unit, packed, contenders)
    for i in range(m):
        if contenders.size[i] != TOO_MANY:
            near = contenders.near[i]
            size = drop_below(
                contenders.lowest[i, 0], near, contenders.highest[i], contenders.size[i]
            )
            decide(Q[i], packed.rows, packed.items, near[:size], ids[i], scores[i])
    return contenders.size == TOO_MANY


@njit(cache=True, nogil=True)
def _scan_lists(
    by_list: Ids, asking: Ids, unit: Matrix, packed: PackedLists, contenders: Contenders
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
                end = reach(norms, starts[which], starts[which + 1], contenders.lowest[i, 0])
                if end > starts[which]:
                    furthest = max(furthest, end)
                    some[count], who[count] = unit[i], i
                    count += 1
            for first in range(starts[which], furthest, TILE_ITEMS):
                last = min(first + TILE_ITEMS, furthest)
                tile = products[: count * (last - first)].reshape(count, last - first)
                np.dot(some[:count], rows[first:last].T, tile)
                _take_tile(tile, who, first, norms[first], unit.shape[1], contenders)


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _take_tile(
    tile: Matrix, who: Ids, first: int, norm: float, d: int, contenders: Contenders
) -> None:
    """Shortlist the rows first, first + 1, ..., no longer than `norm`, of a tile (b, w).

    who (b,): its queries.
    """
    relative, absolute = rounding_bound(d)
    slack = np.float32(relative * norm + absolute)
    b, w = tile.shape
    for at in range(b):
        i = who[at]
        near, highest, lowest = contenders.near[i], contenders.highest[i], contenders.lowest[i]
        scores = tile[at]
        for begin in range(0, w, GROUP):
            if begin + GROUP <= w:
                top = scores[begin]
                for column in range(begin + 1, begin + GROUP):
                    top = max(top, scores[column])
                if top + slack < lowest[0]:
                    continue
            chunk = scores[begin : min(begin + GROUP, w)]
            size = add_near(chunk, first + begin, slack, lowest, near, highest, contenders.size[i])
            contenders.size[i] = size
            if size == TOO_MANY:
                lowest[:] = np.inf  # nothing more is looked at
                break
