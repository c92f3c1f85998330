"""What the columns of a Parquet or Arrow file are, told from their types and first rows."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import types

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.choices import NONE, Choices, Offers, RatingsFileError
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.column_roles import NoNumbersError, assign_columns
from mips_core.data.readers.csv.columns import Columns
from mips_core.data.readers.foreign import RATINGS
from mips_core.data.readers.in_child.arrow_batches import Batches
from mips_core.data.readers.names import quoted
from mips_core.data.readers.ratings_signs import are_ratings

SAMPLE_ROWS = 100
SAMPLE_CELLS = 50_000
SHOWN_TEXT = 200  # bytes of a cell in the sample


@dataclass(frozen=True)
class ColumnPlan:
    """The columns that hold vectors, one where they are lists, of `d` numbers; and the others."""

    vectors: tuple[str, ...]
    lists: bool
    d: int
    dtype: np.dtype
    queries: str
    label: str
    notes: tuple[str, ...]
    offers: Offers


def plan_of(batches: Batches, source: Source, choices: Choices) -> ColumnPlan:
    """Which columns to take. Raises DataError where there is none, UnsettledError for several."""
    schema, name = batches.schema, source.name
    check_names(schema, name)
    kinds = [kind_of(field.type) for field in schema]
    index = _index_of_pandas(schema)
    kinds = ["text" if f.name in index and k == "number" else k
             for f, k in zip(schema, kinds, strict=True)]  # fmt: skip
    if "list" not in kinds and are_ratings(schema.names) and not source.not_ratings:
        raise RatingsFileError(f"{name} is a table of ratings, not vectors.", RATINGS)
    if not {"list", "number"} & {*kinds}:
        raise _no_numbers(schema, name)
    sample, lengths = _sample(batches, kinds, name)
    kinds = ["empty" if k == "list" and j not in lengths else k for j, k in enumerate(kinds)]
    shown = tuple("index" if f.startswith("__index_level_") else f for f in schema.names)
    columns = Columns(name, kinds, shown, sample, True, lengths)
    try:
        roles = assign_columns(columns, choices)
    except NoNumbersError:
        raise _no_numbers(schema, name) from None
    taken = [schema.field(j) for j in roles.vectors]
    return ColumnPlan(
        tuple(field.name for field in taken),
        roles.lists,
        roles.d,
        np.result_type(*[dtype_of(element_of(field.type)) for field in taken]),
        _queries(columns, choices, schema),
        "" if roles.label is None else schema.names[roles.label],
        roles.notes,
        replace(roles.offers, header=None, alternatives=False),
    )


def _no_numbers(schema: pa.Schema, name: str) -> DataError:
    """The refusal of a table without vectors, with the types of its columns."""
    fields = ", ".join(f"“{f.name}” ({str(f.type)[:40]})" for f in list(schema)[:6])
    return DataError(
        f"{name} has no column of coordinates or of lists of numbers: {fields or 'it is empty'}.",
        "Store the vectors as one column of lists of numbers, or one column of numbers a "
        "dimension; of bytes, numpy.frombuffer makes numbers.",
    )


def check_names(schema: pa.Schema, name: str) -> None:
    """Raise DataError where two columns have one name."""
    twice = [column for column, count in Counter(schema.names).items() if count > 1]
    if twice:
        raise DataError(
            f"{name} has {len(twice)} names of columns twice: {quoted(twice)}.",
            "Give each column a name of its own.",
        )


def kind_of(kind: pa.DataType) -> str:
    """list, number, text, empty or other."""
    element = element_of(kind)
    if element is not kind:
        return "list" if _is_number(element) or types.is_boolean(element) else "other"
    text = kind.value_type if types.is_dictionary(kind) else kind
    if _is_text(text):
        return "text"
    if types.is_null(kind):
        return "empty"
    return "number" if _is_number(kind) else "other"


def element_of(kind: pa.DataType) -> pa.DataType:
    """The type of what lists hold; any other type as it is."""
    if isinstance(kind, pa.FixedShapeTensorType) and len(kind.shape) == 1:
        kind = kind.storage_type
    lists = (types.is_list, types.is_large_list, types.is_fixed_size_list, types.is_list_view,
             types.is_large_list_view)  # fmt: skip
    return kind.value_type if any(test(kind) for test in lists) else kind


def dtype_of(kind: pa.DataType) -> np.dtype:
    """NumPy's dtype for a number of Arrow; float64 for decimals."""
    return np.dtype(np.float64 if types.is_decimal(kind) else kind.to_pandas_dtype())


def _is_number(kind: pa.DataType) -> bool:
    return types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)


def _is_text(kind: pa.DataType) -> bool:
    tests = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary,
             types.is_large_binary, types.is_binary_view)  # fmt: skip
    return any(test(kind) for test in tests)


def _index_of_pandas(schema: pa.Schema) -> set[str]:
    """Columns that pandas wrote for the index of its table."""
    try:
        index = json.loads((schema.metadata or {})[b"pandas"])["index_columns"]
        return {name for name in index if isinstance(name, str)}
    except (KeyError, TypeError, ValueError, RecursionError):
        return set()


def _sample(
    batches: Batches, kinds: Sequence[str], name: str
) -> tuple[list[list[str]], dict[int, int]]:
    """The first rows as text, "" for lists; and how many numbers most lists of a column have."""
    fields = list(zip(batches.schema.names, kinds, strict=True))
    wanted = [column for column, kind in fields if kind != "other"]
    rows = max(3, min(SAMPLE_ROWS, SAMPLE_CELLS // max(1, len(wanted))))
    batch = next((b.slice(0, rows) for b in batches.read(wanted, rows) if b.num_rows), None)
    if batch is None:
        raise DataError(f"{name} holds no rows.", "A table needs one vector a row.")
    cells, lengths = [], {}
    for j, (column, kind) in enumerate(fields):
        cells.append([""] * batch.num_rows)
        if kind == "list":
            found = pc.list_value_length(storage(batch.column(column))).to_pylist()
            counts = Counter(count for count in found if count)
            if counts:
                lengths[j] = counts.most_common(1)[0][0]
        elif kind != "other":
            found = texts(batch.column(column), name)
            cells[j] = [text[:SHOWN_TEXT].decode(errors="replace") for text in found]
    return [list(row) for row in zip(*cells, strict=True)], lengths


def storage(column: pa.Array) -> pa.Array:
    """The lists of a column of tensors; any other column as it is."""
    return column.storage if isinstance(column, pa.ExtensionArray) else column


def texts(column: pa.Array, name: str, room: int = limits.MAX_TEXT_BYTES) -> list[bytes]:
    """Text, or numbers as text; b"" where there is none. Raises DataError beyond `room` bytes."""
    if _is_number(column.type):
        return [b"" if v is None else str(v).encode() for v in column.to_pylist()]
    if types.is_dictionary(column.type):
        if kind_of(column.type) != "text":
            return [b""] * len(column)
        words = texts(column.dictionary, name, room)
        encoded = [b"" if place is None else words[place] for place in column.indices.to_pylist()]
    elif types.is_null(column.type):
        return [b""] * len(column)
    else:
        encoded = [text or b"" for text in column.cast(pa.large_binary()).to_pylist()]
    if sum(map(len, encoded)) > room:
        raise DataError(
            f"{name} holds more than {limits.MAX_TEXT_BYTES / 2**20:,.0f} MB of text in one column,"
            " which is the limit for labels.",
            "Choose another column as labels, or none.",
        )
    return encoded


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


def _queries(columns: Columns, choices: Choices, schema: pa.Schema) -> str:
    """The column of lists chosen as queries, or ""."""
    if choices.queries in ("", NONE):
        return ""
    lists = {columns.choosable[j]: schema.names[j] for j in columns.of("list")}
    if choices.queries not in lists:
        raise DataError(
            f"{columns.file} has no column of lists “{choices.queries}” for queries.",
            f"It has: {quoted(lists) or 'none'}.",
        )
    return lists[choices.queries]
