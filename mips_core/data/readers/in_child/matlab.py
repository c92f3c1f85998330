"""The table in a MATLAB file of version 5 to 7: a matrix, with a cell of texts as labels."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat, whosmat

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.array_roles import assign
from mips_core.data.readers.arrays.named_arrays import TEXT, NamedArray, as_lists
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import AGAIN, Source, damage_told
from mips_core.data.readers.in_child.room import Room, table_facts

NUMBERS = {"single": "<f4", "double": "<f8", "logical": "|u1"} | {
    f"{sign}int{8 * size}": f"<{sign or 'i'}{size}" for sign in ("", "u") for size in (1, 2, 4, 8)
}


def parse(source: Source, room: Room, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Writes the arrays of a table into `room`; its facts. Runs in the child."""
    faults = (Exception,)  # SciPy has no error of its own for files that are damaged
    with damage_told(f"{source.name} is a MATLAB file", faults):
        listed = whosmat(str(source.path), appendmat=False)
        arrays = _known(listed)
        roles = assign(arrays, Choices(**choices), source.name)
        taken, names = roles.numbers, roles.names
        _check_sizes(arrays, names, source)
        room.allow(sum(_nbytes(arrays[name]) for name in taken.values()) + source.size)
        held = loadmat(str(source.path), appendmat=False, variable_names=names)
        for role, name in taken.items():
            room.save(role, _numbers(held[name], arrays[name], source.name))
    labels = _labels(held[roles.label]) if roles.label else None
    sideways = ["vectors"] if roles.transposed else []
    return table_facts(labels, roles.notes, roles.offers, sideways)


def _known(listed: list[tuple[str, tuple[int, ...], str]]) -> dict[str, NamedArray]:
    """What is known of each variable."""
    sizes = as_lists({name: shape for name, shape, kind in listed if kind in NUMBERS})
    arrays = {}
    for name, shape, kind in listed:
        flat = len(shape) == 2 and 1 in shape
        if kind in NUMBERS:
            arrays[name] = NamedArray(sizes[name], np.dtype(NUMBERS[kind]))
        elif kind == "cell" and flat:
            arrays[name] = NamedArray((prod(shape),), np.dtype(object), TEXT)
        elif kind == "char" and len(shape) == 1:  # a text a row, of equal lengths with blanks
            arrays[name] = NamedArray(shape, np.dtype(object), TEXT)
        else:
            arrays[name] = NamedArray(shape, np.dtype(object), kind)
    return arrays


def _nbytes(array: NamedArray) -> int:
    return prod(array.shape) * array.dtype.itemsize


def _check_sizes(arrays: Mapping[str, NamedArray], names: list[str], source: Source) -> None:
    """Raise DataError for more numbers than the limit, or more than the file can have packed."""
    most = max(limits.SMALL_UNPACKED_BYTES, limits.MAX_EXPANSION * source.size)
    for name in names:
        array = arrays[name]
        if prod(array.shape) > limits.MAX_VALUES or _nbytes(array) > limits.MAX_FILE_BYTES:
            raise DataError(
                f"{source.name}, “{name}”, is {array.about}, more than the limit of "
                f"{limits.MAX_VALUES:,} numbers.",
                "Give its first rows only.",
            )
        if _nbytes(array) > most:
            raise DataError(f"{source.name}, “{name}”, promises more than it can hold.", AGAIN)


def _numbers(array: NDArray[Any], announced: NamedArray, file: str) -> NDArray[Any]:
    """An array as it was announced. Raises DataError for complex numbers."""
    if array.dtype.kind == "c":
        raise DataError(f"{file} holds complex numbers.", "Real numbers are needed.")
    array = array.reshape(announced.shape, order="F")
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


def _labels(array: NDArray[Any]) -> list[str]:
    """Texts of cells or of rows of characters, or whole numbers; "" for a cell without text."""
    if array.dtype.kind != "O":
        return [str(value).rstrip(" ") for value in array.reshape(-1).tolist()]
    texts = []
    for cell in array.reshape(-1):
        text = isinstance(cell, np.ndarray) and cell.dtype.kind == "U" and cell.size == 1
        texts.append(str(cell.reshape(-1)[0]) if text else "")
    return texts
