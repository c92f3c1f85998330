"""A table of text read row by row, which finds the line and column of every fault."""

import io
from collections.abc import Iterator, Sequence

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.readers.bad_rows import Places, shown
from mips_core.data.readers.contract import Source, Table
from mips_core.data.readers.csv.dialect import BrokenRowError, Row
from mips_core.data.readers.csv.layout import MISSING, NEED, VectorLayout
from mips_core.data.readers.names import quoted
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.numbers import list_inside, matrix_of_cells, unbracketed

BATCH_ROWS = 1024
BATCH_CHARACTERS = 8 * 2**20
CORRECT = "Correct the cell, or leave its row or column out."


class TableRows:
    """Reads row by row and knows where every fault is."""

    def __init__(self, source: Source, layout: VectorLayout, skip_bad: bool) -> None:
        self.source, self.layout, self.roles = source, layout, layout.roles
        self.places = Places(source.name, skip_bad)

    def read(self) -> Table:
        """Raises DataError naming line and column, or UnicodeDecodeError."""
        label = self.roles.label
        parts: list[Matrix] = []
        words: list[str] = []
        lines: list[int] = []
        n = 0
        for batch in self._batches():
            if self.roles.lists:
                values, usable = self._lists(batch)
            else:
                values, usable = self._usable([self._row(cells, line) for line, cells in batch])
            n += len(values)
            if self.places.rows and not self.places.skip:
                continue  # to be refused: only the bad rows are counted
            parts.append(values)
            if self.places.skip:
                lines += [batch[i][0] for i in usable]
            if label is not None:
                words += [batch[i][1][label].strip(" \t") for i in usable]
        offers, notes = self.places.settle(self.roles.offers, n)
        if n == 0:
            raise DataError(f"{self.source.name} holds no rows.", NEED)
        labels = words if label is not None else None
        notes = [*self.layout.notes, *notes]
        kept = self.places.kept(lines)
        return Table(np.concatenate(parts), labels, notes=notes, offers=offers, kept=kept)

    def _batches(self) -> Iterator[list[Row]]:
        """Rows that are not blank and have the right number of cells."""
        batch: list[Row] = []
        size = 0
        encoding = self.layout.dialect.encoding
        with (
            self.source.path.open("rb") as raw,
            io.TextIOWrapper(raw, encoding, newline="") as file,
        ):
            for row in self._rows(file):
                batch.append(row)
                size += sum(map(len, row[1]))
                if len(batch) == BATCH_ROWS or size > BATCH_CHARACTERS:
                    self.source.reached(raw.tell())
                    yield batch
                    batch, size = [], 0
            yield batch

    def _rows(self, file: io.TextIOWrapper) -> Iterator[Row]:
        width, skipped = self.layout.width, self.layout.heading + self.layout.header
        try:
            for at, cells in self.layout.dialect.rows(file):
                if not any(cell.strip() for cell in cells):
                    continue
                if skipped:
                    skipped -= 1
                elif len(cells) < width or any(cell.strip() for cell in cells[width:]):
                    self._add_ragged(at, cells)
                else:
                    yield at, cells
        except BrokenRowError as error:
            raise error.refusal(self.source.name, f": line {error.line:,}") from None

    def _add_ragged(self, line: int, cells: list[str]) -> None:
        if text.is_remark(cells[0].strip()):
            self.places.add_remark(line)
            return
        spans = any("\n" in cell for cell in cells)
        self.places.add_broken(
            f" has {counted(len(cells), 'cell', 'cells')}, the others have {self.layout.width:,}",
            "Often a quote that is not closed; double it or leave it out."
            if spans
            else "Often a comma inside a label; put quotes around it.",
            line,
        )

    def _usable(self, rows: Sequence[list[float] | None]) -> tuple[Matrix, Sequence[int]]:
        """float32 (b, d) of the rows of a batch that are usable, and which they are."""
        usable = [i for i, row in enumerate(rows) if row is not None]
        with np.errstate(over="ignore"):
            values = np.array([rows[i] for i in usable], np.float32)
        return values.reshape(len(usable), self.roles.d), usable

    def _row(self, cells: list[str], line: int) -> list[float] | None:
        if self.roles.spread:
            ends = (self.roles.vectors[0], self.roles.vectors[-1])
            cells = [unbracketed(c.strip()) if j in ends else c for j, c in enumerate(cells)]
        row = [self._number(cells[j]) for j in self.roles.vectors]
        faults = self.places.rows
        for j, value in zip(self.roles.vectors, row, strict=True):
            if value is None or not abs(value) <= MAX_MAGNITUDE:
                self._fault(cells[j].strip(), line, j, value)
        return row if self.places.rows == faults else None  # type: ignore[return-value]

    def _number(self, cell: str) -> float | None:
        cell = cell.strip().replace("−", "-")
        if self.roles.decimal == ",":
            cell = cell.replace(",", ".")
        try:
            return None if "_" in cell else float(cell)
        except ValueError:
            return None

    def _fault(self, cell: str, line: int, column: int, value: float | None) -> None:
        where = f"column {quoted([self.layout.names[column]])}"
        if not self.layout.header or not self.layout.names[column]:
            where = f"column {column + 1}"
        if value is None and self.layout.header and cell == self.layout.names[column]:
            self.places.add_broken(
                f", {where}, holds the names of the columns again", "Leave the line out.", line
            )
        elif value is None and cell.lower() not in MISSING:
            self.places.add_broken(
                f", {where}, holds {quoted([cell])} where a number is needed", CORRECT, line
            )
        else:
            self.places.add(quoted([cell]) if cell else "an empty cell", line, where)

    def _lists(self, batch: list[Row]) -> tuple[Matrix, Sequence[int]]:
        """float32 (b, d) of the usable rows of a batch, and which they are."""
        column, d = self.roles.vectors[0], self.roles.d
        cells = [row[column].strip() for _, row in batch]
        values = matrix_of_cells(cells, d)
        if values is None:
            at = zip(cells, batch, strict=True)
            return self._usable([self._list(cell, line) for cell, (line, _) in at])
        usable = self.places.check(values, [line for line, _ in batch], f"column {column + 1}")
        return (values, usable) if len(usable) == len(values) else (values[usable], usable)

    def _list(self, cell: str, line: int) -> list[float] | None:
        """The numbers of a cell; None where they are not what the other rows have."""
        column = self.roles.vectors[0]
        where = f", column {column + 1},"
        inner = list_inside(cell)
        if "..." in cell or "…" in cell:
            raise DataError(
                f"{self.source.name} cannot be read: line {line:,}{where} holds a vector shortened "
                "to “...” when it was written.",
                "The numbers are gone. Write row.tolist() instead of the printed array.",
            )
        if inner is None and cell.lower() in MISSING:
            self.places.add(f"“{cell}”" if cell else "an empty cell", line, f"column {column + 1}")
            return None
        try:
            row = [float(value) for value in (inner or cell).replace("_", "?").split()]
        except ValueError:
            what = f"{where} holds {quoted([cell])} where a list of numbers is needed"
            self.places.add_broken(what, CORRECT, line)
            return None
        if len(row) != self.roles.d:
            count = counted(len(row), "number", "numbers")
            what = f"{where} has {count}, the others have {self.roles.d:,}"
            self.places.add_broken(what, "All vectors need the same length.", line)
            return None
        if not all(abs(value) <= MAX_MAGNITUDE for value in row):
            worst = next(value for value in row if not abs(value) <= MAX_MAGNITUDE)
            self.places.add(shown(worst), line, f"column {column + 1}")
            return None
        return row
