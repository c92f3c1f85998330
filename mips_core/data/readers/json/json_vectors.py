"""JSON: one row a line (JSON Lines), or a document of rows, named arrays or named vectors."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import NONE_LEFT, Rank, Reader, Source, Table, register
from mips_core.data.readers.json.meaning import table_of
from mips_core.data.readers.json.parts import Parts, Path, add_all
from mips_core.data.readers.json.rows import CORRECT, JsonRows
from mips_core.data.readers.json.stream import (
    DECODER,
    JsonStream,
    LargePieceError,
    RepeatedNameError,
    why,
)
from mips_core.data.readers.text import lines as text

_BEGINS = re.compile(rb'\s*(\{\s*["}]|\[\s*([\[{"\]]|null|NaN|-?\d[\d.eE+-]*\s*[,\]\r\n]|$))')
MOST_BLANK_LINES = 1000

_LINES = (".jsonl", ".ndjson")


def matches(head: bytes, name: str) -> bool:
    """An object or an array, and no other text that begins with a bracket."""
    body = head.removeprefix(text.BOM)
    if (
        text.is_text(head)
        and name.endswith((".json", *_LINES))
        and body.lstrip()[:1] in (b"{", b"[")
    ):
        return True
    if not text.is_text(head) or _BEGINS.match(body) is None:
        return False
    first = body.lstrip().split(b"\n", 1)[0].decode(errors="replace")
    try:
        _, end = DECODER.raw_decode(first)
    except (ValueError, RecursionError, RepeatedNameError):
        # not an array as NumPy prints it, [[0.1 0.2], without commas
        return re.match(r"[\[\s]*-?\d[\d.eE+-]*\s+-?\d", first) is None
    return first[end:].lstrip()[:1] in ("", "{", "[")  # a table may begin with a cell [0.1, 0.2]


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d) float32, with labels and queries where there are any.

    Raises DataError naming the line, or in a document the row; UnsettledError where a person may
    choose among fields or arrays, or may leave bad rows out.
    """
    if _is_lines(source):
        rows = JsonRows(source.name, choices, "line")
        for number, block in text.blocks(source):
            _add_lines(rows, number, block)
        return rows.table()
    return _read_document(source, choices)


def _is_lines(source: Source) -> bool:
    """Whether the file has one value a line, and more than one."""
    with source.path.open("rb") as file:
        first = _next_line(file)
        second = _next_line(file)
    if not second or first in (b"[", b"{"):
        return False
    return _is_whole(first) or (source.plain_name.endswith(_LINES) and _is_whole(second))


def _next_line(file: BinaryIO) -> bytes:
    """The next line that is not blank, without blanks around it; b"" for none, or one too long."""
    for _ in range(MOST_BLANK_LINES):
        line = file.readline(text.LINE_BYTES)
        if not line or len(line) == text.LINE_BYTES:
            return b""
        if line := line.removeprefix(text.BOM).strip():
            return line
    return b""


def _is_whole(line: bytes) -> bool:
    """Whether a line is one JSON value."""
    try:
        DECODER.decode(line.decode(errors="replace"))
    except (ValueError, RecursionError, RepeatedNameError):
        return False
    return True


def _add_lines(rows: JsonRows, number: int, block: Sequence[bytes]) -> None:
    """Take the lines of a block, the first of which is line `number`."""
    values, places = [], []
    for place, line in enumerate(block, number):
        try:
            values.append(DECODER.decode(line.decode(errors="surrogateescape")))
            places.append(place)
        except (ValueError, RecursionError, RepeatedNameError) as error:
            if line.strip():
                rows.add(values, places)
                values, places = [], []
                rows.add_broken(f" is not JSON: {_why(error, line)}", CORRECT, place)
    rows.add(values, places)


def _why(error: Exception, line: bytes) -> str:
    if isinstance(error, json.JSONDecodeError):
        length = len(line.decode(errors="surrogateescape").rstrip())
        if error.pos >= length or error.msg.startswith("Unterminated"):
            return "it ends in the middle of a value"
        return f"in column {error.pos + 1:,} {why(error)}"
    return why(error)


def _read_document(source: Source, choices: Choices) -> Table:
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
        what = "text" if isinstance(values[0], str) else "true and false"
        raise DataError(f"{file} holds an array of {what}, no vectors.", NONE_LEFT)
    rows.add([values], [0])
    table = rows.table()
    return replace(table, notes=[*table.notes, "The numbers are taken as one vector."])


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


register(Reader("json", "JSON and JSON Lines", (".json", *_LINES), Rank.STRUCTURE, matches, read))
