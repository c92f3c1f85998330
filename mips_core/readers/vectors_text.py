"""Text with one vector a line, cut by blanks: word2vec, GloVe, fastText .vec, numpy.savetxt.

A row is a word, which may hold blanks, and d numbers; or d numbers alone.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mips_core import limits
from mips_core.arrays import Matrix
from mips_core.errors import DataError
from mips_core.readers import lines as text
from mips_core.readers.base import Rank, Reader, Source, Table, register
from mips_core.readers.places import Places
from mips_core.readers.words import decode, quoted

MINUS = "−".encode()


@dataclass(frozen=True)
class Plan:
    """How the rows of a file are made."""

    d: int
    labelled: bool
    first: int  # line (from 1) of the first row
    promised: int | None  # rows according to the header
    notes: tuple[str, ...] = ()


def matches(head: bytes, name: str) -> bool:
    """Any text."""
    return text.is_text(head)


def read(source: Source) -> Table:
    """Vectors (n, d) float32 with the words before them, if there are any."""
    plan = make_plan(text.sample(source), source.name)
    room = text.count_lines(source)
    if room * plan.d > limits.MAX_VALUES:
        raise DataError(
            f"{source.name} holds about {room * plan.d:,} numbers; the limit is "
            f"{limits.MAX_VALUES:,}.",
            "Give its first rows only.",
        )
    out = np.empty((room, plan.d), np.float32)
    words: list[bytes] = []
    places = Places(source.name)
    n = 0
    for number, block in text.blocks(source):
        where, found, values = _parse(_Rows(plan, source.name), number, block)
        places.check(values, where)
        out[n : n + len(values)] = values
        n += len(values)
        words += found
    places.raise_if_any()
    labels, notes = decode(words)
    if plan.labelled and all(len(word) > 2 and word[0] == word[-1] == '"' for word in labels):
        labels = [word[1:-1] for word in labels]
        notes.append("The quotes around all labels were left out.")
    if plan.promised is not None and plan.promised != n:
        notes.append(
            f"The header promises {plan.promised:,} rows, the file holds {n:,}; all are kept."
        )
    return Table(out[:n], labels if plan.labelled else None, notes=(*plan.notes, *notes))


def make_plan(sample: list[bytes], name: str) -> Plan:
    """d, header and labels, told from the first lines. Raises DataError where no vector is."""
    split = [(i, text.tokens_of(line)) for i, line in enumerate(sample, 1) if line.strip()]
    if not split:
        raise DataError(f"{name} holds no vectors, only blank lines.", "Give one vector a line.")
    header = _header([tokens for _, tokens in split])
    body = split[1:] if header else split
    if not body:
        raise DataError(
            f"{name} holds no vectors, only the line “{' '.join(split[0][1])[:60]}”.",
            "One vector a line is needed.",
        )
    _refuse_sparse(body[0], name)
    notes = []
    shapes = [(len(tokens), text.numbers_at_end(tokens)) for _, tokens in body]
    if len(body) > 1 and shapes[0][1] == 0 and max(run for _, run in shapes) > 0:
        line, tokens = body[0]
        shown = quoted([" ".join(tokens)[:40]])
        notes.append(f"Line {line}, {shown}, has no numbers and is taken as a heading.")
        body, shapes = body[1:], shapes[1:]
    d, labelled = _width(shapes, header[1] if header else None)
    if d < 1:
        line, tokens = body[0]
        raise DataError(
            f"{name} holds no vectors: line {line:,} does not end in numbers, nor do most others.",
            "Each line needs a word and its numbers, or numbers alone.",
        )
    if header and header[1] != d:
        notes.append(f"The header says {header[1]:,} dimensions, the rows have {d:,}.")
    if not labelled and header is None and _first_is_id([tokens for _, tokens in body]):
        d, labelled = d - 1, True
        notes.append("Column 1, whole numbers without a repeat, is taken as labels.")
    return Plan(d, labelled, body[0][0], header[0] if header else None, tuple(notes))


def _header(lines: list[list[str]]) -> tuple[int, int] | None:
    """(n, d) where the first line is a word2vec header."""
    if len(lines[0]) != 2 or not all(token.isdecimal() for token in lines[0]):
        return None
    n, d = map(int, lines[0])
    if len(lines) > 1 and len(lines[1]) == 2 and (d != 1 or n not in range(1, len(lines) + 1)):
        return None
    return n, d


def _refuse_sparse(row: tuple[int, list[str]], name: str) -> None:
    line, tokens = row
    if re.fullmatch(r"\d+:[-+.\deE]+", tokens[-1]):
        pair = next(token for token in tokens if re.fullmatch(r"\d+:[-+.\deE]+", token))
        raise DataError(
            f"{name} holds sparse “index:value” pairs, “{pair}” in line {line:,}.",
            "Write every row out in full: a word, then one number for each dimension.",
        )


def _width(shapes: list[tuple[int, int]], promised: int | None) -> tuple[int, bool]:
    """(d, whether a word comes first), from (tokens, numbers at the end) of some rows."""
    tokens = Counter(t for t, _ in shapes).most_common(1)[0][0]
    worded = [run for t, run in shapes if run < t]
    run = Counter(worded or [r for _, r in shapes]).most_common(1)[0][0]
    if promised is not None:
        if tokens == promised and len(worded) * 2 <= len(shapes):
            return promised, False
        other = run != promised and tokens == run + 1 and len(worded) * 2 > len(shapes)
        return (run if other else promised if max(r for _, r in shapes) > 0 else 0), True
    if len(worded) * 2 > len(shapes) or (worded and run == tokens - 1):
        return run, True
    return tokens, False


def _first_is_id(rows: list[list[str]]) -> bool:
    first = [row[0] for row in rows]
    rest = [row[1] for row in rows if len(row) > 1]
    whole = len(rows) > 2 and len(set(first)) == len(first) and all(map(str.isdecimal, first))
    return whole and len(rest) == len(rows) and all("." in value or "e" in value for value in rest)


class _Rows:
    """Cuts lines into words and numbers by one plan, finding fault by line number."""

    def __init__(self, plan: Plan, name: str) -> None:
        self.plan, self.name = plan, name

    def quick(self, line: bytes) -> tuple[bytes, bytes]:
        """(word, numbers), right for well-formed rows; wrong ones show when parsed."""
        d, labelled = self.plan.d, self.plan.labelled
        if line.count(b" ") == d - (not labelled):
            word, _, numbers = line.partition(b" ") if labelled else (b"", b"", line)
            return word, numbers
        return self.careful(line)

    def careful(self, line: bytes) -> tuple[bytes, bytes]:
        """(word, numbers) of a row with blanks in its word, or several blanks in a row."""
        d = self.plan.d
        if not self.plan.labelled:
            return b"", line
        parts = line.rsplit(None, d)
        word = parts[0] if len(parts) > d else b""
        if self._is_loose_number(word) or (not word and line[:1] not in b" \t"):
            return b"", b""  # a number too many, or no word: too few to parse
        return word.strip(b" \t"), b" ".join(parts[-d:])

    def _is_loose_number(self, word: bytes) -> bool:
        """Whether `word` ends in a coordinate: a row of d + 1 numbers, not a word like "no 7"."""
        *before, last = word.split() or [b""]
        return bool(before) and re.fullmatch(rb"[-+]?\d*\.\d{3,}([eE][-+]?\d+)?", last) is not None

    def fault(self, line: bytes, number: int) -> DataError | None:
        """What is wrong with a row, if anything."""
        d, tokens = self.plan.d, text.tokens_of(line)
        run = text.numbers_at_end(tokens)
        loose = self.plan.labelled and self._is_loose_number(line.rsplit(None, d)[0])
        bare = self.plan.labelled and len(tokens) == d and line[:1] not in b" \t"
        if run >= d and not loose and not bare and (self.plan.labelled or len(tokens) == d):
            return None
        where = f"{self.name} cannot be read: line {number:,}"
        if len(tokens) > run + self.plan.labelled and len(tokens) == d + self.plan.labelled:
            return DataError(
                f"{where} holds “{tokens[-1 - run][:40]}” where a number is needed.",
                "Correct the line or leave it out.",
            )
        count = run if self.plan.labelled and run < len(tokens) else len(tokens) - bare
        return DataError(
            f"{where} has {count:,} numbers, the rows before it have {d:,}.",
            "Correct the line or leave it out. A file cut short ends like this, too.",
        )


def _parse(rows: _Rows, number: int, block: list[bytes]) -> tuple[list[int], list[bytes], Matrix]:
    """Line numbers, words and float32 (b, d) of a block of lines. Raises DataError."""
    kept = [
        (i, line)
        for i, line in enumerate((raw.rstrip(b" \t\r") for raw in block), number)
        if line and i >= rows.plan.first
    ]
    pairs = [rows.quick(line) for _, line in kept]
    try:
        values = _floats((numbers for _, numbers in pairs), len(pairs) * rows.plan.d)
    except ValueError:
        for i, line in kept:
            if fault := rows.fault(line, i):
                raise fault from None
        pairs = [rows.careful(line) for _, line in kept]
        values = _floats((numbers for _, numbers in pairs), len(pairs) * rows.plan.d)
    return [i for i, _ in kept], [word for word, _ in pairs], values.reshape(-1, rows.plan.d)


def _floats(parts: Iterable[bytes], count: int) -> Matrix:
    tokens = b" ".join(parts).replace(MINUS, b"-").split()
    if len(tokens) != count:
        raise ValueError(f"{len(tokens)} numbers, not {count}")
    return np.fromiter(map(float, tokens), np.float32, count)


register(
    Reader("vectors_text", "word2vec, GloVe or fastText text", (".txt", ".vec"),
           Rank.TEXT, matches, read)
)  # fmt: skip
