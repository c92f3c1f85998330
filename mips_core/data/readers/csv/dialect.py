"""How the cells of a table of text are told apart, whether it holds vectors or ratings."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mips_core.base.errors import DataError
from mips_core.data.readers.contract import Source
from mips_core.data.readers.text import lines as text
from mips_core.data.readers.text.numbers import is_list

LINES = 50  # looked at, to tell lists from cells

Row = tuple[int, list[str]]  # the line it begins in, from 1, and its cells


class BrokenRowError(csv.Error):
    """A row whose cells cannot be told apart; it begins in `line`."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line

    def refusal(self, name: str, where: str = "") -> DataError:
        """The same in words, of the file `name`."""
        return DataError(
            f"{name} cannot be read{where}: {self}.", "Often a quote that is not closed."
        )


@dataclass(frozen=True)
class Dialect:
    """The sign between cells, which may be "::" or blanks, and whether quotes enclose them."""

    separator: str
    quoted: bool
    encoding: str = "utf-8-sig"

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        """Rows of cells. Raises BrokenRowError for a quote that is not closed."""
        if self.separator in ("::", text.BLANK):
            sign = None if self.separator == text.BLANK else self.separator
            for at, line in enumerate(lines, 1):
                yield at, [bare(cell) for cell in line.rstrip("\r\n").split(sign)]
            return
        reader = csv.reader(
            lines,
            delimiter=self.separator,
            quoting=csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE,
            skipinitialspace=True,
        )
        at = 1
        try:
            for cells in reader:
                yield at, cells
                at = reader.line_num + 1
        except csv.Error as error:
            raise BrokenRowError(str(error), at) from None


def bare(cell: str) -> str:
    """`cell` without blanks and one pair of quotes around it."""
    cell = cell.strip()
    return cell[1:-1].strip() if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def dialect_of(source: Source) -> Dialect:
    """How a table of vectors is cut. No file is read but `source.head`."""
    if _are_lists(source.head):
        return Dialect("\t", quoted=False)
    sign, count = text.separator(source.head)
    if count == 0:
        first = source.head.split(b"\n", 1)[0].decode("latin-1")
        sign = max("\t;,|", key=first.count)
    return Dialect(sign if sign != text.BLANK else ",", _quotes(source.head, sign))


def _are_lists(head: bytes) -> bool:
    """Whether lines are vectors in brackets, as Python prints tuples: their commas cut nothing."""
    lines = [line.strip() for line in head.decode("latin-1").split("\n")[:LINES] if line.strip()]
    closed = [line for line in lines if line[0] in "([{" and line[-1] in ")]}"]
    return len(closed) * 2 > len(lines) and all(map(is_list, closed))


def _quotes(head: bytes, sign: str) -> bool:
    """Whether quotes enclose cells; a lone quote among tabs is a word like any other."""
    if sign != "\t":
        return True
    cells = head.decode("latin-1").replace("\n", "\t").split("\t")
    held = [cell for cell in cells if '"' in cell]
    return are_enclosed(held[:-1] or held, sign)


def are_enclosed(lines: Iterable[str], sign: str) -> bool:
    """Whether quotes enclose cells; a lone quote is a character like any other."""
    held = [cell.strip() for line in lines for cell in line.split(sign) if '"' in cell]
    return bool(held) and all(len(c) > 1 and c[0] == c[-1] == '"' for c in held)


def first_rows(source: Source, dialect: Dialect) -> list[list[str]]:
    """The rows of the first lines, blank ones left out. Raises DataError for an endless cell."""
    sample = b"\n".join(text.sample(source)[: text.SAMPLE_LINES - 1])
    lines = io.StringIO(sample.decode(dialect.encoding, "replace"), newline="")
    try:
        return [row for _, row in dialect.rows(lines) if any(cell.strip() for cell in row)]
    except BrokenRowError as error:
        raise error.refusal(source.name) from None


def check_quotes(rows: list[list[str]], source: Source, dialect: Dialect) -> None:
    """Raise DataError where a quote in a whole, short file is opened and never closed."""
    last = rows[-1][-1] if rows else ""
    if dialect.quoted and source.size == len(source.head) and source.head.count(b'"') % 2:
        line = source.head[: source.head.rfind(last.split("\n")[0].encode())].count(b"\n") + 1
        if "\n" in last:
            raise DataError(
                f"{source.name} cannot be read: a quote opened in line {line:,} is not closed.",
                "Close it, double it, or leave it out.",
            )
