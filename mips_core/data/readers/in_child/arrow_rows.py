"""Vectors and labels out of batches of typed columns, and the rows that hold none."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import types

from mips_core.base.arrays import Ids, Mask
from mips_core.data.readers.in_child.arrow_columns import dtype_of, storage

SHOWN = 5


@dataclass
class BadRows:
    """Rows that cannot be taken: how many, the first few (from 0), and what is wrong first."""

    count: int = 0
    shown: list[int] = field(default_factory=list)
    why: str = ""

    def add(self, rows: Ids, why: str) -> None:
        """More of them, for one reason."""
        if len(rows) and (not self.shown or rows[0] < self.shown[0]):
            self.why = why
        self.shown = sorted({*self.shown, *rows[:SHOWN].tolist()})[:SHOWN]
        self.count += len(rows)

    @property
    def places(self) -> str:
        """“2, 5, 9 …”."""
        more = " …" if self.count > len(self.shown) else ""
        return ", ".join(f"{row:,}" for row in self.shown) + more


def from_lists(
    column: pa.Array, d: int, dtype: np.dtype[Any], start: int, bad: BadRows
) -> tuple[NDArray[Any], Mask]:
    """Rows (b, d) of a column of lists, and which (of its rows) they are. `start` is its first row.

    Rows without a list, of another length or with a missing number go to `bad`.
    """
    lists = storage(column)
    counts = numpy_of(pc.list_value_length(lists), missing=-1)
    good = counts == d
    if not good.all():
        first = int(np.flatnonzero(~good)[0])
        numbers = "1 number" if counts[first] == 1 else f"{counts[first]:,} numbers"
        why = "has no list" if counts[first] < 0 else f"has {numbers} where {d:,} are needed"
        bad.add(start + np.flatnonzero(~good), why)
        lists = _kept(lists, good)
    values = lists.flatten()
    if values.null_count:
        missing = numpy_of(values.is_null()).reshape(-1, d).any(axis=1)
        rows = np.flatnonzero(good)[missing]
        bad.add(start + rows, "has a missing number in its list")
        good[rows] = False
        values = _kept(lists, np.logical_not(missing)).flatten()
    return numpy_of(values).astype(dtype, copy=False).reshape(-1, d), good


def from_columns(
    columns: Sequence[pa.Array],
    names: Sequence[str],
    dtype: np.dtype[Any],
    start: int,
    bad: BadRows,
) -> tuple[NDArray[Any], Mask]:
    """Rows (b, d) of d columns of numbers, as `from_lists` does."""
    block = np.empty((len(columns[0]), len(columns)), dtype)
    good = np.ones(len(block), bool)
    first, why = len(block), ""
    for j, column in enumerate(columns):
        if column.null_count:
            missing = numpy_of(column.is_null())
            good &= ~missing
            if (row := int(missing.argmax())) < first:
                first, why = row, f"has no number in column “{names[j]}”"
        block[:, j] = numpy_of(column)
    bad.add(start + np.flatnonzero(~good), why)
    return (block if good.all() else block[good]), good


def numpy_of(column: pa.Array, missing: int = 0) -> NDArray[Any]:
    """Numbers or truth values of Arrow (b) as NumPy has them; `missing` where there is none.

    Arrow's own ways would import pandas, which takes longer than many files do.
    """
    if types.is_boolean(column.type):
        return numpy_of(column.cast(pa.uint8()), missing).view(bool)
    if types.is_decimal(column.type):
        column = column.cast(pa.float64())
    dtype, data = dtype_of(column.type), column.buffers()[1]
    if len(column) == 0 or data is None:
        return np.empty(0, dtype)
    values = np.frombuffer(data, dtype, len(column), column.offset * dtype.itemsize)
    if column.null_count:
        values = values.copy()
        values[numpy_of(column.is_null())] = missing
    return values


def _kept(column: pa.Array, mask: Mask) -> pa.Array:
    bits = pa.py_buffer(np.packbits(mask, bitorder="little").tobytes())
    return column.filter(pa.Array.from_buffers(pa.bool_(), len(mask), [None, bits]))
