"""A table of text read row by row, which finds the line and column of every fault."""

import csv
from collections.abc import Iterator

import numpy as np

from mips_core.arrays import Floats, Matrix
from mips_core.errors import DataError
from mips_core.limits import MAX_MAGNITUDE
from mips_core.readers import lines as text
from mips_core.readers.base import Source, Table
from mips_core.readers.form import Form, cells_of
from mips_core.readers.layout import MISSING, NEED, Layout
from mips_core.readers.places import Places

BATCH = 1024
Row = list[float] | Floats


class TableRows:
    """Reads row by row and knows where every fault is."""

    def __init__(self, source: Source, form: Form, layout: Layout) -> None:
        self.source, self.form, self.layout = source, form, layout
        self.places = Places(source.name)
        self.d = 0 if layout.lists else len(layout.vectors)

    def read(self) -> Table:
        """Raises DataError naming line and column, or UnicodeDecodeError."""
        parts: list[Matrix] = []
        rows: list[Row] = []
        labels: list[str] = []
        for line, cells in self._rows():
            rows.append(
                self._list(cells, line) if self.layout.lists else self._numbers(cells, line)
            )
            if self.layout.label is not None:
                labels.append(cells[self.layout.label].strip(" \t"))
            if len(rows) == BATCH:
                parts.append(self._matrix(rows))
                rows = []
        self.places.raise_if_any()
        parts.append(self._matrix(rows))
        vectors = np.concatenate(parts)
        if len(vectors) == 0:
            raise DataError(f"{self.source.name} holds no rows.", NEED)
        words = labels if self.layout.label is not None else None
        return Table(vectors, words, notes=self.layout.notes)

    def _matrix(self, rows: list[Row]) -> Matrix:
        if self.places.rows:
            return np.empty((0, self.d), np.float32)
        with np.errstate(over="ignore"):
            return np.array(rows, np.float32).reshape(len(rows), self.d)

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """(line, cells) of each row that is not blank."""
        width = self.layout.width
        with self.source.path.open(encoding=self.form.encoding, newline="") as file:
            reader = cells_of(file, self.form)
            line, header = 1, self.layout.header
            try:
                for cells in reader:
                    at, line = line, reader.line_num + 1
                    if not any(cell.strip() for cell in cells):
                        continue
                    if header:
                        header = False
                        continue
                    if len(cells) < width or any(cell.strip() for cell in cells[width:]):
                        raise self._ragged(at, cells)
                    yield at, cells
            except csv.Error as error:
                raise DataError(
                    f"{self.source.name} cannot be read: line {line:,}: {error}.",
                    "Often a quote that is not closed.",
                ) from None

    def _ragged(self, line: int, cells: list[str]) -> DataError:
        count = "1 cell" if len(cells) == 1 else f"{len(cells):,} cells"
        spans = any("\n" in cell for cell in cells)
        return DataError(
            f"{self.source.name} cannot be read: line {line:,} has {count}, the rows before it "
            f"have {self.layout.width:,}.",
            "Often a quote that is not closed; double it or leave it out."
            if spans
            else "Often a comma inside a label; put quotes around it.",
        )

    def _numbers(self, cells: list[str], line: int) -> Row:
        row = [self._number(cells[j]) for j in self.layout.vectors]
        for j, value in zip(self.layout.vectors, row, strict=True):
            if value is None or not abs(value) <= MAX_MAGNITUDE:
                self._fault(cells[j].strip(), line, j, value)
        return [0.0 if value is None else value for value in row]

    def _number(self, cell: str) -> float | None:
        cell = cell.strip().strip("[]").replace("−", "-")
        try:
            return float(cell.replace(",", ".") if self.layout.decimal == "," else cell)
        except ValueError:
            return None

    def _fault(self, cell: str, line: int, column: int, value: float | None) -> None:
        where = f"“{self.layout.names[column]}”" if self.layout.header else f"{column + 1}"
        if value is None and cell.lower() not in MISSING:
            raise DataError(
                f"{self.source.name} cannot be read: line {line:,}, column {where}, holds "
                f"“{cell[:40]}” where a number is needed.",
                "Correct the cell, or leave its row or column out.",
            )
        self.places.add(f"“{cell}”" if cell else "an empty cell", line, where)

    def _list(self, cells: list[str], line: int) -> Row:
        column = self.layout.vectors[0]
        cell = cells[column].strip()
        where = f"{self.source.name} cannot be read: line {line:,}, column {column + 1},"
        inner = text.list_inside(cell)
        if "..." in cell or "…" in cell:
            raise DataError(
                f"{where} holds a vector shortened to “...” when it was written.",
                "The numbers are gone. Write row.tolist() instead of the printed array.",
            )
        if inner is None and cell.lower() in MISSING:
            self.places.add(f"“{cell}”" if cell else "an empty cell", line, f"{column + 1}")
            return np.empty(0)
        try:
            row = np.array([float(value) for value in (inner or cell).split()])
        except ValueError:
            raise DataError(
                f"{where} holds “{cell[:40]}” where a list of numbers is needed.",
                "Correct the cell or leave its row out.",
            ) from None
        self.d = self.d or len(row)
        if len(row) != self.d:
            raise DataError(
                f"{where} has {len(row):,} numbers, the rows before it have {self.d:,}.",
                "All vectors must have the same length.",
            )
        if not (np.abs(row) <= MAX_MAGNITUDE).all():
            self.places.add("a number that is not finite", line, f"{column + 1}")
        return row
