"""How the cells of a table of text are told apart."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mips_core.base.errors import DataError
from mips_core.data.readers.contract import Source
from mips_core.data.readers.text import lines as text

if TYPE_CHECKING:
    from _csv import Reader as CsvReader


LINES = 50  # looked at, to tell lists from cells


@dataclass(frozen=True)
class Form:
    """How cells are told apart."""

    separator: str
    quoted: bool
    encoding: str = "utf-8-sig"


def form_of(source: Source) -> Form:
    """The separator and whether quotes are in use. No file is read but `source.head`."""
    if _are_lists(source.head):
        return Form("\t", quoted=False)
    sign, count = text.separator(source.head)
    if count == 0:
        first = source.head.split(b"\n", 1)[0].decode("latin-1")
        sign = max("\t;,|", key=first.count)
    return Form(sign if sign != text.BLANK else ",", _quotes(source.head, sign))


def _are_lists(head: bytes) -> bool:
    """Whether lines are vectors in brackets, as Python prints tuples: their commas cut nothing."""
    lines = [line.strip() for line in head.decode("latin-1").split("\n")[:LINES] if line.strip()]
    closed = [line for line in lines if line[0] in "([{" and line[-1] in ")]}"]
    return len(closed) * 2 > len(lines) and all(map(text.is_list, closed))


def _quotes(head: bytes, sign: str) -> bool:
    """Whether quotes enclose cells; a lone quote among tabs is a word like any other."""
    if sign != "\t":
        return True
    cells = head.decode("latin-1").replace("\n", "\t").split("\t")
    held = [cell.strip("\r ") for cell in cells if '"' in cell]
    return bool(held) and all(len(c) > 1 and c[0] == c[-1] == '"' for c in held[:-1] or held)


def first_rows(source: Source, form: Form) -> list[list[str]]:
    """The rows of the first lines, blank ones left out. Raises DataError for an endless cell."""
    sample = text.sample(source)
    whole = sample[:-1] if len(sample) >= text.SAMPLE_LINES else sample
    lines = io.StringIO(b"\n".join(whole).decode(form.encoding, "replace"), newline="")
    try:
        return [row for row in cells_of(lines, form) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise DataError(
            f"{source.name} cannot be read: {error}.", "Often a quote that is not closed."
        ) from None


def cells_of(lines: Iterable[str], form: Form) -> "CsvReader":
    """Rows of cells from lines of text."""
    return csv.reader(
        lines,
        delimiter=form.separator,
        quoting=csv.QUOTE_MINIMAL if form.quoted else csv.QUOTE_NONE,
        skipinitialspace=True,
    )


def check_quotes(rows: list[list[str]], source: Source, form: Form) -> None:
    """Raise DataError where a quote in a whole, short file is opened and never closed."""
    last = rows[-1][-1] if rows else ""
    if form.quoted and source.size == len(source.head) and source.head.count(b'"') % 2:
        line = source.head[: source.head.rfind(last.split("\n")[0].encode())].count(b"\n") + 1
        if "\n" in last:
            raise DataError(
                f"{source.name} cannot be read: a quote opened in line {line:,} is not closed.",
                "Close it, double it, or leave it out.",
            )
