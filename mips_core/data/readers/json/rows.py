"""Rows of JSON, as they come, to a matrix with labels; every row that cannot be used is noted."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mips_core.base import limits
from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.readers.arrays.npy import check_labels
from mips_core.data.readers.bad_rows import Places, shown
from mips_core.data.readers.choices import NONE, Choices, Offers
from mips_core.data.readers.contract import NONE_LEFT, Table
from mips_core.data.readers.json.fields import SAMPLE, RowFields, at, make_fields
from mips_core.data.readers.json.stream import shown_text
from mips_core.data.readers.names import decode, quoted
from mips_core.data.readers.text.numbers import is_numbers, list_inside, matrix_of

CORRECT = "Correct this row or leave it out."
GROWTH = 8  # room is made for so much more: this part of what is there
SAME = "All vectors need the same length."


class JsonRows:
    """Takes rows in batches: lists of numbers, or objects with fields.

    The first batch tells how all are made. `unit` names the places of rows in messages: the line
    of a file with one row a line, or the row of a document.
    """

    def __init__(self, file: str, choices: Choices, unit: str, names: Sequence[str] = ()) -> None:
        self.file, self.choices, self.names = file, choices, names
        self.places = Places(file, choices.skip_bad, unit)
        self.fields: RowFields | None = None  # None: rows are vectors
        self.d = 0
        self.n = 0
        self.taken = 0  # rows met, the bad ones among them
        self.dropped: list[int] = []  # rows, from 0, that are not in the matrix
        self._values: Matrix = np.empty((0, 0), np.float32)  # the rows, with room for more
        self._labels: list[str] = []

    def add(self, rows: Sequence[Any], places: Sequence[int]) -> None:
        """Take rows found at `places`. Raises DataError where none can be a vector."""
        if not rows:
            return
        if not self.d:
            self._begin(rows, places[0])
        vectors = [self._vector(row) for row in rows]
        values = matrix_of(vectors, self.d)
        sound: Sequence[int] = range(len(rows))
        if values is None or not _are_usable(values):
            sound = [
                i for i, (row, place) in enumerate(zip(vectors, places, strict=True))
                if self._is_sound(row, rows[i], place)
            ]  # fmt: skip
            self.dropped += [self.taken + i for i in sorted({*range(len(rows))} - {*sound})]
            values = matrix_of([vectors[i] for i in sound], self.d)
            assert values is not None  # every row is sound
        self.taken += len(rows)
        self.n += len(values)
        if self.n * self.d > limits.MAX_VALUES:
            raise DataError(
                f"{self.file} holds more than {limits.MAX_VALUES:,} numbers, which is the limit.",
                "Give its first rows only.",
            )
        if self.places.rows and not self.choices.skip_bad:
            return  # to be refused: only the bad rows are counted
        self._keep(values)
        if self.fields is not None and self.fields.label is not None:
            check_labels(self.n, self.file)
            self._labels += [text_of(at(rows[i], self.fields.label)) for i in sound]

    def add_broken(self, what: str, remedy: str, place: int) -> None:
        """Note a row that could not even be parsed."""
        self.places.add_broken(what, remedy, place)
        self.dropped.append(self.taken)
        self.taken += 1

    def without_dropped(self, values: Sequence[Any]) -> list[Any]:
        """The values (one a row met) of the rows that are in the matrix."""
        dropped = set(self.dropped)
        return [value for i, value in enumerate(values) if i not in dropped]

    def table(self, offers: Offers | None = None) -> Table:
        """All rows. Raises DataError where none is left, UnsettledError where some are bad."""
        fields = self.fields
        offers = offers or (fields.offers if fields else Offers())
        offers, left_out = self.places.settle(offers, self.n)
        if self.n == 0:
            raise DataError(f"{self.file} holds no vectors.", "A search needs one or more.")
        labels, notes = None, list(fields.notes if fields else ())
        if fields is not None and fields.label is not None:
            labels, more = clean(self._labels)
            notes += more
        if self.n < len(self._values):
            self._values.resize((self.n, self.d), refcheck=False)
        kept = np.delete(np.arange(self.taken), self.dropped) if self.dropped else None
        return Table(self._values, labels, notes=[*notes, *left_out], offers=offers, kept=kept)

    def _keep(self, values: Matrix) -> None:
        """Put the last rows into one array that grows in place: parts, joined, are held twice."""
        before = self.n - len(values)
        if before == 0:
            self._values = values.copy()  # which owns its memory, as one that grows has to
            return
        if self.n > len(self._values):
            room = max(self.n, before + before // GROWTH)
            self._values.resize((room, self.d), refcheck=False)
        self._values[before : self.n] = values

    def _begin(self, rows: Sequence[Any], place: int) -> None:
        """Tell from the first rows how all are made."""
        objects = [row for row in rows[:SAMPLE] if isinstance(row, dict)]
        lists = [row for row in rows[:SAMPLE] if isinstance(row, list)]
        kind = objects if len(objects) > len(lists) else lists
        if not any(kind):
            raise DataError(
                f"{self.file} holds no vectors: {self.places.unit} {place:,} is {_what(rows[0])}.",
                NONE_LEFT,
            )
        vectors = [row for row in lists if is_numbers([v for v in row if v is not None])]
        if kind is lists and vectors and not self.names:
            if self.choices.label not in ("", NONE):
                raise DataError(f"{self.file} has no field “{self.choices.label}” for labels.",
                                "Its rows are lists of numbers only.")  # fmt: skip
            lengths = list(map(len, vectors))
            self.d = max(lengths, key=lengths.count)
            return
        if kind is lists and all(isinstance(value, list) for value in kind[0]):
            raise DataError(
                f"{self.file} holds several vectors a row: {self.places.unit} {place:,} has "
                f"{len(kind[0]):,} lists.",
                "Give one flat list of numbers a row, their mean for instance.",
            )
        self.fields = make_fields(kind, self.names, self.file, self.choices)
        self.d = self.fields.d

    def _vector(self, row: Any) -> Any:
        """What stands in a row where its vector should be."""
        fields = self.fields
        if fields is None:
            return row
        if not fields.lists:
            return [at(row, path) for path in fields.vectors]
        value = at(row, fields.vectors[0])
        return _parsed(value) if isinstance(value, str) else value

    def _is_sound(self, vector: Any, row: Any, place: int) -> bool:
        """Whether a vector is a list of d usable numbers; if not, its fault is noted."""
        fields = self.fields
        field = f"field {quoted(fields.names[:1])}" if fields is not None and fields.lists else ""
        where = f", {field}," if field else ""
        if fields is not None and not isinstance(row, dict if fields.objects else list):
            needed = "an object" if fields.objects else "a list"
            self.places.add_broken(f" is {_what(row)} where {needed} is needed", CORRECT, place)
        elif vector is None or vector == []:
            self.places.add("no vector", place, field)
        elif not isinstance(vector, list) or _are_several(vector):
            what = f"{where} is {_what(vector)} where a list of numbers is needed"
            self.places.add_broken(what, CORRECT, place)
        elif len(vector) != self.d:
            count = counted(len(vector), "number", "numbers")
            what = f"{where} has {count}, the others have {self.d:,}"
            self.places.add_broken(what, SAME, place)
        else:
            return self._are_numbers(vector, place, where)
        return False

    def _are_numbers(self, vector: list[Any], place: int, where: str) -> bool:
        fields = self.fields
        for j, value in enumerate(vector):
            if fields is not None and not fields.lists:
                where = f", field {quoted([fields.names[j]])},"
            if value is None:
                self.places.add("null", place, where.strip(", "))
            elif type(value) not in (int, float):
                what = f"{where} holds {_what(value)} where a number is needed"
                self.places.add_broken(what, CORRECT, place)
            elif not abs(value) <= MAX_MAGNITUDE:
                large = "a number out of range" if isinstance(value, int) else shown(value)
                self.places.add(large, place, where.strip(", "))
            else:
                continue
            return False
        return True


def clean(labels: list[str]) -> tuple[list[str], list[str]]:
    """Labels that can be shown, and a note where some hold bytes or escapes that are no text."""
    try:
        "".join(labels).encode()
    except UnicodeEncodeError:
        return decode([_bytes(label) for label in labels])
    return labels, []


def _bytes(label: str) -> bytes:
    """A label as it stood in the file; half a pair of escapes becomes bytes that are no UTF-8."""
    try:
        return label.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return label.encode(errors="surrogatepass")


def text_of(value: Any) -> str:
    """A label as text; nothing for null."""
    return "" if value is None else value if isinstance(value, str) else str(value)


def _are_usable(values: Matrix) -> bool:
    return values.size == 0 or bool(np.abs(values).max() <= MAX_MAGNITUDE)  # NaN compares as False


def _parsed(text: str) -> Any:
    """The numbers of a vector written as text inside JSON, or the text."""
    try:
        return [float(value) for value in (list_inside(text) or "").split()] or text
    except ValueError:
        return text


def _are_several(value: list[Any]) -> bool:
    return len(value) > 1 and all(isinstance(inner, dict | list) for inner in value)


def _what(value: Any) -> str:
    """A JSON value in words, short."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        inner = f" of {len(value):,} vectors" if _are_several(value) else ""
        return f"a list{inner}" if value else "an empty list"
    return f"the text “{shown_text(value)}”" if isinstance(value, str) else "a number"
