"""Rows that cannot be used: refused with their places, or left out when asked."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Mask, Matrix, check_finite
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.readers.choices import Offers, UnsettledError
from mips_core.data.readers.contract import Source, Table
from mips_core.data.readers.usable import EXACT, as_floats, converted, unusable

SHOWN = 5
NOT_RATED = "Where an empty cell means “not rated”, read the file as ratings."
EMPTY = re.compile("an empty cell|“?(nan|na|null)", re.I)


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
        self.shown: list[str] = []
        self._worst: tuple[str, str] | None = None  # found and remedy of the first broken row
        self.bad: list[int] = []  # places of all bad rows
        self._remarks: list[int] = []

    @property
    def rows(self) -> int:
        """How many rows are bad."""
        return len(self.bad)

    def kept(self, places: Sequence[int]) -> Ids | None:
        """Which of all rows, from 0, those at `places` are; None where no other was left out."""
        return np.searchsorted(np.sort([*places, *self.bad]), places) if self.bad else None

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
        self._remarks.append(place)

    def _count(self, shown: str, place: int) -> None:
        if not self.bad or place != self.bad[-1]:
            self.bad.append(place)
        if len(self.shown) < SHOWN:
            self.shown.append(shown)

    def check(self, values: Matrix, places: Sequence[int], column: str = "") -> Sequence[int]:
        """Positions of the rows of `values` (n, d) that are usable; the others are noted."""
        bad = unusable(values)
        for row in np.flatnonzero(bad).tolist():
            first = values[row][~(np.abs(values[row]) <= MAX_MAGNITUDE)][0]
            self.add(shown(first), places[row], column)
        return np.flatnonzero(~bad).tolist() if bad.any() else range(len(values))

    def settle(self, offers: Offers, usable: int) -> tuple[Offers, list[str]]:
        """Offers and notes that tell of the rows left out.

        Raises UnsettledError where there are bad rows and nobody asked to leave them out, and
        DataError where no other row is left.
        """
        remarks = self._about_remarks()
        if not self.rows:
            return offers, remarks
        empty = any(EMPTY.match(shown) for shown in self.shown)
        gaps = empty and self.rows > usable and self._worst is None
        offers = replace(offers, bad_rows=self.rows if usable else 0, gaps=gaps)
        if self.skip and usable:
            rows = counted(self.rows, "row was", "rows were")
            return offers, [*remarks, f"{rows} left out: {self._list()}."]
        found, remedy = self._refusal()
        if usable or gaps:
            raise UnsettledError(found, f"{remedy} {NOT_RATED}" if gaps else remedy, offers)
        raise DataError(found, remedy)

    def _about_remarks(self) -> list[str]:
        if not self._remarks:
            return []
        count = len(self._remarks)
        lines = counted(count, "comment line was", "comment lines were")
        shown = ", ".join(f"{place:,}" for place in self._remarks[:SHOWN]) + " …" * (count > SHOWN)
        return [f"{lines} left out: {self.unit} {shown}."]

    def _list(self) -> str:
        more = self.rows > SHOWN or len(self.shown) == SHOWN < self.rows
        return "; ".join(self.shown) + ("; …" if more else "")

    def _refusal(self) -> tuple[str, str]:
        if self._worst is not None:
            found, remedy = self._worst
            others = self.rows - 1
            rows = counted(others, "more row", "more rows")
            more = f"; {rows} cannot be used" if others else ""
            return f"{self.name} cannot be read: {found}{more}.", remedy
        rows = counted(self.rows, "row holds", "rows hold")
        return (
            f"{self.name} cannot be read: {rows} a missing or not finite number: {self._list()}.",
            f"Every entry must be a finite number of at most {MAX_MAGNITUDE:g} in size. Correct "
            "these rows or leave them out.",
        )


def settled_rows(
    table: Table,
    name: str,
    *,
    skip: bool,
    keep_dtype: bool,
    keep_items: bool = False,
    source: Source | None = None,
) -> Table:
    """`table` with arrays in memory, float32 unless `keep_dtype`, and every entry usable.

    `keep_items` keeps the dtype of the vectors alone. Vectors that are such already and are mapped
    from a lasting `source` stay mapped. Raises DataError naming row and column of the first entry
    that is not finite or too large: UnsettledError where the other rows could be kept. With `skip`
    those rows are left out.
    """
    vectors, bad, rounded = converted(table.vectors, keep_dtype or keep_items, source)
    bias = None
    if table.bias is not None:
        bias, bad_bias, _ = converted(np.asarray(table.bias).reshape(-1, 1), keep_dtype)
        bad = np.union1d(bad, bad_bias)
    if len(bad):
        _refuse_unless(skip, np.hstack([vectors, bias]) if bias is not None else vectors, bad,
                       name, table)  # fmt: skip
    usable = np.ones(len(vectors), bool)
    usable[bad] = False
    queries, notes = _settled_queries(table, name, skip, keep_dtype)
    if len(bad):
        notes.append(_note(bad, "Rows"))
    if rounded:
        notes.append(f"Some whole numbers are beyond {EXACT:,} and are rounded, as float32 does.")
    labels = table.labels
    if labels is not None and len(bad):
        labels = [label for label, keep in zip(labels, usable, strict=True) if keep]
    return replace(
        table,
        vectors=vectors[usable] if len(bad) else vectors,
        bias=None if bias is None else bias[usable, 0],
        labels=labels,
        queries=queries,
        notes=notes,
        offers=replace(table.offers, bad_rows=table.offers.bad_rows + len(bad)),
        kept=_kept(table, usable) if len(bad) else table.kept,
    )


def _settled_queries(
    table: Table, name: str, skip: bool, keep_dtype: bool
) -> tuple[NDArray[Any] | None, list[str]]:
    """The queries of `table`, all usable, and its notes with what was left out of them."""
    queries, notes = table.queries, list(table.notes)
    if queries is not None:
        queries, bad, _ = converted(queries, keep_dtype)
        if len(bad):
            _refuse_unless(skip, queries, bad, f"{name} (queries)", table)
            queries = np.delete(queries, bad, axis=0)
            notes.append(_note(bad, "Queries"))
    return queries, notes


def _kept(table: Table, usable: Mask) -> Ids:
    return np.flatnonzero(usable) if table.kept is None else table.kept[usable]


def _refuse_unless(skip: bool, vectors: NDArray[Any], bad: Ids, name: str, table: Table) -> None:
    if skip and len(bad) < len(vectors):
        return
    try:
        check_finite(as_floats(vectors), name)
    except DataError as error:
        gaps = len(bad) * 2 > len(vectors) and bool(np.isnan(as_floats(vectors)).any())
        if len(bad) == len(vectors) and not gaps:
            raise
        some = len(bad) if len(bad) < len(vectors) else 0
        offers = replace(table.offers, bad_rows=some, gaps=gaps)
        remedy = f"{error.remedy} {NOT_RATED}" if gaps else error.remedy
        raise UnsettledError(error.found, remedy, offers) from None


def _note(bad: Ids, what: str) -> str:
    shown = ", ".join(f"{row:,}" for row in bad[:SHOWN]) + (" …" if len(bad) > SHOWN else "")
    rows = counted(len(bad), "row was", "rows were")
    return f"{what}: {rows} left out for numbers that are not finite (row {shown})."
