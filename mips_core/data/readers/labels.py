"""A file of labels beside a file of vectors, such as the Embedding Projector's metadata."""

from dataclasses import dataclass, replace

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_TEXT_BYTES
from mips_core.base.text import counted
from mips_core.data.readers.arrays import npy
from mips_core.data.readers.choices import NONE, Choices, Offer
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.dialect import BrokenRowError, Dialect
from mips_core.data.readers.json.rows import clean
from mips_core.data.readers.json.stream import DECODER, RepeatedNameError
from mips_core.data.readers.names import EXAMPLES, choosable, examples, is_id, is_label, quoted
from mips_core.data.readers.text.lines import encoding_of, is_text

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
SPARE_LINES = 1000  # blank ones at the end, before the file is refused
MOST_COLUMNS = 1000


@dataclass(frozen=True)
class LabelColumn:
    """Labels (n) from one column of a file, and the columns that may be chosen instead."""

    labels: list[str]
    notes: list[str]
    offers: tuple[Offer, ...] = ()
    taken: str = ""  # one of `offers`


def read_labels(source: Source, n: int, choices: Choices = Choices()) -> LabelColumn:
    """n labels; `choices.label` may name a column. n + 1 lines are n and a header.

    Raises DataError where the file has neither number of lines, or no such column.
    """
    in_npy = source.head.startswith(npy.MAGIC)
    words = npy.read_strings(source) if in_npy else _json_words(source)
    if words is None and in_npy:
        raise DataError(
            f"{source.name} holds no labels.",
            "Give a one-dimensional array of text or whole numbers. Python objects are stored "
            "as pickles, which are never opened: save labels with dtype=str.",
        )
    if words is not None:
        _check_count(len(words), 0, n, source.name)
        return LabelColumn(words, [])
    if not is_text(source.head):
        raise DataError(f"{source.name} holds no labels.", "Give text, one label a line.")
    encoding, notes = encoding_of(source)
    column = _column(_rows(source, n, encoding), n, source.name, choices.label)
    return replace(column, notes=[*column.notes, *notes])


def _json_words(source: Source) -> list[str] | None:
    """The texts or whole numbers of a JSON array; None for any other file."""
    if not source.head.lstrip().startswith(b"[") or source.size > MAX_TEXT_BYTES:
        return None
    try:
        values = DECODER.decode(source.path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError, RepeatedNameError):
        return None
    if not isinstance(values, list) or not all(type(value) in (str, int) for value in values):
        return None
    return clean([str(value) for value in values])[0]


def _rows(source: Source, n: int, encoding: str) -> list[list[str]]:
    suffix = source.plain_name[-4:]
    first = source.head.split(b"\n", 1)[0].decode("latin-1")
    sign = "," if suffix == ".csv" and "\t" not in first else SEPARATORS.get(suffix, "\t")
    if suffix == ".csv" and first.count(";") > first.count(sign):
        sign = ";"
    quotes = sign != "\t" or (first[:1] == '"' and first.rstrip("\r")[-1:] == '"')
    rows: list[list[str]] = []
    try:
        with source.path.open(encoding=encoding, errors="replace", newline="") as file:
            for _, row in Dialect(sign, quotes).rows(file):
                rows.append(row or [""])
                if len(rows) > n + SPARE_LINES:
                    break
                if len(rows) % 100_000 == 0:
                    source.reached(source.size * len(rows) // (n + 1))
    except BrokenRowError as error:
        raise error.refusal(source.name) from None
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    return rows


def _check_count(count: int, header: int, n: int, name: str) -> None:
    if count not in (n, n + header):
        more = "more than " if count > n + SPARE_LINES else ""
        lines = counted(min(count, n + SPARE_LINES), "line", "lines")
        raise DataError(
            f"{name} has {more}{lines} for {counted(n, 'vector', 'vectors')}.",
            "Give one label a line, with or without a header line, in the order of the vectors.",
        )


def _column(rows: list[list[str]], n: int, name: str, wished: str) -> LabelColumn:
    _check_count(len(rows), 1, n, name)
    notes = []
    header: list[str] = []
    if len(rows) == n + 1:
        header = [cell.strip() for cell in rows.pop(0)]
        notes.append(
            f"{name} has {n + 1:,} lines for {counted(n, 'vector', 'vectors')}; the first line is "
            "taken as a header."
        )
    width = min(max([len(header), *map(len, rows)]), MOST_COLUMNS)
    names = choosable([*header, *[""] * (width - len(header))])[:width]
    column = _best(header, rows, width)
    if wished not in ("", NONE, name):
        if wished not in names:
            raise DataError(
                f"{name} has no column “{wished}” for labels.", f"It has: {quoted(names)}."
            )
        column = names.index(wished)
    if width > 1:
        called = f", {quoted([header[column]])}," if column < len(header) else ""
        notes.append(f"Column {column + 1}{called} of {name} is taken as labels.")
    labels = [row[column] if column < len(row) else "" for row in rows]
    first, more = rows[:EXAMPLES], len(rows) > EXAMPLES
    shown = [examples([row[j] for row in first if j < len(row)], more) for j in range(width)]
    offers = tuple(map(Offer, names, shown))
    return LabelColumn(labels, notes, offers, names[column])


def _best(header: list[str], rows: list[list[str]], width: int) -> int:
    """The column that names rows: the first, unless it only counts them or is named an id."""
    if width == 1:
        return 0
    if not header:
        counts = all(row[0].strip().isdecimal() for row in rows)
        letters = ((j, cell) for row in rows for j, cell in enumerate(row[:width]) if j)
        wordy = {j for j, cell in letters if any(map(str.isalpha, cell))} if counts else ()
        return min(wordy, default=0)
    named = [j for j, name in enumerate(header[:width]) if is_label(name)]
    others = [j for j, name in enumerate(header[:width]) if not is_id(name)]
    return next(iter([*named, *others]), 0) if is_id(header[0]) else 0
