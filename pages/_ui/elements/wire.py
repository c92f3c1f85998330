"""Values for the browser as one block of bytes: JSON with its arrays set aside.

Components v2 hands raw bytes to JavaScript as they are, without base64 or Arrow. The block is the
length of the JSON (uint32, little-endian), the JSON, and the arrays, each at a multiple of 8. In
the JSON an array is {"$array": [dtype, offset, shape]}. `assets/wire.js` reads it.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

_KEPT = ("float32", "float64", "int32", "uint8")
_AS_IT_IS = frozenset((str, int, float, bool, type(None), np.ndarray))


def pack(value: Any) -> bytes:
    """`value`, a tree of dicts, lists, plain values and numpy arrays, as bytes.

    Raises ValueError for a number outside an array that is not finite: JSON has no such numbers.
    """
    buffers: list[bytes] = []
    aside = partial(_set_aside, buffers)
    text = json.dumps(value, allow_nan=False, separators=(",", ":"), default=aside).encode()
    head = struct.pack("<I", len(text)) + text
    return b"".join([head, _padding(len(head)), *buffers])


def plain(value: Any) -> Any:
    """A dataclass as a dict with names as JavaScript writes them; its values likewise."""
    kind = type(value)
    if kind in _AS_IT_IS:  # nearly all
        return value
    if kind is dict or isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    if kind in (list, tuple) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return [plain(inner) for inner in value]
    if is_dataclass(value):
        return {camel(f.name): plain(getattr(value, f.name)) for f in fields(value)}
    return value


def camel(name: str) -> str:
    """file_name -> fileName."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _set_aside(buffers: list[bytes], value: Any) -> Any:
    """What stands for what JSON does not know: for an array, where it is behind the JSON."""
    if isinstance(value, np.generic):
        return value.item()
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} is nothing that a browser knows.")
    if value.dtype.kind in "UO":
        return value.tolist()
    array = _portable(value)
    offset = sum(map(len, buffers))
    data = array.tobytes()
    buffers.append(data + _padding(len(data)))
    return {"$array": [array.dtype.name, offset, list(array.shape)]}


def _portable(array: np.ndarray) -> np.ndarray:
    """The array in C order, in a little-endian type that browsers know, without loss."""
    if array.dtype == bool:
        array = array.astype(np.uint8)
    elif array.dtype.kind in "iu" and array.dtype != np.uint8:
        low, high = (array.min(), array.max()) if array.size else (0, 0)
        fits = int(low) >= -(2**31) and int(high) < 2**31
        array = array.astype(np.int32 if fits else np.float64)
    elif array.dtype.newbyteorder("=").name not in _KEPT:
        array = array.astype(np.float32 if array.dtype.itemsize < 4 else np.float64)
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return np.ascontiguousarray(little).reshape(array.shape)


def _padding(length: int) -> bytes:
    return bytes(-length % 8)
