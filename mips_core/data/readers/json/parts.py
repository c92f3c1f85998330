"""What an object of JSON holds that may be vectors, by the names that lead to it."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import NONE_LEFT
from mips_core.data.readers.json.fields import dotted
from mips_core.data.readers.json.rows import JsonRows
from mips_core.data.readers.json.stream import shown_text
from mips_core.data.readers.text.numbers import is_numbers

MOST_ARRAYS = 256
MOST_KEPT = 1000  # keys and single values, which are for messages and labels
MOST_LEVELS = 6
OBJECT_BYTES = 200  # of the smallest object held

Path = tuple[str, ...]
Flat = list[Any] | NDArray[np.float32]


def add_all(rows: JsonRows, batches: Iterable[list[Any]]) -> None:
    """Add all batches, counting their rows from 0."""
    count = 0
    for batch in batches:
        rows.add(batch, range(count, count + len(batch)))
        count += len(batch)


class Parts:
    """Arrays of rows, plain arrays, single values and whole objects, as they come."""

    def __init__(self, file: str, choices: Choices) -> None:
        self.file, self.choices = file, choices
        self.keys: list[str] = []  # of the document
        self.rows: dict[Path, JsonRows] = {}  # arrays of lists or of objects
        self.errors: dict[Path, DataError] = {}  # why an array of them holds no vectors
        self.flats: list[tuple[Path, Flat]] = []  # arrays of numbers or texts, in order
        self.scalars: dict[Path, Any] = {}
        self.crowded = False  # whether there are more single values than are kept
        self.objects: list[tuple[Path, dict[str, Any]]] = []  # not looked into yet
        self._held = 0  # characters of `objects`
        self._numbers = 0  # in all arrays

    def add_key(self, name: str) -> None:
        """A name in the outermost object."""
        if len(self.keys) < MOST_KEPT:
            self.keys.append(shown_text(name))

    def add_scalar(self, path: Path, value: Any) -> None:
        """A text, a number, true, false or null."""
        if len(self.scalars) < MOST_KEPT:
            self.scalars[path] = value
        self.crowded = self.crowded or len(self.scalars) == MOST_KEPT

    def add_rows(self, path: Path, batches: Iterable[list[Any]]) -> None:
        """An array of lists or of objects. What is no vector is remembered with its reason."""
        array = "" if dotted(path) == self.choices.array else self.choices.array
        choices = replace(self.choices, array=array, queries="")
        batches = iter(batches)
        first = next(batches, [])
        if first and isinstance(first[0], list):
            choices = replace(choices, array="", label="")  # they choose among the arrays
        if len(self.rows) + len(self.errors) == MOST_ARRAYS:
            raise DataError(
                f"{self.file} holds more than {MOST_ARRAYS} arrays of rows, which is the limit.",
                "Write one array of rows, or one vector a name.",
            )
        if path in self.rows or path in self.errors:
            raise DataError(
                f"{self.file} has the name “{shown_text(path[-1])}” twice.", "Rename one of them."
            )
        rows = JsonRows(self.file, choices, "row", self._names(first))
        self.rows[path] = rows
        count = 0
        for batch in chain([first], batches):
            if path in self.rows:
                try:
                    rows.add(batch, range(count, count + len(batch)))
                except DataError as error:
                    self.errors[path] = error
                    del self.rows[path]
            count += len(batch)
            self._count(len(batch) * rows.d)

    def _count(self, numbers: int) -> None:
        """Raise DataError where all arrays together hold too many numbers."""
        self._numbers += numbers
        if self._numbers > limits.MAX_VALUES:
            raise DataError(
                f"{self.file} holds more than {limits.MAX_VALUES:,} numbers, which is the limit.",
                "Give its first rows only.",
            )

    def _names(self, first: list[Any]) -> list[str]:
        """Names of the columns of rows that are lists, which pandas writes before them."""
        for path, flat in self.flats:
            named = path[-1] == "columns" and all(isinstance(name, str) for name in flat)
            if named and first and isinstance(first[0], list) and len(flat) == len(first[0]):
                return list(flat)
        return []

    def add_flat(self, path: Path, values: list[Any]) -> None:
        """An array of single values. Raises DataError for too many numbers."""
        flat: Flat = values
        if is_numbers(values):
            self._count(len(values))
            if float in map(type, values):  # whole numbers may be ids of many digits
                flat = _as_float32(values)
        self.flats.append((path, flat))
        if len(self.flats) > limits.MAX_JSON_NAMES:
            raise DataError(
                f"{self.file} has more than {limits.MAX_JSON_NAMES:,} names, which is the limit.",
                "Write an array of rows instead, or one object a line.",
            )

    def add_object(self, path: Path, value: dict[str, Any], size: int) -> None:
        """An object of `size` characters, held as it is while they are few."""
        self.objects.append((path, value))
        self._held += size + OBJECT_BYTES
        if self._held > limits.MAX_JSON_PIECE:
            self.look_into_objects()

    def look_into_objects(self) -> None:
        """Take the objects held apart. Raises DataError for those that are nested very deeply."""
        waiting = list(reversed(self.objects))
        self.objects = []
        self._held = 0
        while waiting:
            path, value = waiting.pop()
            if len(path) > MOST_LEVELS:
                raise DataError(
                    f"{self.file} holds objects in objects, {MOST_LEVELS} deep.", NONE_LEFT
                )
            inner: list[tuple[Path, dict[str, Any]]] = []
            for name, part in value.items():
                here = (*path, name)
                if isinstance(part, dict):
                    inner.append((here, part))
                elif isinstance(part, list) and part and isinstance(part[0], list | dict):
                    self.add_rows(here, [part])
                elif isinstance(part, list):
                    self.add_flat(here, part)
                else:
                    self.add_scalar(here, part)
            waiting += reversed(inner)


def _as_float32(values: list[Any]) -> Flat:
    try:
        with np.errstate(over="ignore"):
            return np.array(values, np.float32)
    except OverflowError:  # a whole number of more than 308 digits
        return values


def batches_of(values: Iterable[Any], size: int = 1024) -> Iterable[list[Any]]:
    """`values` in lists of `size`."""
    iterator = iter(values)
    while batch := list(islice(iterator, size)):
        yield batch
