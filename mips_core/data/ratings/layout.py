"""How a text file of ratings is laid out: separator, lines to skip, names and roles of columns."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.ratings.columns import LEAST_ITEMS, RatingColumn
from mips_core.data.readers.choices import RatingChoices
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.dialect import BrokenRowError, Dialect, Row, are_enclosed
from mips_core.data.readers.csv.layout import TableLayout
from mips_core.data.readers.names import choosable
from mips_core.data.readers.ratings_signs import PREAMBLE_LINES, has_sizes, heading_of, named
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.numbers import is_number

SEPARATORS = ("::", "\t", ";", "|", ",", text.BLANK)
SAMPLE_BYTES = 2**18
MOST_BYTES = 4 * 2**20  # of one line
MOST_JUDGED = 1000  # columns whose content is looked at; more are a matrix
MEASURED = ("number", "stamp", "date")  # kinds that no name of a column is
FORM = (
    "Ratings are lines of user, item and rating, with or without a time, cut by tabs, commas, "
    "semicolons, bars, blanks or “::”."
)


@dataclass(frozen=True)
class RatingsLayout(TableLayout):
    """A table of ratings: `skip` lines stand before the first of them."""

    skip: int
    columns: tuple[RatingColumn, ...]

    def cells(self, j: int | None) -> tuple[str, ...]:
        """The first cells of column j; none where it is not known."""
        return self.columns[j].cells if j is not None and j < len(self.columns) else ()


def layout_of(source: Source, choices: RatingChoices) -> RatingsLayout:
    """The layout told from the first lines. Raises DataError where they are no table of ratings."""
    lines = _first_lines(source)
    try:
        dialect = _dialect(lines)
        rows = list(stripped(lines, dialect))
    except BrokenRowError as error:
        raise error.refusal(source.name) from None
    filled = [(at, row) for at, row in rows if any(row)]
    width = _width([row for _, row in filled])
    if width > limits.MAX_RATING_COLUMNS:
        raise DataError(
            f"{source.name} has {width:,} columns; the limit is {limits.MAX_RATING_COLUMNS:,}.",
            FORM,
        )
    if width < 2:
        raise DataError(f"{source.name} holds no ratings: its lines have one column.", FORM)
    cut = sum(map(len, lines)) + len(lines) < source.size
    layout = _laid_out(filled, dialect, width, choices, cut)
    if choices.header == "auto" and not layout.header:
        _refuse_prose(layout, [row for at, row in filled if at > layout.skip], source.name)
    return layout


def _first_lines(source: Source) -> list[str]:
    """Whole lines from the start, some 256 kB of them, two at least where there are two."""
    whole = text.sample(source)[: text.SAMPLE_LINES - 1]
    sizes = accumulate(map(len, whole))
    few = max(2, sum(size <= SAMPLE_BYTES for size in sizes))
    if any(len(line) > MOST_BYTES for line in whole[:few]):
        raise DataError(
            f"{source.name} holds no ratings: a line is longer than {MOST_BYTES >> 20} MB.", FORM
        )
    return [line.decode("utf-8", "replace") + "\n" for line in whole[:few]]


def _refuse_prose(layout: RatingsLayout, rows: Sequence[Sequence[str]], file: str) -> None:
    """Raise DataError for words in sentences, whose lines are not alike or hold no number."""
    alike = sum(len(row) == layout.width for row in rows)
    words = all(column.kind == "text" for column in layout.columns[:MOST_JUDGED])
    if alike * 2 <= len(rows) or (words and layout.dialect.separator == text.BLANK):
        raise DataError(f"{file} holds no ratings: its lines are no table.", FORM)


def _laid_out(
    filled: list[Row], dialect: Dialect, width: int, choices: RatingChoices, cut: bool
) -> RatingsLayout:
    before = heading_of([row for _, row in filled]) or _preamble(filled, width)
    sized = not before and has_sizes([row for _, row in filled], cut)
    before += sized
    first, head = filled[before]
    body = [row for _, row in filled[before + 1 :]]
    header = choices.header == "names"
    if choices.header == "auto":
        header = _is_header(head, body, width)
    names = _names(head, width) if header else ("",) * width
    rows = body if header else [head, *body]
    cells = [tuple(row[j] for row in rows if len(row) > j) for j in range(width)]
    columns = tuple(map(RatingColumn, names, cells, choosable(names)))
    notes = []
    if before:
        lines = "line" if before == 1 else "lines"
        listed = ", ".join(f"{at:,}" for at, _ in filled[:before])
        sizes = ", the numbers of users, items and ratings" if sized else ""
        notes.append(f"{before} {lines} before the ratings skipped ({lines} {listed}{sizes}).")
    skip = first if header else first - 1
    return RatingsLayout(dialect, width, header, names, tuple(notes), skip, columns)


def stripped(lines: Iterable[str], dialect: Dialect) -> Iterator[Row]:
    """Rows of cells without blanks around them. Raises BrokenRowError for a broken quote."""
    return ((at, [cell.strip() for cell in row]) for at, row in dialect.rows(lines))


def _dialect(lines: Sequence[str]) -> Dialect:
    """The sign that cuts most lines alike; one that shows the names of columns comes first."""
    best, most = Dialect(text.BLANK, quoted=False), (False, 0.0)
    for sign in SEPARATORS:
        if sign != text.BLANK and not any(sign in line for line in lines):
            continue
        dialect = Dialect(sign, quoted=sign in ",;" or are_enclosed(lines, sign))
        rows = [row for _, row in stripped(lines, dialect) if any(row)]
        width = _width(rows)
        if width < 2:
            continue
        alike = sum(len(row) == width for row in rows) / len(rows)
        named_so = any(_names_columns(row) for row in rows[:PREAMBLE_LINES])
        score = (named_so, round(alike, 1))
        if score > most:
            best, most = dialect, score
    return best


def _names_columns(row: Sequence[str]) -> bool:
    """Whether a row names users and items, or items and their titles."""
    places = {named(row, role) for role in ("user", "item", "title")} - {None}
    return len(places) > 1 and named(row, "item") is not None


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Cells of most rows; the larger where two are as frequent."""
    counts = Counter(map(len, rows))
    return max(counts, key=lambda width: (counts[width], width), default=0)


def _preamble(filled: Sequence[Row], width: int) -> int:
    """How many rows stand before the table: remarks, and rows of another width."""
    for i, (_, row) in enumerate(filled[:PREAMBLE_LINES]):
        named_so = named(row, "user") is not None and named(row, "item") is not None
        remark = (text.is_remark(row[0]) or row[0].lower().startswith("sep=")) and not named_so
        if named_so or (len(row) == width and not remark):
            return i
    return 0


def _is_header(head: Sequence[str], body: Sequence[Sequence[str]], width: int) -> bool:
    roles = [role for role in ("user", "item", "value", "time", "title") if
             named(head, role) is not None]  # fmt: skip
    if len(roles) > 1 and not any(map(is_number, head)):
        return True
    if _heads_matrix(head, body, width):
        return True
    columns = [
        tuple(row[j] for row in body if len(row) > j)
        for j in range(min(width, len(head), MOST_JUDGED))
    ]
    kinds = [RatingColumn("", cells).kind for cells in columns]
    below = [j for j, kind in enumerate(kinds) if kind in MEASURED]
    return bool(below) and not any(RatingColumn("", (head[j],)).kind in (*MEASURED, "empty")
                                   for j in below)  # fmt: skip


def _heads_matrix(head: Sequence[str], body: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a wide row names users, or nothing, and then items, which may be numbers."""
    unnamed = not head[0] and any(row[0] for row in body)
    named_so = named(head[:1], "user") is not None
    return width >= LEAST_ITEMS + 1 and (unnamed or named_so) and all(head[1:width])


def _names(head: Sequence[str], width: int) -> tuple[str, ...]:
    """One name a column; R leaves out that of the row names."""
    names = [re.sub(r"^[#%]\s*", "", name) for name in head]
    names = names[len(names) > width and not names[0] :][:width]
    return (*[""] * (width - len(names)), *names)
