"""One query: its lists scanned from the best, each as far as norms allow, in one compiled call."""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import COMPARE, product
from mips_core.methods.cluster_order.order import unit_rows
from mips_core.serving.fast_search.codes import Codes, QueryCode, code_product, encode_query
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


@njit(cache=True, nogil=True)
def answer_one(q: Matrix, opened: Ids, packed: PackedLists, ids: Ids, scores: Floats) -> bool:
    """Write the K best of the lists `opened` (1, p) for q (1, d) to ids and scores (1, K).

    Items are shortlisted by their codes where there are some, else by float32 products. False
    where more items nearly tie than a shortlist holds: then nothing is written.
    """
    starts, norms, errors, coded = packed.starts, packed.norms, packed.errors, len(packed.codes) > 0
    K = ids.shape[1]
    near, highest = np.empty(room_for(K), np.int32), np.empty(room_for(K), np.float32)
    lowest = np.empty(K, np.float32)  # a heap: K items score at least so much
    lowest[:] = -np.inf
    unit, chunk = unit_rows(q)[0], np.empty(CHUNK, np.float32)
    code = np.empty(packed.codes.shape[1], np.int16)
    step, lost = encode_query(unit, code) if coded else (0.0, 0.0)
    relative, absolute = rounding_bound(len(unit))
    size = 0
    for which in opened[0]:
        if which < 0:
            continue
        error = np.float32(relative + errors[which] + lost * (1 + errors[which]))
        stop = reach(norms, starts[which], starts[which + 1], lowest[0])
        for first in range(starts[which], stop, CHUNK):
            last = min(first + CHUNK, stop)
            if coded:
                top = _score_codes(packed.codes, packed.scales, first, last, code, step, chunk)
            else:
                top = _score_rows(packed.rows, first, last, unit, chunk)
            slack = error * norms[first] + np.float32(absolute)
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


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _score_codes(
    codes: Codes,
    scales: Matrix,
    first: int,
    last: int,
    code: QueryCode,
    step: float,
    chunk: Matrix,
) -> np.float32:
    """Write what codes[first:last] say of the scores of their rows; the highest."""
    highest = np.float32(-np.inf)
    for at in range(last - first):
        products = np.float32(code_product(codes[first + at], code))
        chunk[at] = products * (scales[first + at] * np.float32(step))
        highest = max(highest, chunk[at])
    return highest
