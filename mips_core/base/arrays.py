"""Names for the arrays that flow through the package, and the check made where they enter."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE

Matrix = NDArray[np.float32]  # one vector a row, C order
Ids = NDArray[np.int64]
Ranks = NDArray[np.int32]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def as_matrix(values: ArrayLike, name: str = "The array") -> Matrix:
    """`values` as float32 (n, d), C order, every entry finite; a view where it is so already.

    Raises DataError naming the shape, or the row (counted from 0) and column of the first entry
    that is not a usable number.
    """
    array = _table(values, name)
    with np.errstate(over="ignore", invalid="ignore"):
        matrix = np.ascontiguousarray(array, dtype=np.float32)
    check_finite(matrix, name)
    return matrix


def as_vectors(values: ArrayLike, name: str = "The array") -> NDArray[Any]:
    """`values` (n, d) in their own dtype, native byte order, C order, every entry finite.

    Raises DataError as `as_matrix` does.
    """
    array = _table(values, name)
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    few = range(0, len(array), 8192)  # rows looked at once: a copy of all may not fit
    if array.dtype != np.float16 or not all(np.isfinite(array[i : i + 8192]).all() for i in few):
        with np.errstate(over="ignore", invalid="ignore"):
            check_finite(array.astype(np.float32, copy=False), name)
    return array


def _table(values: ArrayLike, name: str) -> NDArray[Any]:
    """`values` as an array of two dimensions that holds real numbers. Raises DataError."""
    array = np.asarray(values)
    if array.ndim != 2:
        shape = " x ".join(f"{size:,}" for size in array.shape) or "a single number"
        raise DataError(
            f"{name} has {array.ndim} dimension{'s' * (array.ndim != 1)} (shape {shape}).",
            "A table of n rows x d columns is needed, one vector a row.",
        )
    if array.dtype.kind not in "fiub":
        raise DataError(
            f"{name} holds {array.dtype.name} values.", "Real numbers are needed, one vector a row."
        )
    return array


def check_finite(matrix: Matrix, name: str) -> None:
    """Raise DataError at the first entry of `matrix` (n, d) that is not finite or is too large."""
    with np.errstate(invalid="ignore"):  # a signalling NaN
        if matrix.size == 0 or -MAX_MAGNITUDE <= matrix.min() <= matrix.max() <= MAX_MAGNITUDE:
            return
    bad = ~(np.abs(matrix) <= MAX_MAGNITUDE)  # NaN compares as False
    rows = np.flatnonzero(bad.any(axis=1))
    column = int(np.flatnonzero(bad[rows[0]])[0])
    more = f", and {len(rows) - 1:,} more rows like it" if len(rows) > 1 else ""
    raise DataError(
        f"{name} holds {matrix[rows[0], column]} in row {rows[0]:,}, column {column:,}{more}.",
        f"Every entry must be a finite number of at most {MAX_MAGNITUDE:g} in size. "
        "Correct these rows or leave them out.",
    )


SETTLED_BITS = 24


def settled(A: Floats) -> Floats:
    """A rounded to 24 bits below its largest magnitude.

    LAPACK's last bits differ between processors. What is built from settled factors does not,
    unless an entry lies within those last bits of half a step: about once in ten million.
    """
    largest = float(np.abs(A).max(initial=0.0))
    if largest == 0.0:
        return np.zeros_like(A)
    step = 2.0 ** (np.ceil(np.log2(largest)) - SETTLED_BITS)
    return np.asarray(np.rint(A / step) * step)
