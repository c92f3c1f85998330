"""Tables of text: CSV, TSV and kin, with or without header, labels and quotes.

Arrow reads well-formed tables; whatever it stumbles over is read again row by row.
"""

from dataclasses import replace

import numpy as np

from mips_core.data.readers.arrays.npy import check_labels
from mips_core.data.readers.choices import Choices, RatingsFileError
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register
from mips_core.data.readers.csv.by_arrow import read_well_formed
from mips_core.data.readers.csv.dialect import Dialect, check_quotes, dialect_of, first_rows
from mips_core.data.readers.csv.layout import vector_layout
from mips_core.data.readers.csv.rows import TableRows
from mips_core.data.readers.foreign import RATINGS, TABLE_OF_RATINGS
from mips_core.data.readers.ratings_signs import are_ratings
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.lines import begins_in_utf8, encoding_of


def matches(head: bytes, name: str) -> bool:
    """Text cut by tabs, commas, semicolons or bars, or so named."""
    if not text.is_text(head):
        return False
    sign, count = text.separator(head)
    return sign != text.BLANK or (count == 0 and name.endswith((".csv", ".tsv")))


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d) float32, and labels where a column is taken for them.

    Raises DataError naming line and column; UnsettledError where a person may choose among columns,
    or may leave bad rows out.
    """
    dialect = dialect_of(source)
    if begins_in_utf8(source.head):
        try:
            return _read(source, choices, dialect)
        except UnicodeDecodeError:
            pass
    encoding, notes = encoding_of(source)
    table = _read(source, choices, replace(dialect, encoding=encoding))
    return replace(table, notes=(*table.notes, *notes))


def _read(source: Source, choices: Choices, dialect: Dialect) -> Table:
    """The table. Raises UnicodeDecodeError where `dialect` has the wrong encoding."""
    rows = first_rows(source, dialect)
    check_quotes(rows, source, dialect)
    layout = vector_layout(rows, dialect, source.name, choices)
    if are_ratings(layout.names) and not (layout.roles.lists or source.not_ratings):
        raise RatingsFileError(f"{source.name} is {TABLE_OF_RATINGS}.", RATINGS)
    d = layout.roles.d
    room = text.room_for(source, d)
    if layout.roles.label is not None:
        check_labels(room, source.name)
    table = None
    if not layout.roles.lists:
        table = read_well_formed(source, layout, np.empty((room, d), np.float32))
    return TableRows(source, layout, choices.skip_bad).read() if table is None else table


register(Reader("table", "CSV and TSV tables", (".csv", ".tsv", ".tab"), Rank.SEPARATED,
                matches, read))  # fmt: skip
