"""Numbers of text and of JSON to rows of a matrix."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix

MINUS = "−".encode()
_NUMBER_TYPES = {int, float}  # not bool


def matrix_of_text(text: bytes, n: int, d: int, separator: bytes) -> Matrix | None:
    """float32 (n, d) of n lines with d numbers each; None where the text is anything else.

    Numbers are separated by `separator`: b" " for blanks and tabs, b"," for a comma, perhaps with
    blanks. A number too large for float32 becomes an infinity.
    """
    if n == 0:
        return np.empty((0, d), np.float32)
    if b"_" in text:  # which Python allows within a number
        return None
    lines = text.replace(MINUS, b"-").split(b"\n")
    rows = [line.split() if separator == b" " else line.split(separator) for line in lines]
    if len(rows) != n or not {d}.issuperset(map(len, rows)):
        return None
    try:
        values = np.fromiter(map(float, chain.from_iterable(rows)), np.float64, n * d)
    except ValueError:
        return None
    with np.errstate(over="ignore"):
        return values.astype(np.float32).reshape(n, d)


def is_numbers(value: Any) -> bool:
    """Whether a JSON value is a list of numbers, with at least one."""
    return type(value) is list and bool(value) and _NUMBER_TYPES.issuperset(map(type, value))


def matrix_of(rows: Sequence[Any], d: int) -> Matrix | None:
    """float32 (b, d) of b lists of d numbers; None where one of them is anything else."""
    if not {list}.issuperset(map(type, rows)) or not {d}.issuperset(map(len, rows)):
        return None
    if not _NUMBER_TYPES.issuperset(map(type, chain.from_iterable(rows))):
        return None
    try:
        with np.errstate(over="ignore"):
            flat = np.fromiter(chain.from_iterable(rows), np.float64, len(rows) * d)
            return flat.astype(np.float32).reshape(len(rows), d)
    except OverflowError:  # a whole number of more than 308 digits
        return None


def matrix_of_cells(cells: Sequence[str], d: int) -> Matrix | None:
    """float32 (b, d) of b cells such as [0.1, 0.2] or [0.1 0.2]; None for any other text."""
    if not all(cell[:1] == "[" and cell[-1:] == "]" for cell in cells):
        return None
    commas = any("," in cell for cell in cells)
    separator = b"," if commas else b" "
    text = "\n".join([cell[1:-1].replace("\n", " ") for cell in cells])
    return matrix_of_text(text.encode(), len(cells), d, separator)
