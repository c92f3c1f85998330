"""A table of ratings read line by line, which finds the place of every fault."""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.ratings.columns import Roles
from mips_core.data.ratings.gathering import Block, Faults, Gathered
from mips_core.data.ratings.layout import Layout, Row, cells_of
from mips_core.data.readers.contract import Source
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.encodings import encoding_of

BATCH = 65_536
NOT_A_NUMBER = re.compile(r"[_a-df-zA-DF-Z]")  # float() takes 1_000, nan and infinity
SHOWN_CHARACTERS = 40


class RatingLines:
    """Reads one table; faults are refused or left out at the end, with all their places."""

    def __init__(
        self, source: Source, layout: Layout, roles: Roles, gathered: Gathered, *, skip_bad: bool
    ) -> None:
        self.source, self.layout, self.roles, self.gathered = source, layout, roles, gathered
        self.faults = Faults(source.name, skip=skip_bad)
        self.decimal = decimal_of(layout.cells(roles.value))

    def read(self) -> tuple[list[Block], list[str]]:
        """Blocks of ratings and notes. Raises DataError where lines are bad and not to be left."""
        encoding, notes = encoding_of(self.source)
        blocks: list[Block] = []
        users: list[str] = []
        items: list[str] = []
        values: list[float] = []
        times: list[float] = []
        for at, cells in rows_of(self.source, self.layout, encoding):
            value = self._value(at, cells)
            if value is None:
                continue
            users.append(cells[self.roles.user])
            items.append(cells[self.roles.item])
            values.append(value)
            if self.roles.time is not None:
                times.append(time_of(cells[self.roles.time]))
            if len(users) == BATCH:
                blocks.append(self._block(users, items, values, times))
                users, items, values, times = [], [], [], []
        blocks.append(self._block(users, items, values, times))
        return blocks, [*notes, *self.faults.notes()]

    def _block(
        self, users: list[str], items: list[str], values: list[float], times: list[float]
    ) -> Block:
        return self.gathered.block(
            users,
            items,
            values if self.roles.value is not None else None,
            times if self.roles.time is not None else None,
        )

    def _value(self, at: int, cells: list[str]) -> float | None:
        """The rating in a line, 1 where the file has none; None for a fault, which is kept."""
        layout, roles = self.layout, self.roles
        if len(cells) < layout.width or any(cells[layout.width :]):
            open_quote = any("\n" in cell for cell in cells)
            what = f"{counted(len(cells), 'cell', 'cells')} where {layout.width:,} are expected"
            self.faults.add("a quote that is not closed" if open_quote else what, at)
            return None
        for role, j in (("user", roles.user), ("item", roles.item)):
            if not cells[j]:
                self.faults.add(f"no {role}", at)
                return None
        if roles.value is None:
            return 1.0
        value = number_of(cells[roles.value], self.decimal)
        if value is None:
            cell = cells[roles.value][:SHOWN_CHARACTERS]
            self.faults.add(f"“{cell}” as rating" if cell else "no rating", at)
        return value


def rows_of(source: Source, layout: Layout, encoding: str) -> Iterator[Row]:
    """Lines that are not blank, from the first rating on. Raises DataError for a broken one."""
    at = 0
    lines = islice(lines_of(source, encoding), layout.skip, None)
    try:
        for at, cells in cells_of(lines, layout.separator, layout.quotes):
            if any(cells):
                yield layout.skip + at, cells
    except csv.Error as error:
        raise DataError(
            f"{source.name} cannot be read after line {layout.skip + at:,}: {error}.",
            "Often a quote that is not closed.",
        ) from None


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
                raise DataError(
                    f"{source.name} cannot be read: line {number:,} is longer than "
                    f"{text.LINE_BYTES >> 20} MB.",
                    "A file of ratings has one rating a line.",
                )
            if number % BATCH == 0:
                source.reached(file.tell())
            yield line


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
