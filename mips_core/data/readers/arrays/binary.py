"""Raw numbers from a file into memory, block by block, counted before memory is taken."""

import os
from collections.abc import Callable
from contextlib import suppress
from math import prod
from tempfile import TemporaryFile
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.arrays.cut_short import guard
from mips_core.data.readers.contract import AGAIN, Source

BLOCK = 8 * 2**20
"""Bytes read between two reports of progress."""

MAPPED = 64 * 2**20
"""Bytes of an array from which on it is mapped: smaller ones cost little, and in memory they stay
as they are where somebody writes over their file."""

DENORMAL = 0x00800000
"""Bits below it are positive floats of less than full precision, about 1.2e-38."""

MINUS_ONE = 0xFFFFFFFF
"""Stands for a missing id; as a float it is a NaN."""


class NeighborIdsError(DataError):
    """A file of whole numbers, most often ids of nearest neighbours, given as vectors."""


def neighbor_ids(name: str, n: int, d: int, suffix: str, instead: str) -> NeighborIdsError:
    """The refusal of n rows of d whole numbers, as `suffix` files hold; `instead` has vectors."""
    return NeighborIdsError(
        f"{name} holds integers, {counted(n, 'row', 'rows')} of {d:,} ({suffix}): most often ids "
        "of nearest neighbours (ground truth), not vectors.",
        f"Give the file of the vectors, {instead}. If these are vectors, save them with "
        "numpy.save and give the .npy.",
    )


def fill(array: NDArray[Any], file: IO[bytes], reached: Callable[[int], None]) -> int:
    """Read from where `file` stands into `array` (C order) until it is full; bytes that were there.

    `reached` is told, block by block, how many bytes of `array` are filled.
    """
    room, done = array.reshape(-1).view(np.uint8).data, 0
    while done < len(room):
        count = file.readinto(room[done : done + BLOCK])  # type: ignore[attr-defined]
        if not count:
            break
        done += count
        reached(done)
    return done


def mapped(
    source: Source,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    offset: int,
    order: Literal["C", "F"] = "C",
) -> NDArray[Any] | None:
    """The array of `shape` that begins `offset` bytes into the file, where it lies; None for a
    small one. Whoever copies it reports how much was read.

    Its size was checked against what is there. Raises DataError where the file has become shorter.
    """
    if prod(shape) * dtype.itemsize < MAPPED or os.name == "nt":  # where it would be locked
        return None
    try:  # mapped for writing, never written to: kernels are compiled for such arrays already
        array = np.memmap(source.path, dtype, "c", offset, shape, order)
    except ValueError:
        raise shorter(source) from None
    if source.lasting:
        guard(array, array._mmap)  # type: ignore[attr-defined]
    return array


def shorter(source: Source) -> DataError:
    """The refusal of a file that was cut short meanwhile."""
    return DataError(f"{source.name} became shorter while it was read.", AGAIN)


def room_for(count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """(count,) to be filled: in memory, but on disk where it is large and float32 takes less.

    Beside what is made of it, it would take three times the memory of that. The file has no name
    and goes with the array.
    """
    size = count * dtype.itemsize
    if dtype.itemsize > 4 and size >= MAPPED and hasattr(os, "posix_fallocate"):
        with suppress(OSError), TemporaryFile() as file:  # where the disk is full, in memory
            os.posix_fallocate(file.fileno(), 0, size)
            return np.memmap(file, dtype, "r+", shape=(count,))
    return np.empty(count, dtype)


def check_not_empty(rows: int, columns: int, name: str) -> None:
    """Raise DataError where `rows` × `columns` numbers are none."""
    if rows < 1:
        raise DataError(f"{name} holds no vectors (0 rows).", "A search needs one or more.")
    if columns < 1:
        raise DataError(f"{name} has rows without numbers.", "Give one column or more.")


def check_values(count: int, name: str, shown: str) -> None:
    """Raise DataError where a file holds more numbers than the limit; `shown` says how many."""
    if count > limits.MAX_VALUES:
        raise DataError(
            f"{name} holds {shown} numbers; the limit is {limits.MAX_VALUES:,}.",
            "Give its first rows only.",
        )


def check_count(rows: int, columns: int, name: str) -> None:
    """Raise DataError where `rows` × `columns` numbers are none, or more than MAX_VALUES."""
    check_not_empty(rows, columns, name)
    check_values(rows * columns, name, f"{rows:,} × {columns:,}")


def holds_ids(bits: NDArray[np.uint32]) -> bool:
    """Whether `bits`, stored as float32, are whole numbers below 2²³, or −1, and not all zero.

    As floats those would be denormal, which the numbers of a vector never all are.
    """
    whole = (bits < DENORMAL) | (bits == MINUS_ONE)
    return bool(whole.all() and bits.any())
