"""A table of ratings read line by line, which finds the place of every fault."""

import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.ratings.blocks import BATCH, Entry, RatingFaults
from mips_core.data.ratings.columns import RatingRoles
from mips_core.data.ratings.layout import RatingsLayout, stripped
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.dialect import BrokenRowError, Row
from mips_core.data.readers.text import lines as text

NOT_A_NUMBER = re.compile(r"[_a-df-zA-DF-Z]")  # float() takes 1_000, nan and infinity
SHOWN_CHARACTERS = 40


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
    with (
        source.path.open("rb") as file,
        io.TextIOWrapper(file, encoding, newline="\n") as lines,
    ):
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
    commas = [cell for cell in cells if text.is_decimal_comma(cell)]
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
