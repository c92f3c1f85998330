"""How a table of text is laid out: its header and what each column is, told from its first rows."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.csv.column_roles import ColumnRoles, assign_columns
from mips_core.data.readers.csv.columns import Columns, Rows, list_lengths
from mips_core.data.readers.csv.dialect import Dialect
from mips_core.data.readers.names import VECTORS, check_width, is_id, plain, quoted
from mips_core.data.readers.text.lines import is_remark
from mips_core.data.readers.text.numbers import (
    TORN,
    closes,
    count_numbers,
    is_balanced,
    is_list,
    is_torn,
    opens,
)

MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", "-", "#value!", "#div/0!"}
NEED = "A table needs one vector a row, in columns of numbers or in one column of lists."


@dataclass(frozen=True)
class TableLayout:
    """What any table of text has. Columns count from 0."""

    dialect: Dialect
    width: int
    header: bool
    names: tuple[str, ...]  # one per column; "" for none
    notes: tuple[str, ...]


@dataclass(frozen=True)
class VectorLayout(TableLayout):
    """A table of vectors; without a header, names of columns are their numbers."""

    heading: int  # rows before the header or the first row that are neither
    trailing: bool  # each line ends with a separator
    roles: ColumnRoles


def vector_layout(rows: Rows, dialect: Dialect, name: str, choices: Choices) -> VectorLayout:
    """The layout of a table whose first rows are `rows`, blank ones left out.

    Raises DataError where no column holds vectors, UnsettledError where several may.
    """
    if not rows:
        raise DataError(f"{name} holds no rows.", NEED)
    width = _width(rows, name)
    heading = _heading(rows, width) if choices.header != "data" else 0
    notes = _notes(rows[:heading])
    rows = rows[heading:]
    body = [row for row in rows[1:] if len(row) == width] or [rows[0]]
    trailing = width > 1 and all(
        row[width - 1].strip() == "" for row in [*body, rows[0]] if len(row) >= width
    )
    width -= trailing
    kinds = _kinds(body, width)
    header = choices.header == "names"
    if choices.header == "auto":
        header = _is_header(rows, kinds, width)
    if header and len(rows) == 1:
        raise DataError(f"{name} holds no rows, only the names of its columns.", NEED)
    if not header and len(rows[0]) >= width and len(rows) > 1:
        body = [rows[0], *body]
        kinds = _kinds(body, width)
    if header and len(rows[0]) < width:
        _refuse_unnamed(rows[0], body, width, name)
    names = _names(rows[0], width) if header else tuple(f"{j + 1}" for j in range(width))
    lengths, over = list_lengths(kinds, body), _list_over(body, kinds, name)
    columns = Columns(name, kinds, names, body, header, lengths, list_over=over)
    roles = assign_columns(columns, choices)
    return VectorLayout(
        dialect, width, header, names, (*notes, *roles.notes), heading, trailing, roles
    )


def _list_over(body: Rows, kinds: Sequence[str], name: str) -> range | None:
    """The columns over which most rows spread a list in brackets; None where they do not.

    Raises DataError for brackets that are not understood: what they hold would be left out.
    """
    spans = []
    for row in body:
        cells = [cell.strip() for cell in row[: len(kinds)]]
        begins = [j for j, c in enumerate(cells) if opens(c) and (c[0] != "'" or "." in c)]
        ends = [j for j, cell in enumerate(cells) if closes(cell) and (begins or "." in cell)]
        torn = [j for j, cell in enumerate(cells) if is_torn(cell) and j not in begins]
        if "list" in kinds:  # there are vectors: what is closed may be something else
            torn = [j for j in torn if not is_balanced(cells[j])]
        if begins or ends or torn:
            sound = len(begins) == len(ends) == 1 and begins < ends and not torn
            spans.append((min([*begins, *ends, *torn]), ends[0] if sound else -1))
    if len(spans) * 2 <= len(body):
        return None
    first, last = Counter(spans).most_common(1)[0][0]
    if "list" not in kinds and {*kinds[first : last + 1]} == {"number"}:
        return range(first, last + 1)
    cell = next(c for row in body if len(row) > first for c in [row[first].strip()]
                if opens(c) or closes(c) or is_torn(c))  # fmt: skip
    several = re.search(r"[\])}]\s*,?\s*[\[({]", cell) is not None
    what = "several lists a cell" if several else "brackets that are not understood"
    raise DataError(
        f"{name} cannot be read: column {first + 1} holds {quoted([cell])}, {what}.", TORN
    )


def _width(rows: Rows, name: str) -> int:
    """Cells of most rows below the first. Raises DataError for more than text may have."""
    widths = Counter(len(row) for row in rows[1:] or rows)
    width = max(widths, key=lambda w: (widths[w], w == len(rows[0])))
    check_width(width, name)
    return width


def _refuse_unnamed(first: Sequence[str], body: Rows, width: int, name: str) -> None:
    """Raise DataError where the column without a name, the first, holds no names of rows."""
    cells = [row[0] for row in body]
    if all(count_numbers(cell) and not cell.strip().isdecimal() for cell in cells):
        raise DataError(
            f"{name} names {counted(len(first), 'column', 'columns')} in its header, the rows have "
            f"{width:,} cells.",
            "Give every column a name, or only the first none, where it names the rows.",
        )


def _heading(rows: Rows, width: int) -> int:
    """How many of the first rows are a title or a comment: too short, and without a number."""
    count = 0
    for row, below in pairwise(rows):
        first = row[0].strip().lower()
        above = is_remark(first) and not any(map(count_numbers, below))  # names or more remarks
        if first.startswith("sep=") or above:  # sep=; is how Excel is told the separator
            count += 1
            continue
        short = len(row) < width - 1 or (is_remark(first) and len(row) < width)
        if not short or any(map(count_numbers, row)):
            break
        count += 1
    return count


def _notes(heading: Rows) -> list[str]:
    if not heading:
        return []
    shown = quoted([" ".join(heading[0])])
    if len(heading) == 1:
        return [f"The first line, {shown}, is taken as a heading."]
    return [f"The first {len(heading)} lines, {shown} and so on, are taken as a heading."]


def _kinds(body: Rows, width: int) -> list[str]:
    return [_kind([row[j] for row in body]) for j in range(width)]


def _kind(cells: Sequence[str]) -> str:
    """number, list, text or empty: what most cells of a column are."""
    filled = [cell.strip() for cell in cells if cell.strip().lower() not in MISSING]
    if not filled:
        return "empty"
    lists = sum(map(is_list, filled))
    numbers = sum(count_numbers(cell) == 1 for cell in filled) - lists
    if lists * 2 > len(filled):
        return "list"
    return "number" if numbers * 2 > len(filled) else "text"


def _is_header(rows: Rows, kinds: list[str], width: int) -> bool:
    first = [cell.strip() for cell in rows[0]]
    if len(first) == width - 1 and len(rows) > 1:  # R leaves out the name of the row names
        return not any(count_numbers(cell) for cell in first)
    values = [first[j] for j in range(min(width, len(first))) if kinds[j] in ("number", "list")]
    if len(rows) == 1:
        return not any(count_numbers(cell) for cell in first)
    if first[0] == "" and width > 1:  # the corner above an index
        named = [cell for cell in first[1:] if cell and not count_numbers(cell)]
        if len(named) == len(first) - 1:
            return True
    if not values:
        return any(plain(cell) in VECTORS for cell in first)
    names = [v for v in values if v.lower() not in MISSING and not count_numbers(v)]
    if len(names) * 2 > len(values) or (names and len(names) == len([v for v in values if v])):
        return True
    whole = [int(v) for v in values if v.isdecimal() and len(v) < 9]
    counted = any(whole == list(range(s, s + len(whole))) for s in (0, 1)) and len(whole) > 1
    corner = first[0] == "" or (is_id(first[0]) and not count_numbers(first[0]))
    blank = corner and len(whole) == len(values) - (kinds[0] == "number")
    full = len(whole) == len(values) and any("." in c for row in rows[1:] for c in row)
    return counted and (blank or full)


def _names(first: Sequence[str], width: int) -> tuple[str, ...]:
    names = [cell.strip() for cell in first][:width]
    if names[0].startswith("# "):  # as numpy.savetxt begins its header
        names[0] = names[0][2:].strip()
    return (*[""] * (width - len(names)), *names)
