"""The table in a Parquet, Arrow or Feather file: a column of lists, or columns of numbers."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.arrays import Ids, Mask
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.choices import Choices, UnsettledError
from mips_core.data.readers.contract import Source
from mips_core.data.readers.in_child.arrow_batches import (
    BATCH_VALUES,
    MOST_ROWS,
    Batches,
    batches_of,
    faults_told,
)
from mips_core.data.readers.in_child.arrow_columns import (
    ColumnPlan,
    dtype_of,
    element_of,
    numpy_of,
    plan_of,
    storage,
    texts,
)
from mips_core.data.readers.in_child.room import Room, Rows, table_facts
from mips_core.data.readers.names import decode

SHOWN = 5


class BadRows:
    """Rows that cannot be taken: how many, the first few (from 0), and what is wrong first."""

    def __init__(self) -> None:
        self.count, self.shown, self.why = 0, list[int](), ""

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


def parse(source: Source, room: Room, what: str, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Writes the arrays of a table into `room`; its facts."""
    settings = Choices(**choices)
    with faults_told(source, what):
        batches = batches_of(source, room)
        plan = plan_of(batches, source, settings)
        labels, notes, left_out = _items(batches, plan, source, room, settings.skip_bad)
        if plan.queries:
            notes += _queries(batches, plan, source, room, settings.skip_bad)
    offers = replace(plan.offers, queries=plan.queries, bad_rows=left_out)
    return table_facts(labels, [*plan.notes, *notes], offers)


def _items(
    batches: Batches, plan: ColumnPlan, source: Source, room: Room, skip: bool
) -> tuple[list[str] | None, list[str], int]:
    """Writes "vectors"; labels, notes, and how many rows were left out."""
    bad, kept, words, length, start = BadRows(), list[Ids](), list[bytes](), 0, 0
    names = [*plan.vectors, *([plan.label] if plan.label else [])]
    with closing(room.rows("vectors", plan.dtype, plan.d)) as rows:
        for batch in batches.read(names, _most(plan.d)):
            columns = [batch.column(name) for name in plan.vectors]
            if plan.lists:
                block, good = from_lists(columns[0], plan.d, plan.dtype, start, bad)
            else:
                block, good = from_columns(columns, plan.vectors, plan.dtype, start, bad)
            kept.append(start + np.flatnonzero(good))
            start += batch.num_rows
            _add(rows, block, source)
            if plan.label:
                words_here = texts(
                    batch.column(plan.label), source.name, limits.MAX_TEXT_BYTES - length
                )
                words += words_here if good.all() else compress(words_here, good)
                length += sum(map(len, words_here))
    notes = _settle(bad, rows.n, _called(plan), source, plan, skip)
    if bad.count:
        room.save("kept", np.concatenate(kept))
    if not plan.label:
        return None, notes, bad.count
    labels, more = decode(words)
    return labels, [*notes, *more], bad.count


def _queries(
    batches: Batches, plan: ColumnPlan, source: Source, room: Room, skip: bool
) -> list[str]:
    """Writes "queries"; notes."""
    kind = element_of(batches.schema.field(plan.queries).type)
    bad, start, width = BadRows(), 0, plan.d
    with closing(room.rows("queries", dtype_of(kind), width)) as rows:
        for batch in batches.read([plan.queries], _most(width)):
            block, _ = from_lists(batch.column(plan.queries), width, rows.dtype, start, bad)
            start += batch.num_rows
            _add(rows, block, source)
    return [
        f"Column “{plan.queries}” is taken as queries.",
        *_settle(bad, rows.n, f"column “{plan.queries}”", source, plan, skip),
    ]


def _called(plan: ColumnPlan) -> str:
    columns = counted(plan.d, "column", "columns")
    return f"column “{plan.vectors[0]}”" if plan.lists else f"its {columns} of numbers"


def _most(width: int) -> int:
    return max(1, min(MOST_ROWS, BATCH_VALUES // max(1, width)))


def _add(rows: Rows, block: NDArray[Any], source: Source) -> None:
    """Keep a block. Raises DataError beyond the limits."""
    count, width = rows.n + len(block), block.shape[1]
    nbytes = count * width * rows.dtype.itemsize
    if count * width > limits.MAX_VALUES or nbytes > limits.MAX_FILE_BYTES:
        raise DataError(
            f"{source.name} holds more than {rows.n:,} rows of {width:,} numbers; the limits are "
            f"{limits.MAX_VALUES:,} numbers and {limits.MAX_FILE_BYTES / 2**20:,.0f} MB.",
            "Give its first rows only.",
        )
    rows.add(block)


def _settle(
    bad: BadRows, n: int, column: str, source: Source, plan: ColumnPlan, skip: bool
) -> list[str]:
    """A note on rows left out. Raises DataError where they may not be or none is left."""
    if not bad.count:
        return []
    if skip and n:
        rows = counted(bad.count, "row was", "rows were")
        why = f"for missing numbers or another length (row {bad.places})"
        return [f"{column[0].upper()}{column[1:]}: {rows} left out {why}."]
    rows = counted(bad.count - 1, "more row", "more rows")
    more = f"; {rows} cannot be taken either" if bad.count > 1 else ""
    fault = f"{source.name}, {column}: row {bad.shown[0]:,} {bad.why}{more}."
    numbers = counted(plan.d, "number", "numbers")
    remedy = f"Each row needs {numbers}. Correct these rows or leave them out."
    if n == 0:
        raise DataError(fault, remedy)
    raise UnsettledError(fault, remedy, replace(plan.offers, bad_rows=bad.count))


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
        numbers = counted(counts[first], "number", "numbers")
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


def _kept(column: pa.Array, mask: Mask) -> pa.Array:
    bits = pa.py_buffer(np.packbits(mask, bitorder="little").tobytes())
    return column.filter(pa.Array.from_buffers(pa.bool_(), len(mask), [None, bits]))
