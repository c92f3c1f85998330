"""What the first rows of a table show of its columns, and what may be chosen among them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mips_core.base.text import counted
from mips_core.data.readers.choices import Offer, Offers
from mips_core.data.readers.names import EXAMPLES, choosable, examples, quoted
from mips_core.data.readers.text.numbers import count_numbers

Rows = Sequence[Sequence[str]]

MOST_OFFERED = 30


@dataclass(frozen=True)
class Columns:
    """What the first rows show of each column; columns count from 0."""

    file: str
    kinds: Sequence[str]  # number, list, text, empty or other
    names: tuple[str, ...]  # from the header, "" for none; without a header numbers
    body: Rows
    header: bool
    lengths: Mapping[int, int]  # of columns of lists: how many numbers most have
    noun: str = "Column"
    list_over: range | None = None  # columns over which a list is spread, its brackets torn apart

    def of(self, *kinds: str) -> list[int]:
        return [j for j, kind in enumerate(self.kinds) if kind in kinds]

    def cells(self, j: int) -> list[str]:
        return [row[j].strip() for row in self.body if len(row) > j]

    @cached_property
    def choosable(self) -> tuple[str, ...]:
        """What a person calls each column by."""
        return choosable(self.names)

    def call(self, j: int) -> str:
        """The column as the subject of a sentence."""
        if self.noun != "Column":
            return f"{self.noun} {quoted([self.names[j]])}"
        if not self.header:
            return f"Column {j + 1}"
        named = quoted([self.names[j]]) if self.names[j] else "which has no name"
        return f"Column {j + 1}, {named},"

    def examples(self, j: int) -> str:
        """The first few values of a column."""
        values = [cell for cell in self.cells(j) if cell]
        return examples(values, len(values) > EXAMPLES)


def list_lengths(kinds: Sequence[str], body: Rows) -> dict[int, int]:
    """How many numbers most lists of each column of lists have."""
    lengths = {}
    for j in (j for j, kind in enumerate(kinds) if kind == "list"):
        counts = Counter(n for n in (count_numbers(row[j]) for row in body) if n)
        lengths[j] = counts.most_common(1)[0][0]
    return lengths


def offers_of(
    columns: Columns, scalar: list[int], vectors: list[int], label: int | None, taken: bool = True
) -> Offers:
    """What may be labels or, of lists, the vectors; a count of rows may be labels, too."""
    lists = columns.of("list")
    whole = [j for j in vectors if j not in lists and all(map(str.isdecimal, columns.cells(j)))]
    named = [*scalar, *whole][:MOST_OFFERED]
    sizes = {j: counted(columns.lengths[j], "number", "numbers") for j in lists}
    return Offers(
        arrays=tuple(Offer(columns.choosable[j], f"lists of {sizes[j]}") for j in lists),
        labels=tuple(Offer(columns.choosable[j], columns.examples(j)) for j in named),
        array=columns.choosable[vectors[0]] if lists and taken else "",
        label="" if label is None else columns.choosable[label],
        header=columns.header if columns.noun == "Column" else None,
        alternatives=True,
    )
