"""Tables of text: CSV, TSV and kin, with or without header, labels and quotes.

Arrow reads well-formed tables; whatever it stumbles over is read again row by row.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.npy import check_labels
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register
from mips_core.data.readers.csv.by_arrow import read_well_formed
from mips_core.data.readers.csv.form import Form, check_quotes, first_rows, form_of
from mips_core.data.readers.csv.layout import make_layout
from mips_core.data.readers.csv.rows import TableRows
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.encodings import begins_in_utf8, encoding_of


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
    form = form_of(source)
    if not begins_in_utf8(source.head):
        return _read(source, choices, *_older(source, form))
    try:
        return _read(source, choices, form)
    except UnicodeDecodeError:
        return _read(source, choices, *_older(source, form))


def _older(source: Source, form: Form) -> tuple[Form, list[str]]:
    """`form` with the encoding of a text that is not UTF-8, and a note on it."""
    encoding, notes = encoding_of(source)
    return replace(form, encoding=encoding), notes


def _read(source: Source, choices: Choices, form: Form, notes: Sequence[str] = ()) -> Table:
    """The table. Raises UnicodeDecodeError where `form` has the wrong encoding."""
    rows = first_rows(source, form)
    check_quotes(rows, source, form)
    layout = make_layout(rows, source.name, choices)
    room = text.count_lines(source)
    if room * layout.d > limits.MAX_VALUES:
        raise DataError(
            f"{source.name} holds about {room * layout.d:,} numbers; the limit is "
            f"{limits.MAX_VALUES:,}.",
            "Give its first rows only.",
        )
    if layout.label is not None:
        check_labels(room, source.name)
    table = None
    if not layout.lists:
        table = read_well_formed(source, form, layout, np.empty((room, layout.d), np.float32))
    if table is None:
        table = TableRows(source, form, layout, choices.skip_bad).read()
    return replace(table, notes=(*table.notes, *notes))


register(Reader("table", "CSV and TSV tables", (".csv", ".tsv", ".tab"), Rank.SEPARATED,
                matches, read))  # fmt: skip
