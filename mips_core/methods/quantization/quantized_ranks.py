"""Where items stand when all are ordered by approximate score, without putting them in order.

Several queries at once: what their tables hold stands side by side, so one look-up serves all.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import COMPARE, order_of
from mips_core.methods.quantization.codebooks import Codes

LANES = 16  # queries asked at once
CELLS = 4096  # of a grid over the scores of the listed items
WIDEST = np.float32(1e30)  # scale of a grid; times a score it does not overflow


class Grids(NamedTuple):
    """The listed items (b, w) of each query, best first, and a grid over their scores.

    A score s is in cell int(1 + (s - low) scale), clipped: cell 0 is below all listed, the last at
    the highest of them. A cell tells before which listed item its items come; or, less
    w + 1, the first they may come before, where listed items are in it themselves.
    """

    listed: Ids
    scores: Matrix  # (b, w), -inf where nothing is listed
    low: Matrix  # (b,)
    scale: Matrix  # (b,)
    before: NDArray[np.int16]  # (b, CELLS + 2)


def ranks_of(tables: Matrix, codes: Codes, wanted: Ids) -> Ids:
    """How many items come before each wanted one (m, w) by approximate score; n for -1.

    tables (m, S, k) of the queries, codes (n, S) of the items. The lower number on ties.
    """
    m, S, k = tables.shape
    ranks = np.full(wanted.shape, len(codes), np.int64)
    for first in range(0, m, LANES):
        rows = slice(first, first + LANES)
        size = len(tables[rows])
        lanes = np.zeros((S, k, LANES), np.float32)
        lanes[:, :, :size] = tables[rows].transpose(1, 2, 0)
        asked = np.full((LANES, wanted.shape[1]), -1, np.int64)
        asked[:size] = wanted[rows]
        ranks[rows] = _ranks_of_lanes(lanes, codes, asked)[:size]
    return ranks


@njit(cache=True, nogil=True)
def _ranks_of_lanes(lanes: Matrix, codes: Codes, wanted: Ids) -> Ids:
    """As `ranks_of`, of LANES queries: lanes (S, k, LANES), wanted (LANES, w)."""
    w = wanted.shape[1]
    grids = Grids(
        np.full((LANES, w), -1, np.int64),
        np.full((LANES, w), -np.inf, np.float32),
        np.zeros(LANES, np.float32),
        np.zeros(LANES, np.float32),
        np.full((LANES, CELLS + 2), w, np.int16),
    )
    orders = np.empty((LANES, w), np.int64)
    for j in range(LANES):
        scores = np.full(w, -np.inf)
        for at in range(w):
            if wanted[j, at] >= 0:
                scores[at] = _score(lanes, codes[wanted[j, at]], j)
        order = order_of(scores, wanted[j])  # none come last
        orders[j] = order
        grids.listed[j], grids.scores[j] = wanted[j][order], scores[order]
        _lay_grid(grids, j, int(np.count_nonzero(wanted[j] >= 0)))
    counts = np.zeros((LANES, w + 1), np.int64)
    _count(lanes, codes, grids, counts)
    ranks = np.full((LANES, w), len(codes), np.int64)
    for j in range(LANES):
        total = 0
        for at in range(w):
            total += counts[j, at]
            if grids.listed[j, at] >= 0:
                ranks[j, orders[j, at]] = total
    return ranks


@njit(cache=True, nogil=True)
def _score(lanes: Matrix, code: Codes, j: int) -> np.float32:
    """The approximate score of a code (S,) for query j, subspaces in order."""
    total = np.float32(0)
    for s in range(len(code)):
        total += lanes[s, code[s], j]
    return total


@njit(cache=True, nogil=True)
def _lay_grid(grids: Grids, j: int, size: int) -> None:
    """Write the grid of query j, of which the first `size` items are listed."""
    if size == 0:
        return
    scores = grids.scores[j]
    grids.low[j] = scores[size - 1]
    width = max(scores[0] - scores[size - 1], np.float32(1) / WIDEST)
    grids.scale[j] = min(np.float32(CELLS) / width, WIDEST)
    cell_above = CELLS + 2
    for at in range(size):
        cell = int(_cell(scores[at], grids.low[j], grids.scale[j]))
        grids.before[j, cell + 1 : cell_above] = at
        if cell < cell_above:
            grids.before[j, cell] = at - len(scores) - 1
        cell_above = cell
    grids.before[j, 1:cell_above] = size


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _cell(score: np.float32, low: np.float32, scale: np.float32) -> np.int32:
    place = (score - low) * scale + np.float32(1)
    return np.int32(min(max(place, np.float32(0)), np.float32(CELLS + 1)))


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _count(lanes: Matrix, codes: Codes, grids: Grids, counts: Ids) -> None:
    """Count in (LANES, w + 1) the items that come before a listed one, not before a better one.

    Those that come before none stand at w, or after the listed ones.
    """
    listed, scores, low, scale, before = grids
    w = listed.shape[1]
    totals = np.empty(LANES, np.float32)
    cells = np.empty(LANES, np.int32)
    for item in range(len(codes)):
        totals[:] = 0
        for s in range(codes.shape[1]):
            code = codes[item, s]
            for j in range(LANES):
                totals[j] += lanes[s, code, j]
        for j in range(LANES):
            cells[j] = _cell(totals[j], low[j], scale[j])
        for j in range(LANES):
            at = np.int64(before[j, cells[j]])
            if at < 0:
                at += w + 1
                total = totals[j]
                while at < w and (
                    total < scores[j, at] or (total == scores[j, at] and item >= listed[j, at])
                ):
                    at += 1
            counts[j, at] += 1
