"""Text with one vector a line, cut by blanks: word2vec, GloVe, fastText .vec, numpy.savetxt.

A row is a word, which may hold blanks, and d numbers; or d numbers alone.
"""

import re

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.text import counted
from mips_core.data.readers.arrays.npy import check_labels
from mips_core.data.readers.bad_rows import Places
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register
from mips_core.data.readers.names import decode
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.layout import TextLayout, text_layout
from mips_core.data.readers.text.numbers import matrix_of_text


def matches(head: bytes, name: str) -> bool:
    """Any text."""
    return text.is_text(head)


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d) float32 with the words before them, if there are any.

    Raises DataError naming the line; UnsettledError where bad rows may be left out.
    """
    layout = text_layout(text.sample(source), source.name, choices)
    room = text.room_for(source, layout.d)
    if layout.worded:
        check_labels(room, source.name)
    out = np.empty((room, layout.d), np.float32)
    words: list[bytes] = []
    places = Places(source.name, choices.skip_bad)
    rows = _RowParser(layout, places)
    n = 0
    for number, block in text.blocks(source):
        block_words, values = rows.parse(number, block)
        out[n : n + len(values)] = values
        n += len(values)
        words += block_words
    offers, left_out = places.settle(layout.offers, n)
    labels, notes = _labels(layout, words)
    if layout.promised is not None and layout.promised != n + places.rows:
        notes.append(
            f"The header promises {counted(layout.promised, 'row', 'rows')}, the file holds "
            f"{n + places.rows:,}"
            + (";" if not places.rows else "; but for bad rows,")
            + " all are kept."
        )
    notes = [*layout.notes, *notes, *left_out]
    return Table(out[:n], labels, notes=notes, offers=offers, kept=places.kept(rows.lines))


def _labels(layout: TextLayout, words: list[bytes]) -> tuple[list[str] | None, list[str]]:
    if not layout.labelled:
        return None, []
    labels, notes = decode(words)
    if all(len(word) > 2 and word[0] == word[-1] == '"' for word in labels):
        labels = [word[1:-1] for word in labels]
        notes.append("The quotes around all labels were left out.")
    return labels, notes


class _RowParser:
    """Cuts lines into words and numbers by one layout, finding fault by line number."""

    def __init__(self, layout: TextLayout, places: Places) -> None:
        self.layout, self.places = layout, places
        self.lines: list[int] = []  # of usable rows, where others may be left out

    def parse(self, number: int, block: list[bytes]) -> tuple[list[bytes], Matrix]:
        """Words and float32 (b, d) of the usable rows among lines, the first of which `number`s."""
        lines = [
            (i, line)
            for i, line in enumerate((raw.rstrip() for raw in block), number)
            if line and i >= self.layout.first
        ]
        if self.layout.dress:
            lines = [(i, text.undressed(line, self.layout.dress)) for i, line in lines]
        pairs = [self._quick(line) for _, line in lines]
        values = self._values(pairs)
        if values is None:
            lines = [(i, line) for i, line in lines if self._is_sound(line, i)]
            pairs = [self._careful(line) for _, line in lines]
            values = self._values(pairs)
            assert values is not None  # every line is sound
        usable = self.places.check(values, [i for i, _ in lines])
        if self.places.skip:
            self.lines += [lines[i][0] for i in usable]
        if len(usable) < len(values):
            return [pairs[i][0] for i in usable], values[usable]
        return [word for word, _ in pairs], values

    def _values(self, pairs: list[tuple[bytes, bytes]]) -> Matrix | None:
        """float32 (b, d) of the numbers of b rows; None where one has not d numbers."""
        text = b"\n".join([numbers for _, numbers in pairs])
        return matrix_of_text(text, len(pairs), self.layout.d, b" ")

    def _quick(self, line: bytes) -> tuple[bytes, bytes]:
        """(word, numbers), right for well-formed rows; wrong ones show when parsed."""
        d, worded = self.layout.d, self.layout.worded
        if line.count(b" ") == d - (not worded):
            word, _, numbers = line.partition(b" ") if worded else (b"", b"", line)
            return word, numbers
        return self._careful(line)

    def _careful(self, line: bytes) -> tuple[bytes, bytes]:
        """(word, numbers) of a row with blanks in its word, or several blanks in a row."""
        d = self.layout.d
        if not self.layout.worded:
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

    def _is_sound(self, line: bytes, number: int) -> bool:
        """Whether a row is as planned; if not, its fault is noted."""
        d, worded, tokens = self.layout.d, self.layout.worded, text.tokens_of(line)
        run = text.numbers_at_end(tokens)
        loose = worded and self._is_loose_number(line.rsplit(None, d)[0])
        bare = worded and len(tokens) == d and line[:1] not in b" \t"
        if run >= d and not loose and not bare and (worded or len(tokens) == d):
            return True
        if text.is_remark(tokens[0]):
            self.places.add_remark(number)
            return False
        if len(tokens) > run + worded and len(tokens) == d + worded:
            what = f" holds “{tokens[-1 - run][:40]}” where a number is needed"
            self.places.add_broken(what, "Correct the line or leave it out.", number)
            return False
        count = run if worded and run < len(tokens) else len(tokens) - bare
        self.places.add_broken(
            f" has {counted(count, 'number', 'numbers')}, the others have {d:,}",
            "Correct the line or leave it out. A file cut short ends like this, too.",
            number,
        )
        return False


register(
    Reader("vectors_text", "word2vec, GloVe or fastText text", (".txt", ".vec"),
           Rank.TEXT, matches, read)
)  # fmt: skip
