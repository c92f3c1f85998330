"""A JSON document: an array of rows, or an object of arrays, of rows or of vectors by name."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import NONE_LEFT, Source, Table
from mips_core.data.readers.json.meaning import table_of
from mips_core.data.readers.json.parts import Parts, Path, add_all
from mips_core.data.readers.json.rows import JsonRows
from mips_core.data.readers.json.stream import JsonStream, LargePieceError


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d) float32, with labels and queries where there are any.

    Raises DataError naming the line of what is no JSON, or the row of what is no vector;
    UnsettledError where a person may choose.
    """
    with source.path.open("rb") as file:
        stream = JsonStream(file, source)
        if stream.peek() == "[":
            table = _array(stream, source.name, choices)
            stream.end()
            return table
        parts = Parts(source.name, choices)
        _parts(stream, parts)
        stream.end()
    return table_of(parts)


def _array(stream: JsonStream, file: str, choices: Choices) -> Table:
    """The rows of an array; numbers alone are one row."""
    rows = JsonRows(file, choices, "row")
    if stream.inside() in ("[", "{", "n"):
        add_all(rows, stream.batches())
        return rows.table()
    values = _flat(stream)
    if not values:
        raise DataError(f"{file} holds no vectors, only an empty array.", NONE_LEFT)
    if isinstance(values[0], str | bool):
        raise DataError(f"{file} holds an array of {_named(values[0])}, no vectors.", NONE_LEFT)
    rows.add([values], [0])
    table = rows.table()
    return replace(table, notes=[*table.notes, "The numbers are taken as one vector."])


def _named(value: Any) -> str:
    return "text" if isinstance(value, str) else "true and false"


def _parts(stream: JsonStream, parts: Parts) -> None:
    """Go through the object at the start of a document, and through those too large to hold."""
    waiting: list[tuple[Path, Iterator[str]]] = [((), stream.members())]
    while waiting:
        path, names = waiting[-1]
        name = next(names, None)
        if name is None:
            waiting.pop()
            continue
        here = (*path, name)
        if not path:
            parts.add_key(name)
        if stream.peek() == "[" and stream.inside() in ("[", "{"):
            parts.add_rows(here, stream.batches())
        elif stream.peek() == "[":
            parts.add_flat(here, _flat(stream))
        elif stream.peek() == "{":
            start = stream.position
            try:
                parts.add_object(here, stream.value(), stream.position - start)
            except LargePieceError:
                waiting.append((here, stream.members()))
        else:
            parts.add_scalar(here, stream.element())


def _flat(stream: JsonStream) -> list[Any]:
    """The array at the cursor, of numbers or of texts."""
    try:
        return list(stream.value())
    except LargePieceError:
        return [value for batch in stream.batches() for value in batch]
