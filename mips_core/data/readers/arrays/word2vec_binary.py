"""word2vec's binary layout: "n d", then a word, a blank and d float32 for each row.

The C tool writes a line feed after each vector, gensim does not; both are read.
"""

import mmap
import re
from collections.abc import Callable

import numpy as np

from mips_core.base import limits
from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.readers.choices import NONE, Choices, Offer, Offers
from mips_core.data.readers.contract import AGAIN, Rank, Reader, Source, Table, register
from mips_core.data.readers.names import decode, shortened
from mips_core.data.readers.text.lines import is_text, numbers_at_end, tokens_of

HEADER = re.compile(rb"\s*(\d{1,12})[ \t]+(\d{1,7})[ \t]*\r?\n")
WORD_BYTES = 4096
LONG_WORD_BYTES = 256  # of words with blanks
MOST_BLANKS = 12  # in a word
TINY = 1e-15
WORDS = "words"  # what is before each vector, as a person chooses it
REPORTED_ROWS = 4096


def matches(head: bytes, name: str) -> bool:
    """A line with two whole numbers, followed by something that is no text ending in numbers."""
    header = HEADER.match(head)
    if header is None:
        return False
    body = head[header.end() :]
    numbers = numbers_at_end(tokens_of(body.split(b"\n", 1)[0]))
    return not is_text(body) or (numbers == 0 and not body.isascii())


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d), equal to the stored ones in every bit, with their words.

    Raises DataError for a file that is damaged or cut short, or a choice that it does not have.
    """
    if choices.label not in ("", NONE, WORDS) or choices.array not in ("", source.name):
        part = choices.label if choices.array in ("", source.name) else choices.array
        raise DataError(
            f"{source.name} has no part “{part}”.", f"It has one table and its “{WORDS}”."
        )
    header = HEADER.match(source.head)
    assert header is not None  # it matched
    promised, d = int(header[1]), int(header[2])
    most = (source.size - header.end()) // (4 * d + 1) if d else 0
    _check_size(source, promised, d, most)
    out = np.empty((most, d), np.float32)
    with (
        source.path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        words, vectors, end = _rows(data, header.end(), out, source.reached)
        blocks = (vectors[i : i + REPORTED_ROWS] for i in range(0, len(vectors), REPORTED_ROWS))
        if not all(map(_are_usual, blocks)):  # perhaps a word with a blank was cut there
            words, vectors, end = _rows(data, header.end(), out, source.reached, strict=True)
    n = len(words)
    if end < source.size and n < promised:
        raise DataError(
            f"{source.name} is damaged or cut short in row {n:,}: its header promises "
            f"{counted(promised, 'row', 'rows')}.",
            AGAIN,
        )
    labels, notes = decode(words)
    rows = counted(promised, "row", "rows")
    if n != promised:
        notes.append(f"The header promises {rows}, the file holds {n:,}; all are kept.")
    if end < source.size:
        bytes_left = counted(source.size - end, "byte", "bytes")
        notes.append(f"{bytes_left} after the last row left out.")
    about = ", ".join(shortened(label, 24) for label in labels[:3]) + " …" * (n > 3)
    taken = "" if choices.label == NONE else WORDS
    offers = Offers(labels=(Offer(WORDS, about),), label=taken)
    return Table(vectors, labels if taken else None, notes=notes, offers=offers)


def _check_size(source: Source, promised: int, d: int, most: int) -> None:
    """Raise DataError where not one row fits into the file, or too many may."""
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


def _rows(
    data: mmap.mmap, start: int, out: Matrix, reached: Callable[[int], None], strict: bool = False
) -> tuple[list[bytes], Matrix, int]:
    """Words, vectors, and where reading ended: at the end of `data` or at a broken row."""
    width = 4 * out.shape[1]
    words: list[bytes] = []
    while len(words) < len(out):
        if len(words) % REPORTED_ROWS == 0:
            reached(start)
        start = _after_feeds(data, start)
        lines = bool(words) and data[start - 1 : start] == b"\n"
        blank = _blank(data, start, width, lines, strict)
        if blank < 0 or blank + 1 + width > len(data):
            break
        out[len(words)] = np.frombuffer(data[blank + 1 : blank + 1 + width], "<f4")
        words.append(data[start:blank])
        start = blank + 1 + width
    return words, out[: len(words)], _after_feeds(data, start)


def _after_feeds(data: mmap.mmap, start: int) -> int:
    """The place after the line feed or two that may stand between rows."""
    for _ in range(4):
        start += data[start : start + 1] in (b"\n", b"\r")
    return start


def _blank(data: mmap.mmap, start: int, width: int, lines: bool, strict: bool) -> int:
    """Where the word at `start` ends, or -1. It may hold blanks: what follows its vector tells.

    That is a line feed if `lines` and the next word if not; with `strict`, the numbers count, too.
    """
    first = blank = data.find(b" ", start, start + WORD_BYTES)
    for _ in range(MOST_BLANKS + 1):
        if blank < 0 or (blank != first and not _is_word(data[start:blank])):
            break
        end = blank + 1 + width
        fits = data[end : end + 1] in (b"\n", b"") if lines else _word_follows(data, end)
        if (
            fits
            and end <= len(data)
            and (not strict or _are_usual(np.frombuffer(data[blank + 1 : end], "<f4")))
        ):
            return blank
        blank = data.find(b" ", blank + 1, start + LONG_WORD_BYTES)
    return first


def _word_follows(data: mmap.mmap, at: int) -> bool:
    """Whether `data` ends or goes on with a word."""
    if at >= len(data):
        return at == len(data)
    at = _after_feeds(data, at)
    return _is_word(data[at : data.find(b" ", at, at + WORD_BYTES)])


def _is_word(data: bytes) -> bool:
    """Whether bytes may be a word: text that can be shown, so hardly a part of a vector."""
    try:
        return data.decode().isprintable()
    except UnicodeDecodeError:
        return False


def _are_usual(values: Matrix) -> bool:
    """Whether no number is not finite, huge or tiny, as those read at a wrong place are."""
    size = np.abs(values)
    return bool(np.all((size <= MAX_MAGNITUDE) & ((size >= TINY) | (size == 0))))


register(Reader("word2vec_binary", "word2vec .bin", (".bin",), Rank.STRUCTURE, matches, read))
