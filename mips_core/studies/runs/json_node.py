"""A part of a JSON document, read strictly: every refusal names the place of what it refuses."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import DataError
from mips_core.base.text import in_one_line

MOST_SAID = 300  # characters of why a file is refused
REMEDY = "The file is damaged, or was not written by this program; ask for it again."


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value of a document, and where it stands: runs[2].efforts."""

    value: Any
    place: str

    def refuse(self, found: str) -> NoReturn:
        """Raise DataError: `found` at this place."""
        said = in_one_line(f"{self.place} {found}", MOST_SAID)  # it may repeat what the file holds
        raise DataError(f"{said}.", REMEDY)

    def of(self, name: str) -> "JsonNode":
        """What an object holds under `name`."""
        if not isinstance(self.value, dict):
            self.refuse("is no object")
        if name not in self.value:
            self.refuse(f"has no {name}")
        return JsonNode(self.value[name], f"{self.place}.{name}")

    def only(self, names: Collection[str]) -> "JsonNode":
        """Itself, an object that holds nothing but these."""
        if not isinstance(self.value, dict):
            self.refuse("is no object")
        unknown = next((name for name in self.value if name not in names), None)
        if unknown is not None:
            self.refuse(f"has an entry that is not known, {unknown[:40]!r}")
        return self

    def entries(self) -> Iterator[tuple[str, "JsonNode"]]:
        """Name and value of each entry of an object."""
        if not isinstance(self.value, dict):
            self.refuse("is no object")
        for name in self.value:
            yield name, self.of(name)

    def values(self, low: int, high: int) -> list[Any]:
        """What a list holds, of which there are `low` to `high` values."""
        if not isinstance(self.value, list):
            self.refuse("is no list")
        if not low <= len(self.value) <= high:
            self.refuse(f"has {len(self.value):,} entries, not {low:,} to {high:,}")
        return list(self.value)

    def items(self, low: int, high: int) -> Iterator["JsonNode"]:
        """The same, each with its place."""
        for number, value in enumerate(self.values(low, high)):
            yield JsonNode(value, f"{self.place}[{number}]")

    def text(self, most: int) -> str:
        """A text of at most so many characters."""
        if not isinstance(self.value, str):
            self.refuse("is no text")
        if len(self.value) > most:
            self.refuse(f"has {len(self.value):,} characters, not up to {most:,}")
        return str(self.value)

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.refuse("is neither true nor false")
        return bool(self.value)

    def whole(self, low: int, high: int) -> int:
        """A whole number in a range."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.refuse("is no whole number")
        if not low <= self.value <= high:
            self.refuse(f"is {self._shown()}, not {low:,} to {high:,}")
        return int(self.value)

    def number(self, low: float, high: float) -> float:
        """A finite number in a range."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            self.refuse("is no number")
        if not low <= self.value <= high or not isfinite(self.value):
            self.refuse(f"is {self._shown()}, not {low:g} to {high:g}")
        return float(self.value)

    def wholes(self, length: int, low: int, high: int) -> Ids:
        """(length,) whole numbers in a range."""
        values = self.values(length, length)
        if not all(type(value) is int and low <= value <= high for value in values):
            for part in self.items(length, length):
                part.whole(low, high)  # one of them is refused
        return np.array(values, np.int64)

    def numbers(self, length: int, low: float, high: float) -> Floats:
        """(length,) finite numbers in a range."""
        values = self.values(length, length)
        if not all(type(value) is float and low <= value <= high for value in values):
            for part in self.items(length, length):
                part.number(low, high)  # whole numbers are numbers too
        return np.array(values, np.float64)

    def _shown(self) -> str:
        text = str(self.value) if isinstance(self.value, float) else f"{self.value:,}"
        return text if len(text) <= 24 else "a very large number"
