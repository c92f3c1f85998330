"""Vectors as a file holds them to those that can be searched, and which of them cannot."""

import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Mask
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.readers.arrays.binary import shorter
from mips_core.data.readers.contract import Source

BLOCK_ROWS = 8192
EXACT = 2**24  # float32 holds every whole number up to this


def converted(
    stored: NDArray[Any], keep_dtype: bool, source: Source | None = None
) -> tuple[NDArray[Any], Ids, bool]:
    """`stored` (n, d) in C order and native bytes, the rows that cannot be searched, and whether
    float32 has rounded whole numbers. Raises DataError where the mapped file has become shorter.

    Block by block, so that a mapped file is never in memory as a whole beside what is made of it.
    """
    if stored.ndim != 2 or stored.dtype.kind not in "fiub":
        return stored, np.empty(0, np.int64), False  # refused later, by its shape or dtype
    dtype = stored.dtype.newbyteorder("=") if keep_dtype else np.dtype(np.float32)
    own = source if source is not None and _is_mapped_from(source, stored) else None
    stays = not isinstance(stored, np.memmap) or (own is not None and own.lasting)
    flags = stored.flags
    ready = stored.dtype == dtype and flags.c_contiguous and flags.aligned and stays
    out = np.asarray(stored) if ready else np.empty(stored.shape, dtype)
    bad, rounded = [np.empty(0, np.int64)], False
    for start in range(0, len(stored), BLOCK_ROWS):
        part, block = stored[start : start + BLOCK_ROWS], out[start : start + BLOCK_ROWS]
        if not ready:
            with np.errstate(over="ignore", invalid="ignore"):
                block[:] = part
            rounded = rounded or (not keep_dtype and _is_rounded(part))
        if dtype.kind == "f" or dtype.itemsize == 8:
            bad.append(start + np.flatnonzero(unusable(block)))
        _let_go(stored)
        if own is not None:
            own.reached(own.size * (start + len(part)) // len(stored))
    if own is not None and own.path.stat().st_size < own.size:  # what is gone has read as zeros
        raise shorter(own)
    return out, np.concatenate(bad), rounded


def _is_mapped_from(source: Source, stored: NDArray[Any]) -> bool:
    """Whether `stored` lies in the file of `source` itself, not in a copy or an answer."""
    name = getattr(stored, "filename", None)
    return name is not None and Path(name) == source.path.resolve()


def _let_go(stored: NDArray[Any]) -> None:
    """Let the system take back what was read of a mapped file: the next look reads it again."""
    whole = getattr(stored, "_mmap", None)
    if whole is not None and hasattr(mmap, "MADV_DONTNEED"):
        whole.madvise(mmap.MADV_DONTNEED)


def _is_rounded(stored: NDArray[Any]) -> bool:
    """Whether whole numbers are so large that float32 cannot hold them all."""
    if stored.dtype.kind not in "iu" or stored.dtype.itemsize < 4 or stored.size == 0:
        return False
    return bool(int(stored.max()) > EXACT or int(stored.min()) < -EXACT)


def unusable(block: NDArray[Any]) -> Mask:
    """Which rows of `block` (b, d) hold a number that is not finite, or too large."""
    size = np.abs(as_floats(block))
    if block.size == 0 or float(size.max()) <= MAX_MAGNITUDE:  # NaN compares as False
        return np.zeros(len(block), bool)
    return ~(size <= MAX_MAGNITUDE).all(axis=1)


def as_floats(vectors: NDArray[Any]) -> NDArray[Any]:
    """`vectors` where they can be compared with the largest magnitude, float64 where not."""
    exact = vectors.dtype.kind == "f" and vectors.dtype.itemsize > 2  # float16 has no such limit
    return vectors if exact else vectors.astype(np.float64)
