"""How a table of text is laid out: its header and what each column is, told from its first rows."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mips_core.errors import DataError
from mips_core.readers.lines import count_numbers, is_decimal_comma, is_list
from mips_core.readers.words import VECTORS, is_id, is_label, plain, quoted

Rows = Sequence[Sequence[str]]

MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", "-", "#value!", "#div/0!"}
NEED = "A table needs one vector a row, in columns of numbers or in one column of lists."


@dataclass(frozen=True)
class Layout:
    """Columns count from 0. `vectors` has one entry where a column holds lists."""

    width: int
    header: bool
    names: tuple[str, ...]  # one per column, made up where there is no header
    vectors: tuple[int, ...]
    lists: bool
    label: int | None
    decimal: str
    trailing: bool  # each line ends with a separator
    notes: tuple[str, ...]


def make_layout(rows: Rows, name: str) -> Layout:
    """The layout of a table whose first rows are `rows`, blank ones left out.

    Raises DataError where no column holds vectors or several may.
    """
    if not rows:
        raise DataError(f"{name} holds no rows.", NEED)
    widths = Counter(len(row) for row in rows[1:] or rows)
    width = max(widths, key=lambda w: (widths[w], w == len(rows[0])))
    body = [row for row in rows[1:] if len(row) == width] or [rows[0]]
    trailing = width > 1 and all(
        row[width - 1].strip() == "" for row in [*body, rows[0]] if len(row) >= width
    )
    width -= trailing
    kinds = _kinds(body, width)
    header = _is_header(rows, kinds, width)
    if header and len(rows) == 1:
        raise DataError(f"{name} holds no rows, only the names of its columns.", NEED)
    if not header and len(rows[0]) >= width:
        body = [rows[0], *body]
        kinds = _kinds(body, width)
    names = _names(rows[0], width) if header else tuple(f"{j + 1}" for j in range(width))
    return _choose(_Columns(kinds, names, body, header, trailing), name)


@dataclass(frozen=True)
class _Columns:
    kinds: list[str]
    names: tuple[str, ...]
    body: Rows
    header: bool
    trailing: bool

    def of(self, *kinds: str) -> list[int]:
        return [j for j, kind in enumerate(self.kinds) if kind in kinds]

    def cells(self, j: int) -> list[str]:
        return [row[j].strip() for row in self.body if len(row) > j]

    def call(self, j: int) -> str:
        return f"Column {j + 1}, “{self.names[j]}”," if self.header else f"Column {j + 1}"


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
    if not values:
        return False
    names = [v for v in values if v.lower() not in MISSING and not count_numbers(v)]
    if len(names) * 2 > len(values) or (names and len(names) == len([v for v in values if v])):
        return True
    whole = [int(v) for v in values if v.isdecimal()]
    counted = any(whole == list(range(s, s + len(whole))) for s in (0, 1)) and len(whole) > 1
    blank = first[0] == "" and len(whole) == len(values) - (kinds[0] == "number")
    full = len(whole) == len(values) and any("." in c for row in rows[1:] for c in row)
    return counted and (blank or full)


def _names(first: Sequence[str], width: int) -> tuple[str, ...]:
    names = [cell.strip() for cell in first][:width]
    return (*[""] * (width - len(names)), *names)


def _choose(columns: _Columns, name: str) -> Layout:
    lists, numbers = columns.of("list"), columns.of("number")
    notes: list[str] = []
    vectors = [_best_list(columns, lists, name)] if lists else _coordinates(columns, numbers)
    if not vectors:
        found = quoted(columns.names) if columns.header else f"{len(columns.names):,} columns"
        raise DataError(f"{name} has no column of numbers: {found}.", NEED)
    rest = [
        j for j in range(len(columns.kinds)) if j not in vectors and columns.kinds[j] != "empty"
    ]
    label = _label(columns, rest)
    if label is not None:
        notes.append(f"{columns.call(label)} is taken as labels.".replace("Column 1, “”,",
                     "Column 1, which has no name,"))  # fmt: skip
    left = [columns.names[j] or str(j + 1) for j in rest if j != label]
    left += [columns.names[j] for j in columns.of("empty") if columns.names[j]]
    if left:
        notes.append(f"{'Column' if len(left) == 1 else 'Columns'} left out: {quoted(left)}.")
    decimal = _decimal(columns, vectors) if not lists else "."
    if decimal == ",":
        notes.append("Numbers have decimal commas.")
    return Layout(len(columns.kinds), columns.header, columns.names, tuple(vectors), bool(lists),
                  label, decimal, columns.trailing, tuple(notes))  # fmt: skip


def _best_list(columns: _Columns, lists: list[int], name: str) -> int:
    known = [j for n in VECTORS for j in lists if plain(columns.names[j]) == n] or lists
    if len(lists) > 1 and known == lists:
        found = quoted(columns.names[j] for j in lists)
        raise DataError(
            f"{name} has {len(lists)} columns of vectors: {found}.",
            "Keep one, or call the one to search “embedding”.",
        )
    return known[0]


def _coordinates(columns: _Columns, numbers: list[int]) -> list[int]:
    """Columns of numbers that are coordinates: not ids, and of one numbered family if there is."""
    if not columns.header:
        return numbers[1:] if _counts_rows(columns, numbers) else numbers
    kept = [j for j in numbers if not is_id(columns.names[j])]
    families: dict[str, list[int]] = {}
    for j in kept:
        match = re.fullmatch(r"(.*?)[\s_.-]*\d+", columns.names[j])
        families.setdefault(match[1] if match else columns.names[j] + " alone", []).append(j)
    large = [family for family in families.values() if len(family) > 1]
    if len(large) == 1 and len(large[0]) * 2 >= len(kept):
        return large[0]
    return kept[1:] if len(kept) == len(numbers) and _counts_rows(columns, kept) else kept


def _counts_rows(columns: _Columns, numbers: list[int]) -> bool:
    """Whether the first column holds whole numbers without a repeat, and the others fractions."""
    if len(numbers) < 2 or numbers[0] != 0:
        return False
    first = columns.cells(0)
    whole = len(first) > 2 and len(set(first)) == len(first) and all(map(str.isdecimal, first))
    return whole and all(
        any(re.search(r"[.,eE]", c) for c in columns.cells(j)) for j in numbers[1:]
    )


def _label(columns: _Columns, rest: list[int]) -> int | None:
    """The column that names rows: by its name, then text, then ids."""
    words = [j for j in rest if columns.kinds[j] == "text"]
    named = [j for j in words if columns.header and is_label(columns.names[j])]
    several = [j for j in words if len(set(columns.cells(j))) * 2 > len(columns.body)]
    ids = [j for j in rest if columns.header and is_id(columns.names[j])]
    plain_ids = [j for j in rest if not columns.header and columns.kinds[j] == "number"]
    return next(iter([*named, *several, *ids, *plain_ids, *words]), None)


def _decimal(columns: _Columns, vectors: list[int]) -> str:
    commas = sum(is_decimal_comma(cell) for j in vectors for cell in columns.cells(j))
    points = sum("." in cell for j in vectors for cell in columns.cells(j))
    return "," if commas > points else "."
