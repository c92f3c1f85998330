"""A JSON document read piece by piece, so that memory holds one row or name at a time."""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.contract import Source
from mips_core.data.readers.names import shortened
from mips_core.data.readers.text.lines import BLOCK

BATCH = 1024
BULK = 2**20  # characters of short rows parsed together
REWRITE = "Write the file again, with json.dump for instance."

_CUT = re.compile(r"[-+.\w\\]{0,9}\s*")  # 0. or tru or \\u00 at the end of a file
_BLANKS = re.compile(r"[ \t\r\n]*")
_WORDS = {
    "Expecting value": "a value is missing or is none that JSON knows",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Unterminated string starting at": "the text that begins here is not closed",
    "Invalid control character at": "a text holds a line break or another control character",
    "Invalid \\escape": "a text holds a backslash that stands for nothing",
    "Invalid \\uXXXX escape": "a text holds a backslash that stands for nothing",
    "Extra data": "something follows the end of the value",
}


class RepeatedNameError(Exception):
    """An object has two values of one name."""


class LargePieceError(Exception):
    """A value is too large to be held at once."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its names and values. Raises RepeatedNameError for two values of one name."""
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise RepeatedNameError(next(name for name, count in counts.items() if count > 1))
    return values


DECODER = json.JSONDecoder(object_pairs_hook=unique)


def shown_text(text: str) -> str:
    """Text that can be shown: JSON may hold half a pair of escapes, a file bytes that are no text.

    What is long becomes short.
    """
    return shortened(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def why(error: Exception) -> str:
    """What is wrong with a JSON text, in plain words."""
    if isinstance(error, RecursionError):
        return "its brackets are nested too deeply"
    if isinstance(error, RepeatedNameError):
        return f"an object has the name “{shown_text(str(error))}” twice"
    if isinstance(error, json.JSONDecodeError):
        return _WORDS.get(error.msg, error.msg[:1].lower() + error.msg[1:])
    return "a whole number has too many digits"  # all that is left of ValueError


class JsonStream:
    """A cursor in a document. Methods raise DataError naming line and column, and Cancelled."""

    def __init__(self, file: BinaryIO, source: Source) -> None:
        self.file, self.source = file, source
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape").decode
        self._text, self._at = "", 0
        self._before = 0  # line feeds in what was dropped
        self._column = 0  # characters dropped after the last of them
        self._ended = False
        self._bulk = True
        self._dropped = 0  # characters before the text held

    @property
    def position(self) -> int:
        """Characters of the document before the cursor."""
        return self._dropped + self._at

    def peek(self) -> str:
        """The next character that is no blank, or "" at the end of the file."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            assert blanks is not None  # it matches anything
            self._at = blanks.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def inside(self) -> str:
        """The first character inside the bracket at the cursor; "" for none that is near."""
        while len(self._text) - self._at <= limits.MAX_JSON_PIECE:
            blanks = _BLANKS.match(self._text, self._at + 1)
            if blanks is not None and blanks.end() < len(self._text):
                return self._text[blanks.end()]
            if not self._more():
                break
        return ""

    def value(self) -> Any:
        """The value at the cursor. Raises LargePieceError, with the cursor unmoved."""
        while True:
            failure: Exception | None = None
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
                if end - self._at > limits.MAX_JSON_PIECE:
                    raise LargePieceError
                if end < len(self._text) or self._ended:  # a number may go on in the next block
                    self._at = end
                    return value
            except (RecursionError, RepeatedNameError) as error:
                raise self.fault(why(error), self._at) from None
            except ValueError as error:
                failure = error
            if len(self._text) - self._at > limits.MAX_JSON_PIECE:
                raise LargePieceError
            if not self._more() and failure is not None:
                raise self._failed(failure) from None

    def batches(self) -> Iterator[list[Any]]:
        """The elements of the array at the cursor, some at a time."""
        self._at += 1
        if self.peek() == "]":
            self._at += 1
            return
        batch: list[Any] = []
        start = self.position
        while True:
            if self.peek() in ("[", "{") and self._bulk and (rows := self._rows()):
                yield [*batch, *rows]
                batch = []
                continue
            batch.append(self.element())
            sign = self.peek()
            if sign not in (",", "]"):
                raise self.fault("a comma or a closing bracket is missing", self._at)
            self._at += 1
            if sign == "]" or len(batch) == BATCH or self.position > start + BLOCK:
                yield batch
                batch, start = [], self.position
            if sign == "]":
                return

    def element(self) -> Any:
        """The value at the cursor. Raises DataError where it is too large."""
        try:
            return self.value()
        except LargePieceError:
            what = f"the value that begins here is larger than {limits.MAX_JSON_PIECE >> 20} MB"
            raise self.fault(what, self._at) from None

    def _rows(self) -> list[Any]:
        """Many short rows parsed together; none where they cannot be cut apart easily."""
        if len(self._text) - self._at < BULK:
            self._more()
        close = "]," if self._text[self._at] == "[" else "},"
        cut = self._text.rfind(close, self._at, self._at + BULK)
        try:
            rows = DECODER.decode(f"[{self._text[self._at : cut + 1]}]") if cut > 0 else []
        except (ValueError, RecursionError, RepeatedNameError):
            rows = []
        self._bulk = bool(rows)
        if rows:
            self._at = cut + 2
        return list(rows)

    def members(self) -> Iterator[str]:
        """The names in the object at the cursor, which is at the value after each.

        Whoever iterates takes the value before the next name.
        """
        self._at += 1
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise self.fault("a name in double quotes is missing", self._at)
            name = self.element()
            if self.peek() != ":":
                raise self.fault("a colon is missing", self._at)
            self._at += 1
            self.peek()
            yield name
            sign = self.peek()
            if sign not in (",", "}"):
                raise self.fault("a comma or a closing brace is missing", self._at)
            self._at += 1
            if sign == "}":
                return

    def end(self) -> None:
        """Raise DataError unless the document ends here."""
        if self.peek():
            raise self.fault("something follows the end of the document", self._at)

    def fault(self, what: str, at: int) -> DataError:
        """The error for a place in the text held."""
        if at >= len(self._text.rstrip()) and self._ended:
            return DataError(
                f"{self.source.name} ends in the middle of a value; it is cut short.", REWRITE
            )
        line = self._before + self._text.count("\n", 0, at) + 1
        column = self._columns(at) + 1
        return DataError(
            f"{self.source.name} cannot be read: line {line:,}, column {column:,}: {what}.", REWRITE
        )

    def _columns(self, at: int) -> int:
        """Characters of its line before a place in the text held."""
        feed = self._text.rfind("\n", 0, at)
        return self._column + at if feed < 0 else at - feed - 1

    def _failed(self, error: Exception) -> DataError:
        at = self._at
        if isinstance(error, json.JSONDecodeError):
            open_text = error.msg.startswith("Unterminated")  # then nothing closes it
            cut = open_text or _CUT.fullmatch(self._text, error.pos) is not None
            at = len(self._text) if cut else error.pos
        return self.fault(why(error), at)

    def _more(self) -> bool:
        """Read on, dropping what lies before the cursor. False at the end of the file."""
        if self._ended:
            return False
        self._before += self._text.count("\n", 0, self._at)
        self._column = self._columns(self._at)
        self._dropped += self._at
        rest = self._text[self._at :]
        raw = self.file.read(max(BLOCK, len(rest)))
        self.source.reached(self.file.tell())
        self._ended = not raw
        self._text, self._at = rest + self._decode(raw, not raw), 0
        return True
