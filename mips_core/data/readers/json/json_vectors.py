"""JSON: one row a line (JSON Lines), or a document of rows, named arrays or named vectors."""

import json
import re
from collections.abc import Sequence
from typing import BinaryIO

from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register
from mips_core.data.readers.json import document
from mips_core.data.readers.json.rows import CORRECT, JsonRows
from mips_core.data.readers.json.stream import DECODER, RepeatedNameError, why
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
        return not _is_numbers_in_blanks(first)
    return first[end:].lstrip()[:1] in ("", "{", "[")  # a table may begin with a cell [0.1, 0.2]


def _is_numbers_in_blanks(line: str) -> bool:
    """Whether a line is an array as NumPy prints it, [[0.1 0.2], without commas."""
    return re.match(r"[\[\s]*-?\d[\d.eE+-]*\s+-?\d", line) is not None


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d) float32, with labels and queries where there are any.

    Raises DataError naming the line, or in a document the row; UnsettledError where a person may
    choose among fields or arrays, or may leave bad rows out.
    """
    if _is_lines(source):
        return _read_lines(source, choices)
    return document.read(source, choices)


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


def _read_lines(source: Source, choices: Choices) -> Table:
    rows = JsonRows(source.name, choices, "line")
    for number, block in text.blocks(source):
        _add_lines(rows, number, block)
    return rows.table()


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


register(Reader("json", "JSON and JSON Lines", (".json", *_LINES), Rank.STRUCTURE, matches, read))
