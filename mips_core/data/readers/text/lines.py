"""Lines of text as bytes: samples, blocks, their encoding, and the sign between the values."""

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from statistics import median_high

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.binary import check_values
from mips_core.data.readers.contract import Source
from mips_core.data.readers.text.numbers import count_numbers, is_balanced, is_grouped, is_number

LINE_BYTES = 16 * 2**20
"""Longest line read."""

BLOCK = 2 * 2**20
SAMPLE_LINES = 400
SAMPLE_BYTES = 2**20
BOM = b"\xef\xbb\xbf"
BLANK = " "  # stands for any run of spaces and tabs
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_BRACKETED = re.compile(  # after a word; it takes no step back, or long rows of signs take minutes
    rb"(?<=[ \t:=,])(?![ \t])([A-Za-z_][\w.]*+\()*+(?:[\s']*+[\[({<]){1,8}+([-+\d.eE,;| \t]++)"
    rb"[\])}>][\])}>\s']*+(,\s*\w+=[^,\[({]*+)*+[\])}>\s,;]*+$"
)
_COMMAS = re.compile(rb"(?<!\S)(?:[-+]|\xe2\x88\x92)?\d*,\d+([eE][-+]?\d+)?\s*$")
_IN_NUMBER = re.compile(rb"(?<!\S)((?:[-+]|\xe2\x88\x92)?\d*),(\d+(?:[eE][-+]?\d+)?)(?!\S)")
WINDOWS = re.compile(rb"[\x80-\x9f]")  # control characters in Latin-1
NOT_WINDOWS = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")  # undefined in Windows-1252

csv.field_size_limit(LINE_BYTES)  # a vector written as a list in one cell is long


def is_text(head: bytes) -> bool:
    """Whether `head` looks like text in an encoding that keeps ASCII."""
    stray = len(head) - len(head.translate(None, _CONTROL))
    return stray * 100 <= len(head)


def is_remark(line: str) -> bool:
    """Whether a line begins as numpy.savetxt, MATLAB or C mark a remark; so may a word."""
    return line.startswith(("#", "%", "//"))


def tokens_of(line: bytes) -> list[str]:
    """What stands between the blanks and tabs of a line; a no-break space is part of a word."""
    return [token.decode(errors="replace") for token in line.split()]


def numbers_at_end(tokens: list[str]) -> int:
    """How many of the last tokens in a row are numbers."""
    count = 0
    while count < len(tokens) and is_number(tokens[-1 - count]):
        count += 1
    return count


def dress_of(lines: Sequence[bytes]) -> str:
    """How most lines write numbers that blanks separate: "[" in brackets, "," with decimal commas,
    "" plainly.
    """
    lines = [line for line in lines if line.strip()]
    if sum(listed(line) is not None for line in lines) * 2 > len(lines):
        return "["
    return "," if sum(_COMMAS.search(line) is not None for line in lines) * 2 > len(lines) else ""


def listed(line: bytes) -> tuple[bytes, bytes] | None:
    """The word of a line and the numbers in brackets after it; None for any other line.

    A word in a bracket that the line closes again loses it, and its quotes: ('a', [1, 2]).
    """
    closed = line.rstrip(b" \t,;'").endswith((b"]", b")", b"}", b">"))
    bracketed = _BRACKETED.search(line) if closed else None
    if bracketed is None:
        return None
    word = line[: bracketed.start()].strip(b" \t:=,")
    if word[:1] in (b"(", b"[", b"{") and not re.search(rb"[\])}]", word):
        word = word[1:].strip()
        word = word[1:-1] if len(word) > 1 and word[:1] == word[-1:] in (b"'", b'"') else word
    if not is_balanced(word.decode("latin-1")) or _BRACKETED.search(
        b" " + word
    ):  # or of several lists
        return None
    return word, re.sub(rb"[,;|]", b" ", bracketed[2]).strip()


def undressed(line: bytes, dress: str) -> bytes:
    """A line with its numbers written plainly and separated by blanks."""
    if dress == "," and b"," in line:
        return _IN_NUMBER.sub(rb"\1.\2", line)
    parts = listed(line) if dress == "[" else None
    return line if parts is None else b" ".join(parts)


def separator(head: bytes) -> tuple[str, int]:
    """The sign that cuts most lines of `head` into most numbers, and how many; 0: none does."""
    lines = [line for line in head.removeprefix(BOM).splitlines() if line.strip()]
    lines = lines[: min(100, max(1, len(lines) - 1))] if len(head) >= 2**16 else lines[:100]
    best, most = BLANK, 0
    for sign in ("\t", ";", ",", "|", BLANK):
        if sign != BLANK and not any(sign.encode() in line for line in lines):
            continue
        counts = _counts(lines, sign)
        score = median_high(counts) if counts else 0
        if score > most or (score == most > 0 and _tears(lines, best)):
            best, most = sign, score
    return best, most


def _tears(lines: list[bytes], sign: str) -> bool:
    """Whether `sign`, a comma, stands in numbers that blanks separate: 0,25 0,5."""
    written = sum(re.search(rb"\d,\d+[ \t]+[-+]?\d*,\d", line) is not None for line in lines)
    return sign == "," and written * 2 > len(lines)


def _counts(lines: list[bytes], sign: str) -> list[int]:
    if sign == BLANK:
        dress = dress_of(lines)
        return [numbers_at_end(tokens_of(undressed(line, dress))) for line in lines]
    rows = csv.reader([line.decode(errors="replace") + "\n" for line in lines], delimiter=sign)
    try:
        return [sum(count_numbers(cell) or is_grouped(cell) for cell in row) for row in rows]
    except csv.Error:
        return []


def sample(source: Source) -> list[bytes]:
    """The first lines, whole, without BOM and line ends. Raises DataError for an endless line."""
    lines: list[bytes] = []
    taken = 0
    with source.path.open("rb") as file:
        while len(lines) < SAMPLE_LINES and (taken < SAMPLE_BYTES or len(lines) < 8):
            line = file.readline(LINE_BYTES + 1)
            if not line:
                break
            if len(line) > LINE_BYTES:
                raise too_long(source, len(lines) + 1)
            taken += len(line)
            lines.append(line.rstrip(b"\r\n"))
    if lines:
        lines[0] = lines[0].removeprefix(BOM)
    return lines


def too_long(
    source: Source, number: int, remedy: str = "A table of vectors has one vector a line."
) -> DataError:
    """The error for a line that goes on and on."""
    return DataError(
        f"{source.name} cannot be read: line {number:,} is longer than {LINE_BYTES >> 20} MB.",
        remedy,
    )


def count_lines(source: Source) -> int:
    """Lines of the file, the last one counted whether or not it is ended.

    Raises DataError for an endless line.
    """
    total, run = 1, 0  # run: bytes since the last line feed
    with source.path.open("rb") as file:
        while chunk := file.read(BLOCK):
            first = chunk.find(b"\n")
            run += len(chunk) if first < 0 else first
            if run > LINE_BYTES:
                raise too_long(source, total)
            if first >= 0:
                run = len(chunk) - 1 - chunk.rfind(b"\n")
            total += chunk.count(b"\n")
    return total


def room_for(source: Source, d: int) -> int:
    """`count_lines` of rows of d numbers. Raises DataError for too many, and an endless line."""
    room = count_lines(source)
    check_values(room * d, source.name, f"about {room * d:,}")
    return room


def blocks(source: Source) -> Iterator[tuple[int, list[bytes]]]:
    """(number of the first line, lines) for parts of about 2 MB; memory stays bounded.

    Raises DataError for an endless line, and Cancelled.
    """
    number, rest = 1, b""
    with source.path.open("rb") as file:
        while chunk := file.read(BLOCK):
            if number == 1 and not rest:
                chunk = chunk.removeprefix(BOM)
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > LINE_BYTES:
                raise too_long(source, number + len(lines))
            yield number, lines
            number += len(lines)
            source.reached(file.tell())
    if rest:
        yield number, [rest]


def encoding_of(source: Source) -> tuple[str, list[str]]:
    """How the text of a file is encoded, and a note where it is not UTF-8."""
    if _is_utf8(source):
        return "utf-8-sig", []
    controls, undefined = _holds(source, WINDOWS), _holds(source, NOT_WINDOWS)
    if controls and not undefined:
        return "cp1252", [f"The text of {source.name} is not UTF-8; it is read as Windows-1252."]
    return "latin-1", [f"The text of {source.name} is not UTF-8; it is read as Latin-1."]


def _is_utf8(source: Source) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with source.path.open("rb") as file:
            while chunk := file.read(BLOCK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _holds(source: Source, pattern: re.Pattern[bytes]) -> bool:
    """Whether some byte of the file is one of `pattern`."""
    with source.path.open("rb") as file:
        return any(pattern.search(chunk) for chunk in iter(lambda: file.read(BLOCK), b""))


def begins_in_utf8(head: bytes) -> bool:
    """Whether `head`, which may be cut within a character, is UTF-8."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True
