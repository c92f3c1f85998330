"""A table of text read row by row, which finds the line and column of every fault."""

import csv
import io
from collections.abc import Iterator, Sequence

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.readers.contract import Source, Table
from mips_core.data.readers.csv.form import Form, cells_of
from mips_core.data.readers.csv.layout import MISSING, NEED, Layout
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.number_lists import matrix_of_cells
from mips_core.data.readers.text.places import Places, shown
from mips_core.data.readers.text.plan import is_remark
from mips_core.data.readers.words import quoted

BATCH_ROWS = 1024
BATCH_CHARACTERS = 8 * 2**20
CORRECT = "Correct the cell, or leave its row or column out."

Row = tuple[int, list[str]]  # the line it begins in, and its cells


class TableRows:
    """Reads row by row and knows where every fault is."""

    def __init__(self, source: Source, form: Form, layout: Layout, skip_bad: bool) -> None:
        self.source, self.form, self.layout = source, form, layout
        self.places = Places(source.name, skip_bad)

    def read(self) -> Table:
        """Raises DataError naming line and column, or UnicodeDecodeError."""
        layout = self.layout
        parts: list[Matrix] = []
        labels: list[str] = []
        n = 0
        for batch in self._batches():
            values, kept = self._lists(batch) if layout.lists else self._numbers(batch)
            n += len(values)
            if self.places.rows and not self.places.skip:
                continue  # to be refused: only the bad rows are counted
            parts.append(values)
            if layout.label is not None:
                labels += [batch[i][1][layout.label].strip(" \t") for i in kept]
        offers, notes = self.places.settle(layout.offers, n)
        if n == 0:
            raise DataError(f"{self.source.name} holds no rows.", NEED)
        words = labels if layout.label is not None else None
        notes = [*layout.notes, *notes]
        return Table(np.concatenate(parts), words, notes=notes, offers=offers)

    def _batches(self) -> Iterator[list[Row]]:
        """Rows that are not blank and have the right number of cells."""
        batch: list[Row] = []
        size = 0
        encoding = self.form.encoding
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
        reader = cells_of(file, self.form)
        line = 1
        try:
            for cells in reader:
                at, line = line, reader.line_num + 1
                if not any(cell.strip() for cell in cells):
                    continue
                if skipped:
                    skipped -= 1
                elif len(cells) < width or any(cell.strip() for cell in cells[width:]):
                    self._add_ragged(at, cells)
                else:
                    yield at, cells
        except csv.Error as error:
            raise DataError(
                f"{self.source.name} cannot be read: line {line:,}: {error}.",
                "Often a quote that is not closed.",
            ) from None

    def _add_ragged(self, line: int, cells: list[str]) -> None:
        if is_remark(cells[0].strip()):
            self.places.add_remark(line)
            return
        count = "1 cell" if len(cells) == 1 else f"{len(cells):,} cells"
        spans = any("\n" in cell for cell in cells)
        self.places.add_broken(
            f" has {count}, the others have {self.layout.width:,}",
            "Often a quote that is not closed; double it or leave it out."
            if spans
            else "Often a comma inside a label; put quotes around it.",
            line,
        )

    def _numbers(self, batch: list[Row]) -> tuple[Matrix, Sequence[int]]:
        """float32 (b, d) of the usable rows of a batch, and which they are."""
        rows = [self._row(cells, line) for line, cells in batch]
        kept = [i for i, row in enumerate(rows) if row is not None]
        with np.errstate(over="ignore"):
            values = np.array([rows[i] for i in kept], np.float32)
        return values.reshape(len(kept), self.layout.d), kept

    def _row(self, cells: list[str], line: int) -> list[float] | None:
        row = [self._number(cells[j]) for j in self.layout.vectors]
        faults = self.places.rows
        for j, value in zip(self.layout.vectors, row, strict=True):
            if value is None or not abs(value) <= MAX_MAGNITUDE:
                self._fault(cells[j].strip(), line, j, value)
        return row if self.places.rows == faults else None  # type: ignore[return-value]

    def _number(self, cell: str) -> float | None:
        cell = cell.strip().strip("[]").replace("−", "-")
        try:
            return (
                None
                if "_" in cell
                else float(cell.replace(",", ".") if self.layout.decimal == "," else cell)
            )
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
        column, d = self.layout.vectors[0], self.layout.d
        cells = [row[column].strip() for _, row in batch]
        values = matrix_of_cells(cells, d)
        if values is None:
            rows = [self._list(cell, line) for cell, (line, _) in zip(cells, batch, strict=True)]
            kept = [i for i, row in enumerate(rows) if row is not None]
            with np.errstate(over="ignore"):
                values = np.array([rows[i] for i in kept], np.float32).reshape(len(kept), d)
        elif values.size == 0 or np.abs(values).max() <= MAX_MAGNITUDE:
            kept = list(range(len(values)))
        else:
            at = [line for line, _ in batch]
            kept = list(self.places.check(values, at, f"column {column + 1}"))
            values = values[kept]
        return values, kept

    def _list(self, cell: str, line: int) -> list[float] | None:
        """The numbers of a cell; None where they are not what the other rows have."""
        column = self.layout.vectors[0]
        where = f", column {column + 1},"
        inner = text.list_inside(cell)
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
        if len(row) != self.layout.d:
            count = counted(len(row), "number", "numbers")
            what = f"{where} has {count}, the others have {self.layout.d:,}"
            self.places.add_broken(what, "All vectors need the same length.", line)
            return None
        if not all(abs(value) <= MAX_MAGNITUDE for value in row):
            worst = next(value for value in row if not abs(value) <= MAX_MAGNITUDE)
            self.places.add(shown(worst), line, f"column {column + 1}")
            return None
        return row
