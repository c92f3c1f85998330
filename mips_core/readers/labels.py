"""A file of labels beside a file of vectors, such as the Embedding Projector's metadata."""

import csv

from mips_core.errors import DataError
from mips_core.readers import npy
from mips_core.readers.base import Source
from mips_core.readers.form import Form, cells_of
from mips_core.readers.lines import is_text
from mips_core.readers.words import is_id, is_label

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}


def read_labels(source: Source, n: int) -> tuple[list[str], list[str]]:
    """n labels and notes. Raises DataError where the file has not n rows (or n and a header)."""
    if source.head.startswith(npy.MAGIC):
        words = npy.read_strings(source)
        if words is None:
            raise DataError(f"{source.name} holds no labels.", "A one-dimensional array of text.")
        return _fit([[word] for word in words], n, source.name)
    if not is_text(source.head):
        raise DataError(f"{source.name} holds no labels.", "Give text, one label a line.")
    return _fit(_rows(source), n, source.name)


def _rows(source: Source) -> list[list[str]]:
    suffix = source.plain_name[-4:]
    first = source.head.split(b"\n", 1)[0].decode("latin-1")
    sign = "," if suffix == ".csv" and "\t" not in first else SEPARATORS.get(suffix, "\t")
    if suffix == ".csv" and first.count(";") > first.count(sign):
        sign = ";"
    quotes = sign != "\t" or (first[:1] == '"' and first.rstrip("\r")[-1:] == '"')
    try:
        with source.path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            rows = [row or [""] for row in cells_of(file, Form(sign, quotes))]
    except csv.Error as error:
        raise DataError(f"{source.name} cannot be read: {error}.") from None
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    return rows


def _fit(rows: list[list[str]], n: int, name: str) -> tuple[list[str], list[str]]:
    if len(rows) not in (n, n + 1):
        raise DataError(
            f"{name} has {len(rows):,} lines for {n:,} vectors.",
            "Give one label a line, with or without a header line, in the order of the vectors.",
        )
    notes = []
    column, shown = 0, ""
    if len(rows) == n + 1:
        header = rows.pop(0)
        column = _column(header)
        shown = f", “{header[column]}”,"
        notes.append(
            f"{name} has {n + 1:,} lines for {n:,} vectors; the first line is taken as a header."
        )
    if max(map(len, rows)) > 1:
        notes.append(f"Column {column + 1}{shown} of {name} is taken as labels.")
    return [row[column] if column < len(row) else "" for row in rows], notes


def _column(header: list[str]) -> int:
    named = [j for j, name in enumerate(header) if is_label(name)]
    others = [j for j, name in enumerate(header) if not is_id(name)]
    return next(iter([*named, *others]), 0) if len(header) > 1 and is_id(header[0]) else 0
