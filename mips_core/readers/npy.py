"""NumPy's .npy, every version; a pickle inside is never opened."""

import ast
import re
import struct
from dataclasses import dataclass
from math import prod
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from mips_core import limits
from mips_core.errors import DataError
from mips_core.readers.base import Rank, Reader, Source, Table, register

MAGIC = b"\x93NUMPY"
HEADER_BYTES = 2**20
TWO_DIMENSIONS = "Save it as n rows × d columns."


@dataclass(frozen=True)
class Header:
    """What an array claims to be, read without its data."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool
    offset: int  # bytes before the data

    @property
    def nbytes(self) -> int:
        """Bytes of the data."""
        return prod(self.shape) * self.dtype.itemsize

    @property
    def size(self) -> str:
        """The shape in words."""
        return " × ".join(f"{length:,}" for length in self.shape) or "a single value"


def read_header(file: IO[bytes], name: str) -> Header:
    """The header at the start of `file`. Raises DataError where it is none."""
    try:
        start = file.read(8)
        kind = "<H" if start[6] == 1 else "<I"
        if not start.startswith(MAGIC) or not 1 <= start[6] <= 3:
            raise ValueError
        width = struct.calcsize(kind)
        (length,) = struct.unpack(kind, file.read(width))
        text = file.read(min(length, HEADER_BYTES)).decode("latin-1" if start[6] < 3 else "utf-8")
        fields = ast.literal_eval(re.sub(r"(\d)L\b", r"\1", text).strip())  # Python 2 wrote 60L
        dtype = np.lib.format.descr_to_dtype(fields["descr"])
        shape = tuple(int(size) for size in fields["shape"])
        if min(shape, default=0) < 0:
            raise ValueError
        return Header(dtype, shape, bool(fields["fortran_order"]), 8 + width + length)
    except (ValueError, TypeError, KeyError, IndexError, SyntaxError, struct.error, MemoryError):
        raise DataError(
            f"{name} begins as a .npy file and its header is damaged or cut short.",
            "Save or download it again.",
        ) from None


def check_numbers(header: Header, name: str) -> None:
    """Raise DataError naming the dtype unless the array holds real numbers."""
    dtype = header.dtype
    if dtype.names is not None:
        fields = ", ".join(dtype.names)
        raise DataError(
            f"{name} holds a structured array with the fields {fields}.",
            "Put the fields side by side as columns of one two-dimensional array.",
        )
    if dtype.hasobject:
        raise DataError(
            f"{name} holds Python objects (dtype object), stored as a pickle.",
            "Pickles can run code, so they are never opened. Save the vectors as one array of "
            "numbers, all rows of equal length.",
        )
    if dtype.kind not in "fiub":
        kind = {"U": "text", "S": "text", "c": "complex numbers"}.get(dtype.kind, "other values")
        hint = " Labels go with a file of vectors." if dtype.kind in "US" else ""
        raise DataError(
            f"{name} holds {kind} (dtype {dtype.name}, shape {header.size}).",
            f"Real numbers are needed, one vector a row.{hint}",
        )


def check_size(header: Header, present: int, name: str) -> None:
    """Raise DataError unless `present` bytes of data suffice and the numbers are not too many."""
    if header.nbytes > present:
        raise DataError(
            f"{name} is cut short: its header promises {header.size} {header.dtype.name} numbers "
            f"({header.nbytes:,} bytes), the file holds {present:,} bytes of them.",
            "Save or download it again.",
        )
    if prod(header.shape) > limits.MAX_VALUES:
        raise DataError(
            f"{name} holds {header.size} numbers; the limit is {limits.MAX_VALUES:,}.",
            "Give its first rows only.",
        )


def check_dimensions(header: Header, name: str) -> None:
    """Raise DataError unless the array has two dimensions."""
    if not header.shape:
        raise DataError(f"{name} holds a single number.", TWO_DIMENSIONS)
    if len(header.shape) == 1:
        raise DataError(f"{name} is one-dimensional, {header.size} numbers.", TWO_DIMENSIONS)
    if len(header.shape) != 2:
        raise DataError(
            f"{name} has {len(header.shape)} dimensions (shape {header.size}).", TWO_DIMENSIONS
        )


def as_array(data: NDArray[Any], header: Header) -> NDArray[Any]:
    """Flat `data` in the shape and order of `header`; a view."""
    return data.reshape(header.shape, order="F" if header.fortran else "C")


def read(source: Source) -> Table:
    """The array of a .npy file, float32 (n, d)."""
    with source.path.open("rb") as file:
        header = read_header(file, source.name)
    check_numbers(header, source.name)
    check_dimensions(header, source.name)
    present = max(0, source.size - header.offset)
    check_size(header, present, source.name)
    extra = present - header.nbytes
    notes = [f"{extra:,} bytes after the array were left out."] if extra else []
    if header.nbytes == 0:
        return Table(np.empty(header.shape, np.float32))
    flat = np.memmap(source.path, header.dtype, "r", header.offset, (prod(header.shape),))
    with np.errstate(over="ignore"):  # beyond float32: found as infinite later, with its place
        return Table(np.array(as_array(flat, header), np.float32, order="C"), notes=notes)


def read_strings(source: Source) -> list[str] | None:
    """The strings of a one-dimensional .npy of text, or None for any other array."""
    with source.path.open("rb") as file:
        header = read_header(file, source.name)
        if header.dtype.kind not in "US" or len(header.shape) != 1:
            return None
        check_size(header, max(0, source.size - header.offset), source.name)
        return strings(np.frombuffer(file.read(header.nbytes), header.dtype))


def strings(array: NDArray[Any]) -> list[str]:
    """Text or whole numbers (n) as a list of str."""
    return [v.decode(errors="replace") if isinstance(v, bytes) else str(v) for v in array.tolist()]


register(
    Reader(
        key="npy",
        label="NumPy .npy",
        suffixes=(".npy",),
        rank=Rank.MAGIC,
        matches=lambda head, name: head.startswith(MAGIC),
        read=read,
    )
)
