"""How a text file of ratings is laid out: separator, lines to skip, names and roles of columns."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.ratings.choices import RatingChoices
from mips_core.data.ratings.columns import LEAST_ITEMS, Column, Roles, assign
from mips_core.data.readers.contract import Source
from mips_core.data.readers.ratings_signs import named
from mips_core.data.readers.text import lines as text

SEPARATORS = ("::", "\t", ";", "|", ",", text.BLANK)
PREAMBLE_LINES = 20
SAMPLE_BYTES = 2**18
MOST_BYTES = 4 * 2**20  # of one line
MOST_JUDGED = 1000  # columns whose content is looked at; more are a matrix
MEASURED = ("number", "stamp", "date")  # kinds that no name of a column is
FORM = (
    "Ratings are lines of user, item and rating, with or without a time, cut by tabs, commas, "
    "semicolons, bars, blanks or “::”."
)
Row = tuple[int, list[str]]  # number of its line, from 1, and its cells


@dataclass(frozen=True)
class Layout:
    """`skip` lines stand before the first rating. Columns count from 0."""

    separator: str
    quotes: bool  # whether quotes enclose cells
    width: int
    skip: int
    header: bool
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()

    def roles(self, choices: RatingChoices, file: str) -> Roles:
        """Which column is what; raises as `columns.assign` does."""
        return assign(self.columns, self.header, choices, file)

    def cells(self, j: int | None) -> tuple[str, ...]:
        """The first cells of column j; none where it is not known."""
        return self.columns[j].cells if j is not None and j < len(self.columns) else ()

    @property
    def names(self) -> list[str]:
        """Names of the columns, "" for none."""
        return [column.name for column in self.columns]


def layout_of(source: Source, choices: RatingChoices) -> Layout:
    """The layout told from the first lines. Raises DataError where they are no table of ratings."""
    lines = _first_lines(source)
    try:
        separator, quotes = _separator(lines)
        rows = list(cells_of(lines, separator, quotes))
    except csv.Error as error:
        raise DataError(
            f"{source.name} cannot be read: {error}.", "Often a quote that is not closed."
        ) from None
    filled = [(at, row) for at, row in rows if any(row)]
    width = _width([row for _, row in filled])
    if width > limits.MAX_RATING_COLUMNS:
        raise DataError(
            f"{source.name} has {width:,} columns; the limit is {limits.MAX_RATING_COLUMNS:,}.",
            FORM,
        )
    if width < 2:
        raise DataError(f"{source.name} holds no ratings: its lines have one column.", FORM)
    layout = _laid_out(filled, separator, quotes, width, choices)
    if choices.header == "auto" and not layout.header:
        _refuse_prose(layout, [row for at, row in filled if at > layout.skip], source.name)
    return layout


def _first_lines(source: Source) -> list[str]:
    """Whole lines from the start, some 256 kB of them, two at least where there are two."""
    sample = text.sample(source)
    whole = sample[:-1] if len(sample) >= text.SAMPLE_LINES else sample
    sizes = accumulate(map(len, whole))
    few = max(2, sum(size <= SAMPLE_BYTES for size in sizes))
    if any(len(line) > MOST_BYTES for line in whole[:few]):
        raise DataError(
            f"{source.name} holds no ratings: a line is longer than {MOST_BYTES >> 20} MB.", FORM
        )
    return [line.decode("utf-8", "replace") for line in whole[:few]]


def _refuse_prose(layout: Layout, rows: Sequence[Sequence[str]], file: str) -> None:
    """Raise DataError for words in sentences, whose lines are not alike or hold no number."""
    alike = sum(len(row) == layout.width for row in rows)
    words = all(column.kind == "text" for column in layout.columns[:MOST_JUDGED])
    if alike * 2 <= len(rows) or (words and layout.separator == text.BLANK):
        raise DataError(f"{file} holds no ratings: its lines are no table.", FORM)


def _laid_out(
    filled: list[Row], separator: str, quotes: bool, width: int, choices: RatingChoices
) -> Layout:
    before = _preamble(filled, width)
    notes, head = [], filled[before][1]
    body = [row for _, row in filled[before + 1 :]]
    if choices.header == "auto":
        header = _is_header(head, body, width)
    else:
        header = choices.header == "names"
    names = _names(head, width) if header else [""] * width
    rows = body if header else [head, *body]
    cells = [tuple(row[j] for row in rows if len(row) > j) for j in range(width)]
    counts = Counter(names)
    columns = tuple(
        Column(name, cells[j], name if name and counts[name] == 1 else f"{j + 1}")
        for j, name in enumerate(names)
    )
    skipped = [at for at, _ in filled[:before]]
    if skipped:
        lines = "line" if len(skipped) == 1 else "lines"
        listed = ", ".join(f"{at:,}" for at in skipped)
        notes.append(f"{len(skipped)} {lines} before the ratings skipped ({lines} {listed}).")
    skip = filled[before][0] if header else filled[before][0] - 1
    return Layout(separator, quotes, width, skip, header, columns, tuple(notes))


def cells_of(lines: Iterable[str], separator: str, quotes: bool) -> Iterator[Row]:
    """Rows of cells without blanks and quotes around them. Raises csv.Error for a broken quote."""
    if separator in ("::", text.BLANK):
        sign = None if separator == text.BLANK else separator
        for at, line in enumerate(lines, 1):
            yield at, [bare(cell) for cell in line.rstrip("\r\n").split(sign)]
        return
    ended = (line if line.endswith("\n") else f"{line}\n" for line in lines)
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    reader = csv.reader(ended, delimiter=separator, quoting=quoting, skipinitialspace=True)
    at = 1
    for row in reader:
        yield at, [cell.strip() for cell in row]
        at = reader.line_num + 1


def bare(cell: str) -> str:
    """`cell` without blanks and one pair of quotes around it."""
    cell = cell.strip()
    return cell[1:-1].strip() if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _separator(lines: Sequence[str]) -> tuple[str, bool]:
    """The sign that cuts most lines alike; one that shows the names of columns comes first."""
    best, most = (text.BLANK, False), (False, 0.0)
    for sign in SEPARATORS:
        if sign != text.BLANK and not any(sign in line for line in lines):
            continue
        quotes = sign in ",;" or _encloses(lines, sign)
        rows = [row for _, row in cells_of(lines, sign, quotes) if any(row)]
        width = _width(rows)
        if width < 2:
            continue
        alike = sum(len(row) == width for row in rows) / len(rows)
        told = any(_names_columns(row) for row in rows[:PREAMBLE_LINES])
        score = (told, round(alike, 1))
        if score > most:
            best, most = (sign, quotes), score
    return best


def _names_columns(row: Sequence[str]) -> bool:
    """Whether a row names users and items, or items and their titles."""
    found = {named(row, role) for role in ("user", "item", "title")} - {None}
    return len(found) > 1 and named(row, "item") is not None


def _encloses(lines: Sequence[str], sign: str) -> bool:
    """Whether quotes are in use around cells; a lone quote is a character like any other."""
    held = [cell.strip() for line in lines for cell in line.split(sign) if '"' in cell]
    return bool(held) and all(len(c) > 1 and c[0] == c[-1] == '"' for c in held)


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Cells of most rows; the larger where two are as frequent."""
    counts = Counter(map(len, rows))
    return max(counts, key=lambda width: (counts[width], width), default=0)


def _preamble(filled: Sequence[Row], width: int) -> int:
    """How many rows stand before the table: remarks, and rows of another width."""
    for i, (_, row) in enumerate(filled[:PREAMBLE_LINES]):
        told = named(row, "user") is not None and named(row, "item") is not None
        remark = row[0].lower().startswith(("%", "#", "sep=")) and not told
        if told or (len(row) == width and not remark):
            return i
    return 0


def _is_header(head: Sequence[str], body: Sequence[Sequence[str]], width: int) -> bool:
    roles = [role for role in ("user", "item", "value", "time", "title") if
             named(head, role) is not None]  # fmt: skip
    if len(roles) > 1 and not any(map(text.is_number, head)):
        return True
    if _heads_matrix(head, body, width):
        return True
    columns = [
        tuple(row[j] for row in body if len(row) > j)
        for j in range(min(width, len(head), MOST_JUDGED))
    ]
    kinds = [Column("", cells).kind for cells in columns]
    below = [j for j, kind in enumerate(kinds) if kind in MEASURED]
    return bool(below) and not any(Column("", (head[j],)).kind in (*MEASURED, "empty")
                                   for j in below)  # fmt: skip


def _heads_matrix(head: Sequence[str], body: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a wide row names users, or nothing, and then items, which may be numbers."""
    unnamed = not head[0] and any(row[0] for row in body)
    named_so = named(head[:1], "user") is not None
    return width >= LEAST_ITEMS + 1 and (unnamed or named_so) and all(head[1:width])


def _names(head: Sequence[str], width: int) -> list[str]:
    """One name a column; R leaves out that of the row names."""
    names = [re.sub(r"^[#%]\s*", "", name) for name in head]
    names = names[1:] if len(names) > width and not names[0] else names[:width]
    return [*[""] * (width - len(names)), *names]
