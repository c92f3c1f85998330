"""Rows of JSON as columns: objects with named fields, or lists with text among their numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import Choices, Offers, RatingsFileError
from mips_core.data.readers.contract import NONE_LEFT
from mips_core.data.readers.csv.column_roles import KNOWN, NoNumbersError, assign_columns
from mips_core.data.readers.csv.columns import Columns
from mips_core.data.readers.foreign import RATINGS
from mips_core.data.readers.json.stream import shown_text
from mips_core.data.readers.names import plain, quoted
from mips_core.data.readers.ratings_signs import named
from mips_core.data.readers.text.numbers import is_list, is_numbers, list_inside

SAMPLE = 256
MOST_FIELDS = 5000
MOST_LEVELS = 6

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class RowFields:
    """Where in a row its vector and its label stand."""

    objects: bool  # whether rows are objects, and not lists
    vectors: tuple[Path, ...]  # one where it is a list, else one for each coordinate
    lists: bool
    d: int
    label: Path | None
    names: tuple[str, ...]  # of `vectors`, as messages call them
    notes: tuple[str, ...]
    offers: Offers


def make_fields(
    rows: Sequence[Any], names: Sequence[str], file: str, choices: Choices
) -> RowFields:
    """The fields of rows like `rows`: objects, or lists whose places may have `names`.

    Raises DataError where no field holds vectors, UnsettledError where several may.
    """
    objects = isinstance(rows[0], dict)
    if names:
        rows = [dict(zip(names, row, strict=False)) for row in rows]
    flat = [flatten(row) for row in rows]
    paths = list(dict.fromkeys(path for row in flat for path in row))[:MOST_FIELDS]
    shown = tuple(dotted(path) for path in paths)
    if all(isinstance(row, list) for row in rows):
        shown = tuple(str(j + 1) for j in range(len(paths)))
    values = [[row.get(path) for row in flat] for path in paths]
    kinds = [_kind(column) for column in values]
    _refuse_others(shown, kinds, values, file)
    lengths = {j: _length(values[j]) for j, kind in enumerate(kinds) if kind == "list"}
    body = [[_cell(row.get(path)) for path in paths] for row in flat]
    header = objects or bool(names)
    roles = assign_columns(Columns(file, kinds, shown, body, header, lengths, "Field"), choices)
    where = {path: path for path in paths}
    if names:
        where = {path: (names.index(str(path[0])), *path[1:]) for path in paths}
    return RowFields(
        objects=objects,
        vectors=tuple(where[paths[j]] for j in roles.vectors),
        lists=roles.lists,
        d=roles.d,
        label=None if roles.label is None else where[paths[roles.label]],
        names=tuple(shown[j] for j in roles.vectors),
        notes=roles.notes,
        offers=roles.offers,
    )


def dotted(path: Sequence[str | int]) -> str:
    """The name of a path as people see and choose it: payload.title."""
    name = ".".join(step for step in path if isinstance(step, str))
    return name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def flatten(row: Any) -> dict[Path, Any]:
    """The values of a row by their paths: those of objects inside it, too, some levels deep."""
    values: dict[Path, Any] = {}
    if isinstance(row, list):
        return {(j,): value for j, value in enumerate(row)}
    waiting: list[tuple[Path, Any]] = [((), row)]
    while waiting and len(values) < MOST_FIELDS:
        path, value = waiting.pop()
        inner = value[0] if isinstance(value, list) and len(value) == 1 else value
        if isinstance(inner, dict) and len(path) < MOST_LEVELS:
            path = path if inner is value else (*path, 0)
            waiting += [((*path, key), inner[key]) for key in reversed(inner)]
        elif path:
            values[path] = value
    return values


def at(row: Any, path: Path) -> Any:
    """The value at a path, or None; where a list of one object has several elsewhere, the list."""
    for depth, step in enumerate(path):
        if isinstance(row, dict):
            row = row.get(step)
        elif isinstance(row, list) and isinstance(step, int) and step < len(row):
            if depth and len(row) > 1:
                return row
            row = row[step]
        else:
            return None
    return row


def holds_vectors(value: Any) -> bool:
    """Whether lists of two numbers or more stand in a list or an object, however deep."""
    waiting, inner = [value], [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, list) and sum(type(v) in (int, float) for v in inner) > 1:
            return True
        waiting += (
            inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()
        )
    return False


def _kind(values: Sequence[Any]) -> str:
    """number, list, text or empty: what most values of a field are."""
    count = Counter(map(_kind_of, values))
    del count["empty"]
    return max(count, key=lambda kind: count[kind]) if count else "empty"


def _kind_of(value: Any) -> str:
    if value is None or value == "" or value == []:
        return "empty"
    if isinstance(value, bool | dict):
        return "other"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, list):
        numbers = sum(type(v) in (int, float) for v in value)
        return "list" if numbers * 2 > len(value) else "other"
    return "list" if value[-1:] in "])" and is_list(value) and not value.isdigit() else "text"


def _length(values: Sequence[Any]) -> int:
    lists = (value for value in values if isinstance(value, list) and is_numbers(value))
    texts = ((list_inside(v) or "").split() for v in values if isinstance(v, str))
    count = Counter(n for n in (*map(len, lists), *map(len, texts)) if n)
    return count.most_common(1)[0][0] if count else 1


def _cell(value: Any) -> str:
    return "" if value is None or isinstance(value, list | dict) else shown_text(str(value))


def _refuse_others(
    names: Sequence[str], kinds: Sequence[str], values: Sequence[Sequence[Any]], file: str
) -> None:
    """Raise DataError where fields tell that these are ratings, or vectors in another form."""
    if "list" in kinds:
        return
    user, *rated = (named(names, role) for role in ("user", "item", "value"))
    if user is not None and rated != [None, None]:
        raise RatingsFileError(
            f"{file} holds ratings, not vectors: its fields are {quoted(names)}.", RATINGS
        )
    for name, column in zip(names, values, strict=True):
        first = next((value for value in column if value), None)
        of_vectors = plain(name.rsplit(".", 1)[-1]) in KNOWN
        if of_vectors and isinstance(first, str) and len(first) > 20 and " " not in first:
            raise DataError(
                f"{file} holds its vectors as encoded text: field {quoted([name])} begins "
                f"“{shown_text(first[:12])}”.",
                "Ask for numbers instead of base64 (encoding_format=“float”).",
            )
        if any(isinstance(value, list) and holds_vectors(value) for value in column):
            of = "lists" if isinstance(first, list) and isinstance(first[0], list) else "objects"
            raise DataError(
                f"{file} holds lists of {of} in field {quoted([name])}: several vectors a row.",
                "Give one vector a row: write a row for each, or their mean for instance.",
            )
    if "number" not in kinds:
        raise NoNumbersError(
            f"{file} has no field of numbers: its fields are {quoted(names)}.", NONE_LEFT
        )
