"""Rows of a text file that cannot be used: gathered for one refusal, or for one note."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.readers.choices import Offers, UnsettledError

SHOWN = 5


def shown(value: float) -> str:
    """A number that is not usable, as people write it."""
    return "NaN" if np.isnan(value) else f"{value:g}"


class Places:
    """Counts bad rows and keeps the first few places.

    Places are lines from 1 of the file `name`, or rows from 0 where `unit` says so. Rows must be
    given in their order. With `skip`, a person asked that bad rows be left out.
    """

    def __init__(self, name: str, skip: bool, unit: str = "line") -> None:
        self.name, self.skip, self.unit = name, skip, unit
        self.rows = 0
        self.shown: list[str] = []
        self._worst: tuple[str, str] | None = None  # found and remedy of the first broken row
        self._last = -1
        self._remarks: list[int] = []  # of all, the first few
        self._remark_count = 0

    def add(self, what: str, place: int, column: str = "") -> None:
        """A missing or not finite number: `what` at a place, perhaps in a “column “b””."""
        self._count(f"{what} in {self.unit} {place:,}{column and f', {column}'}", place)

    def add_broken(self, what: str, remedy: str, place: int) -> None:
        """A row that is no vector: “line 4” `what`, and what to do about it."""
        what = f"{self.unit} {place:,}{what}"
        self._worst = self._worst or (what, remedy)
        self._count(what, place)

    def add_remark(self, place: int) -> None:
        """A line that is a remark and no row."""
        self._remark_count += 1
        if len(self._remarks) < SHOWN:
            self._remarks.append(place)

    def _count(self, shown: str, place: int) -> None:
        self.rows += place != self._last
        self._last = place
        if len(self.shown) < SHOWN:
            self.shown.append(shown)

    def check(self, values: Matrix, places: Sequence[int], column: str = "") -> Sequence[int]:
        """Positions of the rows of `values` (n, d) that are usable; the others are noted."""
        size = np.abs(values)
        if values.size == 0 or size.max() <= MAX_MAGNITUDE:  # NaN compares as False
            return range(len(values))
        bad = ~(size <= MAX_MAGNITUDE)
        for row in np.flatnonzero(bad.any(axis=1)):
            self.add(shown(values[row][bad[row]][0]), places[int(row)], column)
        return [int(row) for row in np.flatnonzero(~bad.any(axis=1))]

    def settle(self, offers: Offers, usable: int) -> tuple[Offers, list[str]]:
        """Offers and notes that tell of the rows left out.

        Raises UnsettledError where there are bad rows and nobody asked to leave them out, and
        DataError where no other row is left.
        """
        remarks = self._about_remarks()
        if not self.rows:
            return offers, remarks
        offers = replace(offers, bad_rows=self.rows)
        if self.skip and usable:
            rows = "1 row was" if self.rows == 1 else f"{self.rows:,} rows were"
            return offers, [*remarks, f"{rows} left out: {self._list()}."]
        found, remedy = self._refusal()
        if usable:
            raise UnsettledError(found, remedy, offers)
        raise DataError(found, remedy)

    def _about_remarks(self) -> list[str]:
        if not self._remark_count:
            return []
        count = self._remark_count
        lines = "1 comment line was" if count == 1 else f"{count:,} comment lines were"
        shown = ", ".join(f"{place:,}" for place in self._remarks) + " …" * (count > SHOWN)
        return [f"{lines} left out: {self.unit} {shown}."]

    def _list(self) -> str:
        more = self.rows > SHOWN or len(self.shown) == SHOWN < self.rows
        return "; ".join(self.shown) + ("; …" if more else "")

    def _refusal(self) -> tuple[str, str]:
        if self._worst is not None:
            found, remedy = self._worst
            others = self.rows - 1
            rows = "1 more row" if others == 1 else f"{others:,} more rows"
            more = f"; {rows} cannot be used" if others else ""
            return f"{self.name} cannot be read: {found}{more}.", remedy
        rows = "1 row holds" if self.rows == 1 else f"{self.rows:,} rows hold"
        return (
            f"{self.name} cannot be read: {rows} a missing or not finite number: {self._list()}.",
            f"Every entry must be a finite number of at most {MAX_MAGNITUDE:g} in size. Correct "
            "these rows or leave them out.",
        )
