"""A table of ratings: read by Arrow, column by column, where it is regular, or line by line."""

import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import numpy as np

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.ratings.blocks import (
    BATCH,
    Block,
    Entry,
    FileRatings,
    Gathered,
    Names,
    RatingFaults,
)
from mips_core.data.ratings.columns import RatingRoles
from mips_core.data.ratings.layout import RatingsLayout, stripped
from mips_core.data.ratings.ratings import Codes
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.by_arrow import arrow_options
from mips_core.data.readers.csv.dialect import BrokenRowError, Row
from mips_core.data.readers.ratings_signs import TIME
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.lines import encoding_of
from mips_core.data.readers.text.numbers import is_decimal_comma

BLOCK_BYTES = 4 * 2**20
NOT_A_NUMBER = re.compile(r"[_a-df-zA-DF-Z]")  # float() takes 1_000, nan and infinity
SHOWN_CHARACTERS = 40


def read_triples(
    source: Source, layout: RatingsLayout, roles: RatingRoles, gathered: Gathered, *, skip_bad: bool
) -> FileRatings:
    """The ratings of a table: by Arrow, or line by line where anything is out of the ordinary.

    Raises DataError where lines are bad and not to be left out.
    """
    blocks = _read_regular(source, layout, roles, gathered)
    if blocks is not None:
        return FileRatings(source, blocks, [])
    encoding, notes = encoding_of(source)
    faults = RatingFaults(source.name, skip_bad)
    entries = entries_of(rows_of(source, layout, encoding), layout, roles, faults)
    blocks = gathered.blocks(entries, valued=roles.value is not None)
    return FileRatings(source, blocks, [*notes, *faults.notes()], bad_lines=faults.rows)


def _read_regular(
    source: Source, layout: RatingsLayout, roles: RatingRoles, gathered: Gathered
) -> list[Block] | None:
    """Blocks of ratings; None for anything out of the ordinary."""
    import pyarrow  # slow to import, and not needed by small files
    import pyarrow.csv

    before, blocks = gathered.count, []
    try:
        with (
            pyarrow.OSFile(str(source.path)) as file,
            pyarrow.csv.open_csv(file, *_options(layout, roles)) as batches,
        ):
            for batch in batches:
                block = _block(batch, layout, roles, gathered)
                if block is None:
                    break
                blocks.append(block)
                source.reached(file.tell())
            else:
                return blocks
    except DataError:  # a limit, and a ValueError
        raise
    except (pyarrow.ArrowException, ValueError, OSError):
        pass
    gathered.count = before
    return None


def _block(
    batch: Any, layout: RatingsLayout, roles: RatingRoles, gathered: Gathered
) -> Block | None:
    def column(j: int) -> Any:
        return batch.column(_place(layout, j))

    users = _codes(column(roles.user), gathered.users)
    items = _codes(column(roles.item), gathered.items)
    if users is None or items is None:
        return None
    values = None if roles.value is None else _numbers(column(roles.value))
    if values is not None and not (np.abs(values) <= MAX_MAGNITUDE).all():  # NaN is False
        return None
    times = None if roles.time is None else _numbers(column(roles.time))
    return gathered.coded(users, items, values, times)


def _codes(column: Any, names: Names) -> Codes | None:
    """Codes of ids; None where one is empty or holds a quote."""
    encoded = column.dictionary_encode()
    words = [word.strip() for word in encoded.dictionary.to_pylist()]
    if not all(words) or any('"' in word for word in words):
        return None
    return names.codes(words)[encoded.indices.to_numpy()]


def _numbers(column: Any) -> np.ndarray:
    """A column of numbers or times as float64, NaN where it is empty."""
    import pyarrow

    if pyarrow.types.is_timestamp(column.type):
        moments = column.cast(pyarrow.int64()).cast(pyarrow.float64())
        return np.asarray(moments.to_numpy(zero_copy_only=False)) / 1e6
    return np.asarray(column.to_numpy(zero_copy_only=False), np.float64)


def _place(layout: RatingsLayout, j: int) -> str:
    """Name of column j for Arrow, which sees an empty column inside each “::”."""
    return str(2 * j if layout.dialect.separator == "::" else j)


def _options(layout: RatingsLayout, roles: RatingRoles) -> tuple[Any, Any, Any]:
    import pyarrow

    double = layout.dialect.separator == "::"
    width = 2 * layout.width - 1 if double else layout.width
    types = {str(j): pyarrow.null() for j in range(1, width, 2)} if double else {}
    types |= {_place(layout, j): pyarrow.string() for j in (roles.user, roles.item)}
    if roles.value is not None:
        types[_place(layout, roles.value)] = pyarrow.float64()
    if roles.time is not None:
        types[_place(layout, roles.time)] = _time_type(layout.columns[roles.time].cells)
    decimal = decimal_of(layout.cells(roles.value))
    return arrow_options(layout.dialect, width, layout.skip, BLOCK_BYTES, types, decimal, [""])


def _time_type(cells: tuple[str, ...]) -> Any:
    """Arrow's type for times: numbers, or dates as ISO 8601 writes them."""
    import pyarrow

    dates = cells and all("-" in cell and TIME.fullmatch(cell) for cell in cells)
    return pyarrow.timestamp("us") if dates else pyarrow.float64()


def entries_of(
    rows: Iterable[Row], layout: RatingsLayout, roles: RatingRoles, faults: RatingFaults
) -> Iterator[Entry]:
    """The ratings of the good rows, 1 where the file has none; the others are noted."""
    decimal = decimal_of(layout.cells(roles.value))
    for at, cells in rows:
        if len(cells) < layout.width or any(cells[layout.width :]):
            what = f"{counted(len(cells), 'cell', 'cells')} where {layout.width:,} are expected"
            open_quote = any("\n" in cell for cell in cells)
            faults.add("a quote that is not closed" if open_quote else what, at)
            continue
        user, item = cells[roles.user], cells[roles.item]
        cell = "1" if roles.value is None else cells[roles.value]
        value = usable_rating(user, item, cell, at, faults, decimal)
        if value is not None:
            yield user, item, value, math.nan if roles.time is None else time_of(cells[roles.time])


def usable_rating(
    user: str, item: str, cell: str, at: int, faults: RatingFaults, decimal: str = "."
) -> float | None:
    """The number in `cell`; None for a rating without a user, an item or a number, which is noted.

    `at` is the place of its line or row.
    """
    value = number_of(cell, decimal)
    if not user or not item:
        faults.add("no item" if user else "no user", at)
        return None
    if value is None:
        faults.add(f"“{cell[:SHOWN_CHARACTERS]}” as rating" if cell else "no rating", at)
    return value


def rows_of(source: Source, layout: RatingsLayout, encoding: str) -> Iterator[Row]:
    """Lines that are not blank, from the first rating on. Raises DataError for a broken one."""
    at = 0
    lines = islice(lines_of(source, encoding), layout.skip, None)
    try:
        for at, cells in stripped(lines, layout.dialect):
            if any(cells):
                yield layout.skip + at, cells
    except BrokenRowError as error:
        raise error.refusal(source.name, f" after line {layout.skip + at:,}") from None


def lines_of(source: Source, encoding: str) -> Iterator[str]:
    """All lines as text, with progress. Raises DataError for one that goes on and on."""
    with source.path.open("rb") as file, io.TextIOWrapper(file, encoding, newline="\n") as lines:
        number = 0
        while line := lines.readline(text.LINE_BYTES + 1):
            number += 1
            if len(line) > text.LINE_BYTES:
                raise text.too_long(source, number, "A file of ratings has one rating a line.")
            if number % BATCH == 0:
                source.reached(file.tell())
            yield line if line[-1] == "\n" else f"{line}\n"


def decimal_of(cells: Sequence[str]) -> str:
    """The decimal sign: a comma where ratings are written so and not all as thousands."""
    commas = [cell for cell in cells if is_decimal_comma(cell)]
    thousands = all(re.search(r",\d{3}$", cell) for cell in commas)
    return "," if commas and not thousands and not any("." in cell for cell in cells) else "."


def number_of(cell: str, decimal: str = ".") -> float | None:
    """A rating as a finite number; None for any other text."""
    cell = cell.replace("−", "-")
    if decimal == ",":
        cell = cell.replace(",", ".")
    try:
        value = float(cell)
    except ValueError:
        return None
    usable = not NOT_A_NUMBER.search(cell) and abs(value) <= MAX_MAGNITUDE
    return value if usable else None


def time_of(cell: str) -> float:
    """Seconds of a date as ISO 8601 writes it, a number as it is; NaN for anything else."""
    try:
        return float(cell)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(cell)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return math.nan
