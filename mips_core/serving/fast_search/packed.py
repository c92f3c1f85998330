"""Items laid out list by list, so that a list is read from end to end; and as int8 codes.

Codes are a quarter of the bytes to read, with a bound on what that loses. x = scale * code + r, and
a unit query, coded as int16, q = step * code + s. Then
|q.x - scale step code.code| <= |r| + (|x| + |r|) |s|; the sum of products of codes is exact.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import row_norms

Codes = NDArray[np.int8]
QueryCode = NDArray[np.int16]

LARGEST = 127
LARGEST_OF_QUERY = 32767
STEP = 32  # numbers that compiled code multiplies at once; what is left over it does one by one


def width(d: int) -> int:
    """Entries of the code of a vector of d: the next multiple of STEP, with zeros at the end."""
    return -(-d // STEP) * STEP


@njit(cache=True, nogil=True)
def encode(starts: Ids, rows: Matrix, codes: Codes, scales: Matrix, errors: Matrix) -> None:
    """Write codes (n, width) and scales (n,) of rows (n, d): to the nearest of 255 steps each.

    errors (l,): the largest |r| / |x| of each list, rounded up.
    """
    d = rows.shape[1]
    for which in range(len(starts) - 1):
        worst = 0.0
        for i in range(starts[which], starts[which + 1]):
            largest = np.float32(0)
            for j in range(d):
                largest = max(largest, abs(rows[i, j]))
            scales[i] = largest / np.float32(LARGEST)
            square = left = 0.0
            codes[i, d:] = 0
            for j in range(d):
                value, scale = np.float64(rows[i, j]), np.float64(scales[i])
                code = np.rint(value / scale) if scale > 0 else 0.0
                codes[i, j] = np.int8(min(max(code, -LARGEST), LARGEST))
                square += value * value
                left += (value - scale * codes[i, j]) ** 2
            if square > 0:
                worst = max(worst, np.sqrt(left / square))
        errors[which] = worst * (1 + 1e-6)


@njit(cache=True, nogil=True)
def encode_query(unit: Matrix, code: QueryCode) -> tuple[float, float]:
    """Write the code (width,) of a unit query (d,); its step, and the length of what it loses."""
    d = len(unit)
    most = min(LARGEST_OF_QUERY, (2**31 - 1) // (LARGEST * d))  # so that no sum passes int32
    largest = 1e-30
    for j in range(d):
        largest = max(largest, abs(np.float64(unit[j])))
    step = largest / most
    left = 0.0
    code[d:] = 0
    for j in range(d):
        code[j] = np.int16(np.rint(unit[j] / step))
        left += (unit[j] - step * code[j]) ** 2
    return step, np.sqrt(left)


@njit(cache=True, nogil=True)
def code_product(x: Codes, q: QueryCode) -> np.int32:
    """Sum of products of two codes (width,), exact."""
    total = np.int32(0)
    for j in range(len(q)):
        total = np.int32(total + np.int32(x[j]) * np.int32(q[j]))
    return total


class PackedLists(NamedTuple):
    """The rows of a list side by side, the longest first, the lower id first on equal length.

    A named tuple, as compiled code takes those. starts (l+1,) int64; rows (n, d) float32; items
    (n,) int32 their ids; norms (n,) float32, rounded up; visits (l,) int64 the lists, that of the
    longest row first. codes (n, width) int8, scales (n,) and errors (l,) float32 as `encode`
    writes them; without codes the first two are empty, and errors 0.
    """

    starts: Ids
    rows: Matrix
    items: Ranks
    norms: Matrix
    visits: Ids
    codes: Codes
    scales: Matrix
    errors: Matrix

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self)


def pack(X: Matrix, starts: Ids, members: Ids, *, codes: bool) -> PackedLists:
    """The items X (n, d) as lists: list i is members[starts[i]:starts[i+1]], each item in one."""
    lengths = row_norms(X)
    lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    items = members[np.lexsort((members, -lengths[members], lists))]
    longest = np.zeros(len(starts) - 1)
    np.maximum.at(longest, lists, lengths[items])
    n_coded = len(items) if codes else 0
    packed = PackedLists(
        starts=np.ascontiguousarray(starts, np.int64),
        rows=np.ascontiguousarray(X[items], np.float32),
        items=items.astype(np.int32),
        norms=np.nextafter(lengths[items].astype(np.float32), np.float32(np.inf)),
        visits=np.argsort(-longest, kind="stable"),
        codes=np.empty((n_coded, width(X.shape[1])), np.int8),
        scales=np.empty(n_coded, np.float32),
        errors=np.zeros(len(starts) - 1, np.float32),
    )
    if codes:
        encode(packed.starts, packed.rows, packed.codes, packed.scales, packed.errors)
    return packed
