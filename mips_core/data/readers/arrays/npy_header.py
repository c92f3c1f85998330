"""The header of NumPy's .npy: a Python dict as text, parsed here by hand and never evaluated.

Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

import re
import struct
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

DEPTH = 8
"""Deepest nesting of a header; an ordinary one has 2, one with fields 3."""

TOKEN = re.compile(r"""\s*(?:('[^'\\]*'|"[^"\\]*")|(\d{1,18})L?\b|(True|False)|([][(){},:]))""")
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
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, struct.error, MemoryError):
        raise DataError(
            f"{name} begins as a .npy file and its header is damaged or cut short.", AGAIN
        ) from None


def _parsed(text: str) -> Any:
    """The value written in `text`: dicts, lists, tuples, text, whole numbers (60L of Python 2)."""
    open_values: list[tuple[str, list[Any]]] = [("", [])]
    position, text = 0, text.rstrip()
    while position < len(text):
        token = TOKEN.match(text, position)
        if token is None or len(open_values) > DEPTH:
            raise ValueError
        position = token.end()
        word, number, truth, sign = token.groups()
        values = open_values[-1][1]
        if word or number or truth:
            values.append(word[1:-1] if word else int(number) if number else truth == "True")
        elif sign in "([{":
            open_values.append((sign, []))
        elif sign in ")]}":
            opened, inner = open_values.pop()
            if opened + sign not in ("()", "[]", "{}"):
                raise ValueError
            value = dict(zip(inner[::2], inner[1::2], strict=True)) if sign == "}" else inner
            open_values[-1][1].append(tuple(inner) if sign == ")" else value)
    ((_, (value,)),) = open_values  # one value, everything closed
    return value


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
