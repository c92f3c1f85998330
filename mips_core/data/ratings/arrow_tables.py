"""Ratings as columns of a Parquet, Arrow or Feather file."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.ratings.blocks import Block, FileRatings, Gathered, RatingFaults
from mips_core.data.ratings.columns import RatingColumn, RatingRoles, assign
from mips_core.data.ratings.table import number_of, time_of
from mips_core.data.readers.arrow_files import CodedTexts, is_arrow, is_parquet, table_columns
from mips_core.data.readers.choices import RatingChoices
from mips_core.data.readers.contract import Source

SAMPLE = 100
Stored = NDArray[Any] | CodedTexts


def matches(source: Source) -> bool:
    """Whether the file is one of these."""
    return is_parquet(source.head, source.name) or is_arrow(source.head, source.name)


def read(source: Source, gathered: Gathered, choices: RatingChoices) -> FileRatings:
    """The ratings. Raises DataError as tables of text do."""
    stored = table_columns(source)
    columns = [RatingColumn(name, _sample(column), name) for name, column in stored.items()]
    roles = assign(columns, True, choices, source.name)
    faults = RatingFaults(source.name, choices.skip_bad, unit="row")
    block = _block(list(stored.values()), roles, gathered, faults)
    notes = [*roles.notes, *faults.notes()]
    return FileRatings(source, [block], notes, roles.offers(columns, None), faults.rows)


def _block(
    stored: list[Stored], roles: RatingRoles, gathered: Gathered, faults: RatingFaults
) -> Block:
    users, items = _as_texts(stored[roles.user]), _as_texts(stored[roles.item])
    count = len(users.codes)
    values = np.ones(count) if roles.value is None else _parsed(stored[roles.value], number_of)
    whole = _usable(users) & _usable(items)
    good = whole & (np.abs(values) <= MAX_MAGNITUDE)  # NaN compares as False
    for row in np.flatnonzero(~good):
        faults.add("no rating" if whole[row] else "no user or item", int(row))
    return gathered.coded(
        gathered.users.codes(users.words)[users.codes[good]],
        gathered.items.codes(items.words)[items.codes[good]],
        None if roles.value is None else values[good],
        None if roles.time is None else _parsed(stored[roles.time], time_of)[good],
    )


def _sample(column: Stored) -> tuple[str, ...]:
    """The first cells as text."""
    if isinstance(column, CodedTexts):
        codes = column.codes[:SAMPLE].tolist()
        return tuple("" if code < 0 else column.words[code].strip() for code in codes)
    return tuple(map(_text, column[:SAMPLE].tolist()))


def _text(value: float) -> str:
    """A number as an id: 7 for 7.0, which is how a column of whole numbers with gaps is stored."""
    if value != value:
        return ""
    return str(int(value)) if float(value).is_integer() else repr(value)


def _as_texts(column: Stored) -> CodedTexts:
    """Ids as text, in order of first appearance; code -1 where one is missing."""
    if isinstance(column, CodedTexts):
        return CodedTexts([word.strip() for word in column.words], column.codes)
    values, first, codes = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(values), np.int32)
    place[order] = np.arange(len(values))
    words = [_text(value) for value in values[order].tolist()]
    return CodedTexts(words, place[codes.ravel()])


def _usable(ids: CodedTexts) -> NDArray[np.bool_]:
    """Whether each row has an id that is not blank."""
    return np.array([*map(bool, ids.words), False])[ids.codes]


def _parsed(column: Stored, parse: Callable[[str], float | None]) -> Floats:
    """Ratings or times as float64, NaN where there is none."""
    if not isinstance(column, CodedTexts):
        return np.asarray(column, np.float64)
    return np.array([*map(parse, column.words), None], np.float64)[column.codes]
