"""Lists of numbers, as JSON gives them or as text in a cell, to rows of a matrix."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.data.readers.text.decimals import matrix_of_text

_NUMBER_TYPES = {int, float}  # not bool


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
