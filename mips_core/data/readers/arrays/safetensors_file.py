"""safetensors: 8 bytes of length, a JSON header of that length, then the numbers of all tensors.

Format: https://huggingface.co/docs/safetensors. It is parsed here, because bfloat16 and the 8-bit
floats must be read, which NumPy does not know, and because every claim of a header is checked.
bfloat16 is the upper half of a float32. float8 as in Micikevicius et al. (2022), "FP8 formats for
deep learning", arXiv:2209.05433: e5m2 is the upper half of a float16; e4m3 has no infinities and
one NaN of each sign.
"""

import json
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.arrays import npy
from mips_core.data.readers.arrays.array_roles import assign
from mips_core.data.readers.arrays.binary import fill
from mips_core.data.readers.arrays.named_arrays import NamedArray, shown
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import AGAIN, Rank, Reader, Source, Table, register
from mips_core.data.readers.json.stream import RepeatedNameError, unique

START = 8  # bytes before the header
METADATA = "__metadata__"
UNNAMED = "unnamed"  # a tensor called "" in the file; "" stands for none
MOST_AXES = 64  # as in NumPy
DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?", "C64": "<c8",
    "BF16": "<u2", "F8_E4M3": "u1", "F8_E5M2": "u1",
}  # fmt: skip
"""Kinds of numbers, and in which dtype their bytes are read."""

FLOAT32_OF = ("BF16", "F8_E4M3", "F8_E5M2")  # kinds that come as float32, which holds each
BLOCK = 2**20
NAMES = {"BF16": "bfloat16", "F8_E4M3": "float8 (e4m3)", "F8_E5M2": "float8 (e5m2)"}


@dataclass(frozen=True)
class Tensor:
    """What the header claims of one tensor, checked against the size of the file."""

    kind: str  # of DTYPES, or another
    shape: tuple[int, ...]
    start: int  # byte in the file
    stop: int

    @property
    def known(self) -> NamedArray:
        """It, as roles are told by; kinds not read here are no numbers."""
        stored = NAMES.get(self.kind, "" if self.kind in DTYPES else self.kind)
        if self.kind in FLOAT32_OF:
            return NamedArray(self.shape, np.dtype(np.float32), stored)
        return NamedArray(self.shape, np.dtype(DTYPES.get(self.kind, "V1")), stored)


def matches(head: bytes, name: str) -> bool:
    """A plausible length followed by the beginning of a JSON object."""
    return head[5:9] == b"\0\0\0{" and int.from_bytes(head[:8], "little") >= 2


def read(source: Source, choices: Choices) -> Table:
    """Items, queries and bias by their names, or by `choices`.

    Numbers NumPy has no dtype for (bfloat16, 8-bit floats) come as float32, which holds each of
    them exactly. Raises UnsettledError listing the matrices of a model.
    """
    tensors = _tensors(source)
    claims = {name: tensor.known for name, tensor in tensors.items()}
    roles = assign(claims, choices, source.name)
    count = sum(prod(tensors[name].shape) for name in roles.names)
    if count > limits.MAX_VALUES:
        raise DataError(
            f"{source.name} holds {count:,} numbers in the tensors taken; the limit is "
            f"{limits.MAX_VALUES:,}.",
            "Save the first rows only.",
        )
    if roles.label:
        npy.check_labels(tensors[roles.label].shape[0], source.name)
    arrays = {name: _read(source, name, tensors[name]) for name in roles.names}
    notes = [*roles.notes]
    if tensors[roles.items].kind.startswith("F8"):
        notes.append("8-bit floats are taken as stored; a scale kept beside them is not applied.")
    return roles.table(arrays, notes)


def _read(source: Source, name: str, tensor: Tensor) -> NDArray[Any]:
    stored = np.empty(tensor.shape, DTYPES[tensor.kind])
    with source.path.open("rb") as file:
        file.seek(tensor.start)
        if fill(stored, file, lambda done: source.reached(tensor.start + done)) < stored.nbytes:
            raise DataError(f"{source.name} ended in {shown(name)} while it was read.", AGAIN)
    return widened(stored, tensor.kind) if tensor.kind in FLOAT32_OF else stored


def _tensors(source: Source) -> dict[str, Tensor]:
    """All tensors, in the order of their bytes. Raises DataError where the header is unsound."""
    length = int.from_bytes(source.head[:START], "little")
    if length > limits.MAX_HEADER_BYTES:
        raise DataError(
            f"{source.name} has a header of {length:,} bytes; the limit is "
            f"{limits.MAX_HEADER_BYTES:,}.",
            "Save the embedding matrix alone.",
        )
    if START + length > source.size:
        raise DataError(
            f"{source.name} is cut short: its header takes {length:,} bytes, the file has "
            f"{source.size:,}.",
            AGAIN,
        )
    with source.path.open("rb") as file:
        file.seek(START)
        header = _parsed(file.read(length), source.name)
    tensors = {
        name or UNNAMED: _tensor(name, entry, START + length, source.name)
        for name, entry in header.items()
        if name != METADATA
    }
    if len(tensors) > limits.MAX_ARRAYS:
        raise DataError(
            f"{source.name} holds {len(tensors):,} tensors; the limit is {limits.MAX_ARRAYS:,}.",
            "Save the embedding matrix alone.",
        )
    ordered = dict(sorted(tensors.items(), key=lambda pair: (pair[1].start, pair[1].stop)))
    _check_places(ordered, START + length, source)
    return ordered


def _parsed(text: bytes, file: str) -> dict[str, Any]:
    """The header as a dict. Raises DataError for anything but JSON with each name once."""

    def refuse(constant: str) -> None:
        raise ValueError

    try:
        header = json.loads(text.decode(), object_pairs_hook=unique, parse_constant=refuse)
        if not isinstance(header, dict):
            raise ValueError
        return header
    except (ValueError, RecursionError, RepeatedNameError):
        raise _damaged(file, "its header is no JSON object with each name once") from None


def _tensor(name: str, entry: Any, data: int, file: str) -> Tensor:
    """One entry of the header; its shape, dtype and bytes agree. `data` is where those begin."""
    try:
        kind, shape, (start, stop) = entry["dtype"], entry["shape"], entry["data_offsets"]
        sizes = [*shape, start, stop]
        if not isinstance(kind, str) or len(shape) > MOST_AXES:
            raise ValueError
        if any(type(size) is not int or not 0 <= size < 2**63 for size in sizes):
            raise ValueError
    except (ValueError, TypeError, KeyError):
        raise _damaged(file, f"{shown(name)} has no sound dtype, shape and place") from None
    if kind in DTYPES and prod(shape) * np.dtype(DTYPES[kind]).itemsize != stop - start:
        size = " × ".join(f"{s:,}" for s in shape) or "one"
        raise _damaged(
            file, f"{shown(name)} is said to be {size} numbers of {kind} in {stop - start:,} bytes"
        )
    return Tensor(kind, tuple(shape), data + start, data + stop)


def _check_places(tensors: dict[str, Tensor], data: int, source: Source) -> None:
    """Raise DataError unless the tensors, in their order, lie end to end and end with the file."""
    at = data
    for name, tensor in tensors.items():
        if tensor.start != at or tensor.stop < at:
            how = "overlaps the tensor before" if tensor.start < at else "leaves a gap before it"
            raise _damaged(source.name, f"{shown(name)} {how}")
        at = tensor.stop
    if at > source.size:
        raise DataError(
            f"{source.name} is cut short: its header promises {at:,} bytes, the file has "
            f"{source.size:,}.",
            AGAIN,
        )
    if at < source.size:
        raise _damaged(source.name, f"{source.size - at:,} bytes after the last tensor are unknown")


def _damaged(file: str, why: str) -> DataError:
    return DataError(f"{file} is a safetensors file that is damaged: {why}.", AGAIN)


def widened(bits: NDArray[Any], kind: str) -> NDArray[np.float32]:
    """The numbers whose bits (any shape, uint16 or uint8) are of `kind`, block by block."""
    out = np.empty(bits.shape, np.float32)
    flat, wide = bits.reshape(-1), out.reshape(-1)
    table = None if kind == "BF16" else _table(kind)
    for start in range(0, len(flat), BLOCK):
        part, to = flat[start : start + BLOCK], wide[start : start + BLOCK]
        if table is None:
            np.left_shift(part, 16, out=to.view(np.uint32), dtype=np.uint32)
        else:
            np.take(table, part, out=to)
    return out


def _table(kind: str) -> NDArray[np.float32]:
    """What each of the 256 bytes stands for."""
    byte = np.arange(256, dtype=np.uint16)
    if kind == "F8_E5M2":
        return (byte << 8).view(np.float16).astype(np.float32)
    exponent, fraction = (byte >> 3 & 15).astype(int), byte & 7
    size = np.where(
        exponent > 0, np.ldexp(1 + fraction / 8, exponent - 7), np.ldexp(fraction / 8, -6)
    )
    size[byte & 127 == 127] = np.nan
    return np.where(byte < 128, size, -size).astype(np.float32)


register(Reader("safetensors", "safetensors", (".safetensors",), Rank.MAGIC, matches, read))
