"""The table in a Parquet, Arrow or Feather file: a column of lists, or columns of numbers."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from typing import Any

import pyarrow as pa
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.arrays import Mask
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.choices import Choices, UnsettledError
from mips_core.data.readers.contract import Source
from mips_core.data.readers.in_child.arrow_batches import (
    BATCH_VALUES,
    MOST_ROWS,
    Batches,
    batches_of,
    damage_told,
)
from mips_core.data.readers.in_child.arrow_columns import Plan, dtype_of, element_of, plan_of, texts
from mips_core.data.readers.in_child.arrow_rows import BadRows, from_columns, from_lists
from mips_core.data.readers.in_child.room import Room, Rows, table_facts
from mips_core.data.readers.names import decode


def parse(source: Source, room: Room, what: str, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Writes the arrays of a table into `room`; its facts."""
    asked = Choices(**choices)
    with damage_told(source, what):
        batches = batches_of(source, room)
        plan = plan_of(batches, source, asked)
        labels, notes, left_out = _items(batches, plan, source, room, asked.skip_bad)
        if plan.queries:
            notes += _queries(batches, plan, source, room, asked.skip_bad)
    offers = replace(plan.offers, queries=plan.queries, bad_rows=left_out)
    return table_facts(labels, [*plan.notes, *notes], offers)


def _items(
    batches: Batches, plan: Plan, source: Source, room: Room, skip: bool
) -> tuple[list[str] | None, list[str], int]:
    """Writes "vectors"; labels, notes, and how many rows were left out."""
    bad, words, length, start = BadRows(), list[bytes](), 0, 0
    names = [*plan.vectors, *([plan.label] if plan.label else [])]
    with room.rows("vectors", plan.dtype, plan.d) as rows:
        for batch in batches.read(names, _most(plan.d)):
            block, good = _block(batch, plan, start, bad)
            start += batch.num_rows
            _add(rows, block, source)
            if plan.label:
                found = texts(batch.column(plan.label), source.name, limits.MAX_TEXT_BYTES - length)
                words += found if good.all() else compress(found, good)
                length += sum(map(len, found))
    notes = _settle(bad, rows.n, _called(plan), source, plan, skip)
    if not plan.label:
        return None, notes, bad.count
    labels, more = decode(words)
    return labels, [*notes, *more], bad.count


def _queries(batches: Batches, plan: Plan, source: Source, room: Room, skip: bool) -> list[str]:
    """Writes "queries"; notes."""
    kind = element_of(batches.schema.field(plan.queries).type)
    bad, start, width = BadRows(), 0, plan.d
    with room.rows("queries", dtype_of(kind), width) as rows:
        for batch in batches.read([plan.queries], _most(width)):
            block, _ = from_lists(batch.column(plan.queries), width, rows.dtype, start, bad)
            start += batch.num_rows
            _add(rows, block, source)
    return [
        f"Column “{plan.queries}” is taken as queries.",
        *_settle(bad, rows.n, f"column “{plan.queries}”", source, plan, skip),
    ]


def _called(plan: Plan) -> str:
    columns = counted(plan.d, "column", "columns")
    return f"column “{plan.vectors[0]}”" if plan.lists else f"its {columns} of numbers"


def _most(width: int) -> int:
    return max(1, min(MOST_ROWS, BATCH_VALUES // max(1, width)))


def _block(
    batch: pa.RecordBatch, plan: Plan, start: int, bad: BadRows
) -> tuple[NDArray[Any], Mask]:
    columns = [batch.column(name) for name in plan.vectors]
    if plan.lists:
        return from_lists(columns[0], plan.d, plan.dtype, start, bad)
    return from_columns(columns, plan.vectors, plan.dtype, start, bad)


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
    bad: BadRows, kept: int, column: str, source: Source, plan: Plan, skip: bool
) -> list[str]:
    """A note on rows left out. Raises DataError where they may not be or none is left."""
    if not bad.count:
        return []
    if skip and kept:
        rows = counted(bad.count, "row was", "rows were")
        why = f"for missing numbers or another length (row {bad.places})"
        return [f"{column[0].upper()}{column[1:]}: {rows} left out {why}."]
    rows = counted(bad.count - 1, "more row", "more rows")
    more = f"; {rows} cannot be taken either" if bad.count > 1 else ""
    found = f"{source.name}, {column}: row {bad.shown[0]:,} {bad.why}{more}."
    numbers = counted(plan.d, "number", "numbers")
    remedy = f"Each row needs {numbers}. Correct these rows or leave them out."
    if kept == 0:
        raise DataError(found, remedy)
    raise UnsettledError(found, remedy, replace(plan.offers, bad_rows=bad.count))
