"""The header of NumPy's .npy: a Python dict as text, of literals alone; nothing is evaluated.

Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

import re
import struct
from ast import literal_eval
from dataclasses import dataclass
from math import prod
from typing import IO, Any

import numpy as np

from mips_core.base.errors import DataError
from mips_core.data.readers.contract import AGAIN

MAGIC = b"\x93NUMPY"
HEADER_BYTES = 10_000
"""Longest header read, as in NumPy."""

MOST_AXES = 64
"""Most dimensions of an array, as in NumPy."""

WORD = r"""'[^'\\]*'|"[^"\\]*\""""
LITERALS = re.compile(rf"(?:\s*(?:{WORD}|\d{{1,18}}L?\b|(?:True|False)\b|[][(){{}},:]))*\s*")
LONG = re.compile(rf"({WORD})|(\d)L\b")  # 60L, as Python 2 wrote whole numbers
SCALAR = re.compile(r"[<>|=]?[?biufcmMOSUV]\d{0,9}(\[\w{1,12}\])?")


@dataclass(frozen=True)
class Header:
    """What an array claims to be, read without its data."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool
    offset: int  # bytes before the data

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the data."""
        return self.count * self.dtype.itemsize

    @property
    def size(self) -> str:
        """The shape in words."""
        return " × ".join(f"{length:,}" for length in self.shape) or "a single value"


def read_header(file: IO[bytes], name: str) -> Header:
    """The header at the start of `file`, which then stands at the data. Raises DataError."""
    try:
        start = file.read(8)
        if not start.startswith(MAGIC) or not 1 <= start[6] <= 3:
            raise ValueError
        kind = "<H" if start[6] == 1 else "<I"
        width = struct.calcsize(kind)
        (length,) = struct.unpack(kind, file.read(width))
        text = file.read(min(length, HEADER_BYTES + 1))
        if length > HEADER_BYTES or len(text) < length:
            raise ValueError
        fields = _parsed(text.decode("latin-1" if start[6] < 3 else "utf-8"))
        shape, fortran = fields["shape"], fields["fortran_order"]
        if type(shape) is not tuple or len(shape) > MOST_AXES:
            raise ValueError
        if any(type(size) is not int for size in shape) or type(fortran) is not bool:
            raise ValueError
        return Header(_dtype(fields["descr"]), shape, fortran, 8 + width + length)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, SyntaxError, struct.error,
            MemoryError, RecursionError):  # fmt: skip
        raise DataError(
            f"{name} begins as a .npy file and its header is damaged or cut short.", AGAIN
        ) from None


def _parsed(text: str) -> Any:
    """The value written in `text`: dicts, lists, tuples, text, whole numbers (60L of Python 2)."""
    if not LITERALS.fullmatch(text):  # signs and escapes have no place there
        raise ValueError
    return literal_eval(LONG.sub(r"\1\2", text.strip()))


def _dtype(described: Any) -> np.dtype[Any]:
    """The dtype of a header: a name, a list of named fields, or a dtype and its shape."""
    if isinstance(described, str):
        if not SCALAR.fullmatch(described):
            raise ValueError
        return np.dtype(described)
    if isinstance(described, tuple):
        base, shape = described
        return np.dtype((_dtype(base), shape))
    names, formats, offsets, offset = [], [], [], 0
    for name, kind, *shape in described:
        dtype = np.dtype((_dtype(kind), *shape)) if shape else _dtype(kind)
        if name or dtype.kind != "V":  # a nameless field only fills up space
            names.append(name[-1] if isinstance(name, tuple) else name)  # (title, name)
            formats.append(dtype)
            offsets.append(offset)
        offset += dtype.itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": offset})
