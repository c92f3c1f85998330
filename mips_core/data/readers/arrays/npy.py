"""NumPy's .npy, every version; a pickle inside is never opened."""

from collections.abc import Callable
from typing import IO, Any, Literal

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.arrays.binary import (
    check_not_empty,
    check_values,
    fill,
    mapped,
    room_for,
)
from mips_core.data.readers.arrays.npy_header import MAGIC as MAGIC
from mips_core.data.readers.arrays.npy_header import Header, read_header
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import AGAIN, Rank, Reader, Source, Table, register
from mips_core.data.readers.names import is_id, quoted

TWO_DIMENSIONS = "Save it as n rows × d columns."
FIELDS = "Put the fields side by side as columns of one two-dimensional array."

LAST_CHARACTER = 0x10FFFF
SURROGATES = 0xD800 >> 11  # half characters of UTF-16
REPLACED = np.uint32(0xFFFD)


def check_numbers(header: Header, name: str) -> None:
    """Raise DataError naming the dtype unless the array holds real numbers."""
    dtype = header.dtype
    if dtype.names is not None:
        fields = quoted(dtype.names, 20)
        raise DataError(f"{name} holds a structured array with the fields {fields}.", FIELDS)
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
            AGAIN,
        )
    check_values(header.count, name, header.size)


def check_dimensions(header: Header, name: str) -> None:
    """Raise DataError unless the array has two dimensions and neither is empty."""
    if not header.shape:
        raise DataError(f"{name} holds a single number.", TWO_DIMENSIONS)
    if len(header.shape) == 1:
        raise DataError(f"{name} is one-dimensional, {header.size} numbers.", TWO_DIMENSIONS)
    if len(header.shape) != 2:
        raise DataError(
            f"{name} has {len(header.shape)} dimensions (shape {header.size}).", TWO_DIMENSIONS
        )
    check_not_empty(header.shape[0], header.shape[1], name)


def load(
    file: IO[bytes], header: Header, name: str, reached: Callable[[int], None]
) -> NDArray[Any]:
    """The array whose data begin where `file` stands, in its stored dtype and memory order.

    Its size was checked against what is there. Raises DataError where the file ends before it.
    """
    if header.nbytes == 0:  # NumPy makes more of text of no length
        return np.zeros(header.shape, header.dtype)
    flat = room_for(header.count, header.dtype)
    check_size(header, fill(flat, file, reached), name)
    return flat.reshape(header.shape, order="F" if header.fortran else "C")


def _opened(source: Source, file: IO[bytes]) -> tuple[Header, int]:
    """The header, and how many bytes follow it. `file` stands behind it."""
    header = read_header(file, source.name)
    return header, max(0, source.size - header.offset)


def read(source: Source, choices: Choices) -> Table:
    """The array (n, d) of a .npy file as it is stored; or its fields as columns."""
    with source.path.open("rb") as file:
        header, present = _opened(source, file)
        columns = header.dtype.names if _is_plain_record(header) else None
        if columns is None:
            check_numbers(header, source.name)
            check_dimensions(header, source.name)
        else:
            check_not_empty(header.count, len(columns), source.name)
        check_size(header, present, source.name)
        order: Literal["C", "F"] = "F" if header.fortran else "C"
        array = mapped(source, header.dtype, header.shape, header.offset, order)
        if array is None:
            reached = lambda done: source.reached(header.offset + done)  # noqa: E731
            array = load(file, header, source.name, reached)
    extra = present - header.nbytes
    notes = [f"{counted(extra, 'byte', 'bytes')} after the array left out."] if extra else []
    if columns is not None:
        notes.append(
            f"The {len(columns)} fields of the structured array ({quoted(columns, 20)}) are taken "
            "as the columns, in this order."
        )
        array = _side_by_side(array)
    return Table(array, notes=notes)


def _is_plain_record(header: Header) -> bool:
    """Whether it is a list of records whose fields are all whole, or all other, real numbers.

    Mixed kinds, or a field called id, are left to the person: one of them is likely no coordinate.
    """
    names = header.dtype.names or ()
    kinds = {header.dtype[name].kind for name in names}
    return (
        len(header.shape) == 1
        and len(kinds) == 1
        and kinds <= set("fiu")
        and not any(is_id(name) for name in names)
    )


def _side_by_side(records: NDArray[Any]) -> NDArray[Any]:
    """Fields (n,) as columns (n, d) of one dtype that holds them all."""
    names = records.dtype.names or ()
    out = np.empty((len(records), len(names)), np.result_type(*(records[n].dtype for n in names)))
    for column, name in enumerate(names):
        out[:, column] = records[name]
    return out


def read_strings(source: Source) -> list[str] | None:
    """A one-dimensional .npy of text or whole numbers as text; None for any other array."""
    array = read_list(source, "USiu")
    return None if array is None else strings(array)


def read_list(source: Source, kinds: str) -> NDArray[Any] | None:
    """The one-dimensional array (n,) of a .npy whose dtype is one of `kinds`; else None."""
    with source.path.open("rb") as file:
        header, present = _opened(source, file)
        if header.dtype.kind not in kinds or len(header.shape) != 1:
            return None
        check_size(header, present, source.name)
        if header.dtype.kind in "USiu":
            check_labels(header.count, source.name)
        return load(file, header, source.name, source.reached)


def check_labels(count: int, name: str) -> None:
    """Raise DataError where `count` labels are too many to hold."""
    if count > limits.MAX_LABELS:
        raise DataError(
            f"{name} holds {count:,} labels; the limit is {limits.MAX_LABELS:,}.",
            "Give the vectors without labels.",
        )


def strings(array: NDArray[Any]) -> list[str]:
    """Text or whole numbers (n) as a list of str; what is no character becomes �."""
    if array.dtype.kind == "U" and array.dtype.itemsize:
        array = _with_characters(array)
    return [v.decode(errors="replace") if isinstance(v, bytes) else str(v) for v in array.tolist()]


def _with_characters(text: NDArray[Any]) -> NDArray[Any]:
    """`text` (n) with numbers that stand for no character replaced: Python refuses them, or
    cannot write them down."""
    text = np.ascontiguousarray(text, text.dtype.newbyteorder("="))
    codes = text.view(np.uint32)
    bad = (codes > LAST_CHARACTER) | (codes >> 11 == SURROGATES)
    return np.where(bad, REPLACED, codes).view(text.dtype) if bad.any() else text


register(Reader("npy", "NumPy .npy", (".npy",), Rank.MAGIC,
                lambda head, name: head.startswith(MAGIC), read))  # fmt: skip
