"""Where in a text file numbers are missing or not finite, gathered for one error."""

from collections.abc import Sequence

import numpy as np

from mips_core.arrays import Matrix
from mips_core.errors import DataError
from mips_core.limits import MAX_MAGNITUDE

SHOWN = 5


class Places:
    """Counts what is wrong and keeps the first few places."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shown: list[str] = []
        self.rows = 0
        self._last = 0

    def add(self, what: str, line: int, column: str = "") -> None:
        """One bad entry: `what` in a line (from 1), perhaps in a named column."""
        self.rows += line != self._last
        self._last = line
        if len(self.shown) < SHOWN:
            self.shown.append(f"{what} in line {line:,}{column and f', column {column}'}")

    def check(self, values: Matrix, lines: Sequence[int]) -> None:
        """Note every row of `values` (n, d) with a NaN, an infinity or a number out of range."""
        if values.size == 0 or np.abs(values).max() <= MAX_MAGNITUDE:  # NaN compares as False
            return
        bad = ~(np.abs(values) <= MAX_MAGNITUDE)
        for row in np.flatnonzero(bad.any(axis=1)):
            value = values[row][bad[row]][0]
            self.add("NaN" if np.isnan(value) else f"{value:g}", lines[int(row)])

    def raise_if_any(self) -> None:
        """Raise DataError listing the places, if there are any."""
        if not self.rows:
            return
        rows = "1 row holds" if self.rows == 1 else f"{self.rows:,} rows hold"
        more = " …" if self.rows > len(self.shown) else ""
        raise DataError(
            f"{self.name} cannot be read: {rows} a missing or not finite number: "
            f"{', '.join(self.shown)}{more}.",
            f"Every entry must be a finite number of at most {MAX_MAGNITUDE:g} in size. Correct "
            "these rows or leave them out.",
        )
