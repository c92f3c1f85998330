"""An object of objects in JSON, as pandas writes a frame by its columns or by its index.

Both look alike: {"x": {"a": 1}} may be row a of column x, or row x of column a. Kinds of values and
names of coordinates tell; where they do not, a person is asked, for one of the two is wrong.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, Literal

from mips_core.base.text import counted
from mips_core.data.readers.choices import Offer, Offers, UnsettledError
from mips_core.data.readers.contract import Table
from mips_core.data.readers.json.parts import Parts, add_all, batches_of
from mips_core.data.readers.json.rows import JsonRows
from mips_core.data.readers.json.stream import shown_text
from mips_core.data.readers.names import quoted

OUTER: Final = "outer names"
INNER: Final = "inner names"
SAMPLE = 64  # names on each side whose values are looked at
EXAMPLES = 2

_COORDINATE = re.compile(
    r"(x|z|v|f|d|c|e|pc|dim|dimension|col|column|comp|component|feat|feature|emb|embedding|vec|"
    r"vector|latent|factor|val|value|var|coord|axis)[ _.-]?\d+",
    re.IGNORECASE,
)

Rows = Literal["outer names", "inner names"]


@dataclass(frozen=True)
class _Frame:
    """Objects by name, all with the same names inside."""

    outer: Sequence[str]
    inner: Sequence[str]
    objects: Sequence[dict[str, Any]]

    def rows(self, by: Rows) -> Iterator[dict[str, Any]]:
        """One object a row, with the row's own name unless these only count them."""
        if by == OUTER:
            named = not _counts(self.outer)
            for name, value in zip(self.outer, self.objects, strict=True):
                yield {"key": name, **value} if named else value
            return
        named = not _counts(self.inner)
        for name in self.inner:
            row = {o: value[name] for o, value in zip(self.outer, self.objects, strict=True)}
            yield {"key": name, **row} if named else row


def frame_of(parts: Parts) -> Table | None:
    """The table that an object of objects holds; None for anything else.

    `choices.array` may be one of `OUTER` and `INNER`: which names are those of the rows. Raises
    UnsettledError where nothing tells.
    """
    if not parts.objects or parts.rows or parts.errors or parts.flats or parts.scalars:
        return None
    first = parts.objects[0][1]
    if not first or any(value.keys() != first.keys() for _, value in parts.objects):
        return None
    outer = [path[0] for path, _ in parts.objects]
    frame = _Frame(outer, list(first), [value for _, value in parts.objects])
    offers = _offers(frame)
    choice = next((by for by in (OUTER, INNER) if by == parts.choices.array), None)
    by = choice or _row_names(frame)
    if by is None:
        if len(frame.objects) == 1:
            return None
        raise UnsettledError(
            f"{parts.file} holds numbers by two names, and nothing tells which names are those of "
            f"the vectors: the {counted(len(outer), 'outer one', 'outer ones')} "
            f"({_examples(outer)}) or the {counted(len(frame.inner), 'inner one', 'inner ones')} "
            f"({_examples(frame.inner)}).",
            f"Choose “{OUTER}” or “{INNER}” as vectors to search, or write one object a row "
            "(orient=“records” in pandas).",
            offers,
        )
    table = _table(parts, frame, by)
    if choice is None and by != _coordinates_only(frame):
        return table  # kinds of values told
    turned = replace(table.offers, arrays=offers.arrays, array=by, alternatives=True)
    notes = [f"The {by} are those of the vectors.", *table.notes]
    return replace(table, notes=notes, offers=turned)


def _table(parts: Parts, frame: _Frame, by: Rows) -> Table:
    choices = parts.choices
    if choices.array in (OUTER, INNER):
        choices = replace(choices, array="")
    rows = JsonRows(parts.file, choices, "row")
    add_all(rows, batches_of(frame.rows(by)))
    return rows.table()


def _row_names(frame: _Frame) -> Rows | None:
    """Which names are those of rows; None where nothing tells."""
    sample = [[_kind(object_[name]) for name in islice(object_, SAMPLE)]
              for object_ in frame.objects[:SAMPLE]]  # fmt: skip
    kinds = {kind for row in sample for kind in row} - {"none"}
    by_outer, by_inner = _is_pure(sample), _is_pure(list(zip(*sample, strict=True)))
    if by_outer != by_inner:  # a column holds one kind of values
        return INNER if by_outer else OUTER
    if kinds == {"number"}:
        return _coordinates_only(frame)
    if len(frame.objects) == 1:
        return None
    inner_count = all(name.isdecimal() for name in frame.inner)
    return INNER if inner_count else OUTER


def _coordinates_only(frame: _Frame) -> Rows | None:
    """Rows, where the other names alone are mostly those of coordinates: x1, dim_7."""
    outer, inner = _are_coordinates(frame.outer), _are_coordinates(frame.inner)
    if outer == inner:
        return None
    return INNER if outer else OUTER


def _are_coordinates(names: Sequence[str]) -> bool:
    return sum(_COORDINATE.fullmatch(name) is not None for name in names) * 2 > len(names)


def _counts(names: Sequence[str]) -> bool:
    """Whether names are 0, 1, 2 … as pandas numbers rows that have none."""
    return all(name == str(i) for i, name in enumerate(names))


def _is_pure(groups: Sequence[Sequence[str]]) -> bool:
    """Whether each group holds one kind of values, leaving out what is missing."""
    return all(len(set(group) - {"none"}) <= 1 for group in groups)


def _kind(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, int | float):  # true and false are coordinates to nobody, yet one kind
        return "number"
    return type(value).__name__


def _offers(frame: _Frame) -> Offers:
    n, d = len(frame.outer), len(frame.inner)
    return Offers(
        (
            Offer(OUTER, f"{n:,} × {d:,}: {_examples(frame.outer)}"),
            Offer(INNER, f"{d:,} × {n:,}: {_examples(frame.inner)}"),
        ),
        alternatives=True,
    )


def _examples(names: Sequence[str]) -> str:
    shown = quoted(shown_text(name) for name in names[:EXAMPLES])
    return f"{shown}, …" if len(names) > EXAMPLES else shown
