"""Which columns of a table hold the vectors and which one names the rows."""

import re
from dataclasses import dataclass

from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.choices import NONE, Choices, Offers, UnsettledError
from mips_core.data.readers.csv.columns import Columns, offers_of
from mips_core.data.readers.names import VECTORS, are_counts, is_id, is_label, plain, quoted
from mips_core.data.readers.text.numbers import count_numbers, is_decimal_comma, is_grouped

PROSE = ("text", "sentence", "document", "content", "description")  # longer than a name
LONG_NUMBER = 40  # characters
KNOWN = (*VECTORS, "values")

_REAL = r"(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?"
_COMPLEX = re.compile(rf"\(?[-+−]?{_REAL}([-+−]{_REAL})?[ij]\)?$")
_ENCODED = re.compile(r"[A-Za-z0-9+/]{20,}={0,2}")
_BYTES = re.compile(r"b(['\"]).*\1", re.S)
_HASH = re.compile(r"[0-9a-fA-F-]{16,}")
_THOUSANDS = re.compile(r"[-+−]?[1-9]\d{0,2},\d{3}")


class NoNumbersError(DataError):
    """No column holds vectors or coordinates."""


@dataclass(frozen=True)
class ColumnRoles:
    """`vectors` has one entry where a column holds lists; `d` numbers are in each."""

    vectors: tuple[int, ...]
    lists: bool
    d: int
    label: int | None
    decimal: str
    notes: tuple[str, ...]
    offers: Offers
    spread: bool = False  # over `vectors` stands one list, its brackets in the first and the last


def assign_columns(columns: Columns, choices: Choices) -> ColumnRoles:
    """Roles of the columns, by `choices`, then by their names and kinds.

    Raises DataError where no column holds vectors or a choice is none of them, UnsettledError where
    several columns hold lists and their names do not tell.
    """
    lists = columns.of("list")
    wished = _wished_label(columns, choices)
    numbers = [j for j in columns.list_over or columns.of("number") if j != wished]
    if lists or choices.array not in ("", columns.file):
        vectors = [_list_column(columns, lists, choices)]
    else:
        vectors = numbers
        if columns.list_over is None:
            vectors = _coordinates(columns, numbers, choices.label != NONE)
    _refuse_encoded(columns)
    if not vectors:
        _refuse_dressed(columns, columns.of("text"))
        listed = counted(len(columns.names), "column", "columns")
        listed = quoted(columns.names) if columns.header else listed
        raise NoNumbersError(
            f"{columns.file} has no {columns.noun.lower()} of numbers: {listed}.",
            "A table needs one vector a row, in columns of numbers or in one column of lists.",
        )
    if not lists:
        _refuse_dressed(columns, vectors)
    taken = set(vectors)
    filled = [j for j in columns.of("number", "text", "list", "other") if j not in taken]
    scalar = [j for j in filled if columns.kinds[j] in ("number", "text")]
    label = wished if choices.label else _label(columns, scalar)
    decimal = _decimal(columns, vectors) if not lists else "."
    return ColumnRoles(
        vectors=tuple(vectors),
        lists=bool(lists),
        d=columns.lengths[vectors[0]] if lists else len(vectors),
        label=label,
        decimal=decimal,
        notes=_notes(columns, filled, vectors, label, decimal),
        offers=offers_of(columns, scalar, vectors, label),
        spread=columns.list_over is not None,
    )


def _wished_label(columns: Columns, choices: Choices) -> int | None:
    """The column a person chose as labels; None for no choice and for no labels."""
    if choices.label in ("", NONE):
        return None
    if choices.label in columns.choosable:
        j = columns.choosable.index(choices.label)
        if columns.kinds[j] not in ("list", "other"):
            return j
    names = [columns.choosable[j] for j in columns.of("number", "text", "empty")]
    raise DataError(
        f"{columns.file} has no {columns.noun.lower()} “{choices.label}” for labels.",
        f"It has: {quoted(names)}.",
    )


def _list_column(columns: Columns, lists: list[int], choices: Choices) -> int:
    """The column of lists to search."""
    if choices.array not in ("", columns.file):
        for j in lists:
            if columns.choosable[j] == choices.array:
                return j
        have = f"It has: {quoted(columns.choosable[j] for j in lists)}."
        raise DataError(
            f"{columns.file} has no {columns.noun.lower()} of lists “{choices.array}”.",
            have if lists else "Its vectors are in columns of numbers; leave the choice open.",
        )
    last = {j: plain(columns.names[j].rsplit(".", 1)[-1]) for j in lists}
    named = next(([j for j in lists if last[j] == n] for n in KNOWN if n in last.values()), lists)
    if len(named) > 1:
        raise UnsettledError(
            f"{columns.file} has {len(lists)} {columns.noun.lower()}s of vectors: "
            f"{quoted(columns.choosable[j] for j in lists)}.",
            "Choose one, or call the one to search “embedding”.",
            offers_of(columns, [], lists, None, taken=False),
        )
    return named[0]


def _coordinates(columns: Columns, numbers: list[int], labelled: bool) -> list[int]:
    """Columns of numbers that are coordinates: not ids, and of one numbered family if there is.

    A first column without a name that counts the rows is one if a person wants no labels.
    """
    if not columns.header:
        return numbers[1:] if labelled and _counts_rows(columns, numbers) else numbers
    values = [j for j in numbers if not is_id(columns.names[j])]
    families: dict[str, list[int]] = {}
    for j in values:
        families.setdefault(_family(columns, j) or columns.names[j] + " alone", []).append(j)
    large = [family for family in families.values() if len(family) > 1]
    if len(large) == 1 and len(large[0]) * 2 >= len(values):
        return large[0]
    return values[1:] if len(values) == len(numbers) and _counts_rows(columns, values) else values


def _family(columns: Columns, j: int) -> str:
    """What the name of a column is without its number: dim of dim_12; "" without a number."""
    name = columns.names[j]
    stem = name.rstrip("0123456789")
    return stem.rstrip(" _.-") + " family" if stem != name else ""


def _counts_rows(columns: Columns, numbers: list[int]) -> bool:
    """Whether the first column holds whole numbers without a repeat, and the others fractions."""
    if len(numbers) < 2 or numbers[0] != 0:
        return False
    return are_counts(columns.cells(0)) and all(
        any(re.search(r"[.,eE]", c) for c in columns.cells(j)) for j in numbers[1:]
    )


def _refuse_encoded(columns: Columns) -> None:
    """Raise DataError for vectors written as complex numbers or as encoded bytes."""
    if columns.of("list"):
        return
    for j in columns.of("text"):
        cells = [cell for cell in columns.cells(j) if cell]
        known = columns.header and plain(columns.names[j]) in KNOWN
        for what, remedy, pattern, sure in (
            ("complex numbers", "Vectors are of real numbers.", _COMPLEX, True),
            ("its vectors as raw bytes", "Write row.tolist() instead.", _BYTES, known),
            ("its vectors as encoded text (base64)", "Write them as lists of numbers.",
             _ENCODED, known),
        ):  # fmt: skip
            if sure and cells and all(map(pattern.match, cells)):
                column = columns.call(j).rstrip(",")
                raise DataError(
                    f"{columns.file} holds {what}: {column} begins “{cells[0][:24]}”.", remedy
                )


def _refuse_dressed(columns: Columns, vectors: list[int]) -> None:
    """Raise DataError for a coordinate written for people: 12 %, $5, 1,234,567.

    Where the coordinates have numbered names, a column with another name is none of them.
    """
    family = _family(columns, vectors[0]) if columns.header and vectors else ""
    for j in columns.of("text"):
        if family and _family(columns, j) != family:
            continue
        cells = [cell for cell in columns.cells(j) if cell]
        short = (cell for cell in cells if len(cell) < LONG_NUMBER)
        dressed = [cell for cell in short if is_grouped(cell) and not count_numbers(cell)]
        if len(dressed) * 2 > len(cells):
            raise DataError(
                f"{columns.file} cannot be read: column {j + 1} holds “{dressed[0][:40]}” where a "
                "number is needed.",
                "Write plain numbers, without signs for thousands, percent or currency.",
            )


def _label(columns: Columns, rest: list[int]) -> int | None:
    """The column that names rows: by its name, then words that are ids, then text, then ids."""
    words = [j for j in rest if columns.kinds[j] == "text"]
    named = [j for j in words if columns.header and is_label(columns.names[j])]
    titles = [j for j in named if plain(columns.names[j]) not in PROSE]
    distinct = {j: None for j in words if len(set(columns.cells(j))) * 2 > len(columns.body)}
    ids = [j for j in rest if columns.header and is_id(columns.names[j])]
    spoken = [j for j in ids if j in distinct
              and not all(_HASH.fullmatch(cell) for cell in columns.cells(j) if cell)]  # fmt: skip
    plain_ids = [j for j in rest if not columns.header and columns.kinds[j] == "number"]
    order = sorted(titles, key=lambda j: j not in distinct)
    return next(iter([*order, *spoken, *named, *distinct, *ids, *plain_ids, *words]), None)


def _decimal(columns: Columns, vectors: list[int]) -> str:
    """The decimal sign. Raises DataError where commas may as well separate thousands."""
    commas = [cell for j in vectors for cell in columns.cells(j) if is_decimal_comma(cell)]
    points = sum("." in cell for j in vectors for cell in columns.cells(j))
    if len(commas) <= points:
        return "."
    if all(_THOUSANDS.fullmatch(cell) for cell in commas):
        raise DataError(
            f"{columns.file} holds “{commas[0]}”, which may be {commas[0].replace(',', '.')} or "
            f"{commas[0].replace(',', '')}.",
            "Write plain numbers, without a sign for thousands.",
        )
    return ","


def _notes(
    columns: Columns, filled: list[int], vectors: list[int], label: int | None, decimal: str
) -> tuple[str, ...]:
    notes = [] if label is None else [f"{columns.call(label)} is taken as labels."]
    left = [columns.names[j] or str(j + 1) for j in filled if j != label]
    left += [columns.names[j] for j in columns.of("empty") if columns.names[j] and columns.header]
    if left:
        plural = "s" * (len(left) > 1)
        notes.append(f"{columns.noun}{plural} left out: {quoted(left)}.")
    if decimal == ",":
        notes.append("Numbers have decimal commas.")
    return tuple(notes)
