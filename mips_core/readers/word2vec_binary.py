"""word2vec's binary layout: "n d", then a word, a blank and d float32 for each row.

The C tool writes a line feed after each vector, gensim does not; both are read.
"""

import mmap
import re

import numpy as np

from mips_core import limits
from mips_core.arrays import Matrix
from mips_core.errors import DataError
from mips_core.readers.base import Rank, Reader, Source, Table, register
from mips_core.readers.lines import is_text, numbers_at_end, tokens_of
from mips_core.readers.words import decode

HEADER = re.compile(rb"\s*(\d{1,12})[ \t]+(\d{1,7})[ \t]*\r?\n")
WORD_BYTES = 4096
AGAIN = "Save or download it again."


def matches(head: bytes, name: str) -> bool:
    """A line with two whole numbers, followed by something that is no text ending in numbers."""
    header = HEADER.match(head)
    if header is None:
        return False
    body = head[header.end() :]
    numbers = numbers_at_end(tokens_of(body.split(b"\n", 1)[0]))
    return not is_text(body) or (numbers == 0 and not body.isascii())


def read(source: Source) -> Table:
    """Vectors (n, d), equal to the stored ones in every bit, with their words."""
    header = HEADER.match(source.head)
    assert header is not None  # it matched
    promised, d = int(header[1]), int(header[2])
    most = (source.size - header.end()) // (4 * d + 1) if d else 0
    if most < 1:
        raise DataError(
            f"{source.name} is cut short: its header promises {promised:,} × {d:,} numbers, the "
            f"file has {source.size:,} bytes.",
            AGAIN,
        )
    if most * d > limits.MAX_VALUES:
        raise DataError(
            f"{source.name} holds about {most * d:,} numbers; the limit is {limits.MAX_VALUES:,}.",
            "Save fewer rows.",
        )
    with (
        source.path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        words, vectors, end = _rows(data, header.end(), np.empty((most, d), np.float32))
    n = len(words)
    if end < source.size and n < promised:
        raise DataError(
            f"{source.name} is damaged or cut short in row {n:,}: its header promises "
            f"{promised:,} rows.",
            AGAIN,
        )
    labels, notes = decode(words)
    if n != promised:
        notes.append(f"The header promises {promised:,} rows, the file holds {n:,}; all are kept.")
    if end < source.size:
        notes.append(f"{source.size - end:,} bytes after the last row were left out.")
    return Table(vectors, labels, notes=notes)


def _rows(data: mmap.mmap, start: int, out: Matrix) -> tuple[list[bytes], Matrix, int]:
    """Words, vectors, and where reading ended: at the end of `data` or at a broken row."""
    width = 4 * out.shape[1]
    words: list[bytes] = []
    while len(words) < len(out):
        while data[start : start + 1] in (b"\n", b"\r"):
            start += 1
        blank = _blank(data, start, width, bool(words) and data[start - 1 : start] == b"\n")
        if blank < 0 or blank + 1 + width > len(data):
            break
        out[len(words)] = np.frombuffer(data[blank + 1 : blank + 1 + width], "<f4")
        words.append(data[start:blank])
        start = blank + 1 + width
    while data[start : start + 1] in (b"\n", b"\r"):
        start += 1
    return words, out[: len(words)], start


def _blank(data: mmap.mmap, start: int, width: int, lines: bool) -> int:
    """Where the word at `start` ends, or -1. With a line feed after each row it may hold blanks."""
    first = blank = data.find(b" ", start, start + WORD_BYTES)
    while lines and blank >= 0 and data[blank + 1 + width : blank + 2 + width] not in (b"\n", b""):
        blank = data.find(b" ", blank + 1, start + 256)
    return blank if blank >= 0 else first


register(Reader("word2vec_binary", "word2vec .bin", (".bin",), Rank.STRUCTURE, matches, read))
