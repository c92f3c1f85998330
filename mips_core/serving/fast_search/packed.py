"""Items laid out list by list, so that a list is read from end to end; and as int8 codes.

Codes are a quarter of the bytes to read, with a bound on what that loses. x = scale * code + r, and
a unit query, coded in 15 bits, q = step * code + s. Then
|q.x - scale step code.code| <= |r| + (|x| + |r|) |s|; the sum of products of codes is exact.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import row_norms
from mips_core.serving.fast_search.blocks import ENTRIES, ROWS, ZERO, Blocks, Planes, zero_blocks

LARGEST = 127
LARGEST_OF_QUERY = 16000  # 125 * 128


class Codes(NamedTuple):
    """Rows (n, d) in lists as int8 codes, each list in blocks of its own; or nothing.

    begins (l+1,) int64: the first block of each list; blocks (b, width / 4, 16, 4) uint8; scales
    (16 b,) float32, 0 where a list ends within a block; errors (l,) float32: the largest |r| / |x|
    of each list, rounded up.
    """

    begins: Ids
    blocks: Blocks
    scales: Matrix
    errors: Matrix


def encode(starts: Ids, rows: Matrix) -> Codes:
    """The codes of rows (n, d) float32, list i is starts[i] up to starts[i+1]."""
    begins = np.concatenate([[0], np.cumsum(-(-np.diff(starts) // ROWS))])
    codes = Codes(
        begins,
        zero_blocks(int(begins[-1]), rows.shape[1]),
        np.zeros(begins[-1] * ROWS, np.float32),
        np.zeros(len(starts) - 1, np.float32),
    )
    _encode(starts, rows, *codes)
    return codes


@njit(cache=True, nogil=True)
def _encode(
    starts: Ids, rows: Matrix, begins: Ids, blocks: Blocks, scales: Matrix, errors: Matrix
) -> None:
    """Write codes: to the nearest of 255 steps each."""
    d = rows.shape[1]
    for which in range(len(starts) - 1):
        worst = 0.0
        for i in range(starts[which], starts[which + 1]):
            at = begins[which] * ROWS + i - starts[which]
            block, row = blocks[at // ROWS], at % ROWS
            largest = np.float32(0)
            for j in range(d):
                largest = max(largest, abs(rows[i, j]))
            scales[at] = largest / np.float32(LARGEST)
            square = left = 0.0
            for j in range(d):
                value, scale = np.float64(rows[i, j]), np.float64(scales[at])
                code = np.rint(value / scale) if scale > 0 else 0.0
                code = min(max(code, -LARGEST), LARGEST)
                block[j // ENTRIES, row, j % ENTRIES] = np.uint8(code + ZERO)
                square += value * value
                left += (value - scale * code) ** 2
            if square > 0:
                worst = max(worst, np.sqrt(left / square))
        errors[which] = worst * (1 + 1e-6)


@njit(cache=True, nogil=True)
def encode_query(unit: Matrix, planes: Planes) -> tuple[float, float, int]:
    """Write the code (2, width) of a unit query (d,): its entries are 128 * high + low.

    Its step, the length of what it loses, and 128 times the sum of its entries.
    """
    d = len(unit)
    most = min(LARGEST_OF_QUERY, (2**31 - 1) // (LARGEST * d))  # so that no product passes int32
    largest = 1e-30
    for j in range(d):
        largest = max(largest, abs(np.float64(unit[j])))
    step = largest / most
    left, total = 0.0, np.int64(0)
    planes[:, d:] = 0
    for j in range(d):
        code = np.int64(np.rint(unit[j] / step))
        high = (code + 64) >> 7
        planes[0, j], planes[1, j] = np.int8(high), np.int8(code - 128 * high)
        left += (unit[j] - step * code) ** 2
        total += code
    return step, np.sqrt(left), int(128 * total)


class PackedLists(NamedTuple):
    """The rows of a list side by side, the longest first, the lower id first on equal length.

    A named tuple, as compiled code takes those. starts (l+1,) int64; rows (n, d) float32; items
    (n,) int32 their ids; norms (n,) float32, rounded up; visits (l,) int64 the lists, that of the
    longest row first.
    """

    starts: Ids
    rows: Matrix
    items: Ranks
    norms: Matrix
    visits: Ids

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self)


def pack(X: Matrix, starts: Ids, members: Ids) -> PackedLists:
    """The items X (n, d) as lists: list i is members[starts[i]:starts[i+1]], each item in one."""
    lengths = row_norms(X)
    lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    items = members[np.lexsort((members, -lengths[members], lists))]
    longest = np.zeros(len(starts) - 1)
    np.maximum.at(longest, lists, lengths[items])
    return PackedLists(
        starts=np.ascontiguousarray(starts, np.int64),
        rows=np.ascontiguousarray(X[items], np.float32),
        items=items.astype(np.int32),
        norms=np.nextafter(lengths[items].astype(np.float32), np.float32(np.inf)),
        visits=np.argsort(-longest, kind="stable"),
    )
