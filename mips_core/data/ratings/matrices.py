"""Ratings as a matrix of users × items: an array, or a table of text with a column an item."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE, MAX_NAMES
from mips_core.base.text import counted
from mips_core.data.ratings.blocks import Block, FileRatings, Gathered, RatingFaults
from mips_core.data.ratings.columns import LEAST_ITEMS, WORDS
from mips_core.data.ratings.layout import MOST_JUDGED, RatingsLayout
from mips_core.data.ratings.ratings import Codes
from mips_core.data.ratings.table import decimal_of, number_of, rows_of
from mips_core.data.readers.choices import RatingChoices, RatingOffers
from mips_core.data.readers.contract import Source
from mips_core.data.readers.names import is_id
from mips_core.data.readers.ratings_signs import key_of, named
from mips_core.data.readers.text.lines import encoding_of

Positions = NDArray[np.integer[Any]]

CELLS = 2**20  # of the rows looked at together
MISSING = "Not rated are the cells that are empty or NaN."
ZEROS = "No cell is empty or NaN, so those of 0 are taken as not rated."
FINITE = f"Ratings must be finite numbers of at most {MAX_MAGNITUDE:g} in size. Correct it."
ALL_OF_ONE = "A line holds the ratings of one user, a column those of one item."
NUMBERED = "Rows are users and columns items, numbered from 0."


def of_array(source: Source, array: NDArray[Any], gathered: Gathered) -> FileRatings:
    """Ratings of an array (users, items). Raises DataError for an infinite one."""
    file = source.name
    if not array.size:
        raise DataError(f"{file} holds no ratings, only an empty array.", FINITE)
    if max(array.shape) > MAX_NAMES:
        raise DataError(
            f"{file} has {max(array.shape):,} users or items; the limit is {MAX_NAMES:,}.",
            "Give a part of them.",
        )
    codes_of_users = gathered.users.codes(map(str, range(len(array))))
    codes_of_items = gathered.items.codes(map(str, range(array.shape[1])))
    missing = array.dtype.kind == "f" and any(np.isnan(part).any() for _, part in _parts(array))
    blocks = []
    for start, part in _parts(array):
        with np.errstate(invalid="ignore"):  # of signalling NaN
            values = np.asarray(part, np.float64)
        sizes = np.abs(values).max(axis=1, initial=0, where=~np.isnan(values))
        if (sizes > MAX_MAGNITUDE).any():
            row = start + int((sizes > MAX_MAGNITUDE).argmax())
            raise DataError(
                f"{file} holds a rating that is infinite or too large in row {row:,}.", FINITE
            )
        users = codes_of_users[start : start + len(values)]
        blocks.append(_block(values, users, codes_of_items, missing, gathered))
    return FileRatings(source, blocks, [NUMBERED, MISSING if missing else ZEROS])


def of_sparse(
    source: Source,
    rows: Positions,
    columns: Positions,
    values: NDArray[Any],
    shape: tuple[int, int],
    gathered: Gathered,
) -> FileRatings:
    """Ratings that a sparse matrix (users, items) stores (e,), zeros too."""
    users, user_of = np.unique(rows, return_inverse=True)
    items, item_of = np.unique(columns, return_inverse=True)
    with np.errstate(invalid="ignore"):  # of signalling NaN
        numbers = np.asarray(values, np.float64)
    bad = ~(np.abs(numbers) <= MAX_MAGNITUDE)
    if bad.any():
        place = int(bad.argmax())
        raise DataError(
            f"{source.name} holds the rating {numbers[place]:g} in row {rows[place]:,}, column "
            f"{columns[place]:,}.",
            FINITE,
        )
    block = gathered.coded(
        gathered.users.codes(map(str, users))[user_of],
        gathered.items.codes(map(str, items))[item_of],
        numbers,
    )
    ratings = counted(len(numbers), "rating", "ratings")
    stored = f"A sparse matrix of {shape[0]:,} × {shape[1]:,} with {ratings}."
    return FileRatings(source, [block], [stored, NUMBERED])


def _parts(array: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """(first row, rows) of parts of an array (u, i)."""
    rows = max(1, CELLS // max(1, array.shape[1]))
    return ((start, array[start : start + rows]) for start in range(0, len(array), rows))


def _block(
    rows: Floats | list[Floats], users: Codes, items: Codes, missing: bool, gathered: Gathered
) -> Block:
    """Ratings of rows (u, i), NaN or else 0 where there are none."""
    values = np.asarray(rows)
    rated = np.argwhere(~np.isnan(values) if missing else values != 0)
    row, column = rated.T
    return gathered.coded(users[row], items[column], values[row, column])


def is_matrix(layout: RatingsLayout, choices: RatingChoices) -> bool:
    """Whether a line of the table holds all ratings of one user."""
    if choices.layout != "auto":
        return choices.layout == "user"
    kinds = [column.kind for column in layout.columns[:MOST_JUDGED]]
    if layout.width <= LEAST_ITEMS or not {"number", "empty"}.issuperset(kinds[1:]):
        return False
    if not layout.header:
        return kinds[0] != "date"
    names = layout.names[1:]
    if any(named(layout.names, role) is not None for role in ("item", "value", "time")):
        return False
    return _names_users(layout) or all(key_of(name).isdecimal() for name in names)


def _names_users(layout: RatingsLayout) -> bool:
    """Whether the first column names the users."""
    first = layout.columns[0]
    named_so = layout.header and (named([first.name], "user") is not None or is_id(first.name))
    return named_so or first.kind == "text"


def read_table(
    source: Source, layout: RatingsLayout, gathered: Gathered, choices: RatingChoices
) -> FileRatings:
    """Ratings of a table of text. Raises DataError where cells are no numbers."""
    encoding, notes = encoding_of(source)
    first = int(_names_users(layout))
    names = [column.name or column.called for column in layout.columns[first:]]
    if not layout.header:
        names = list(map(str, range(len(names))))
    items = gathered.items.codes(names)
    if len(set(items.tolist())) < len(items):
        raise DataError(f"{source.name} names two columns alike.", "Give each item its own name.")
    missing = any(WORDS.fullmatch(cell) for _, cells in rows_of(source, layout, encoding)
                  for cell in cells[first:])  # fmt: skip
    decimal = decimal_of([c for column in layout.columns[first:MOST_JUDGED] for c in column.cells])
    faults = RatingFaults(source.name, choices.skip_bad)
    blocks, users, rows = [], [], []
    for number, (at, cells) in enumerate(rows_of(source, layout, encoding)):
        values, fault = _values(cells[first:], len(items), decimal)
        fault = fault if cells[0] or not first else "no user"
        if fault:
            faults.add(fault, at)
            continue
        users.append(cells[0] if first else str(number))
        rows.append(values)
        if len(rows) * len(items) > CELLS:
            blocks.append(_block(rows, gathered.users.codes(users), items, missing, gathered))
            users, rows = [], []
    if rows:
        blocks.append(_block(rows, gathered.users.codes(users), items, missing, gathered))
    notes = [*layout.notes, ALL_OF_ONE, *notes, *faults.notes(), MISSING if missing else ZEROS]
    offers = RatingOffers(header=layout.header, layout="user")
    return FileRatings(source, blocks, notes, offers, faults.rows)


def _values(cells: list[str], count: int, decimal: str) -> tuple[Floats, str]:
    """`count` ratings, NaN for a missing one; and what is wrong with them, or nothing."""
    if len(cells) != count:
        held = counted(len(cells), "rating", "ratings")
        return np.empty(0), f"{held} where {count:,} are expected"
    values = np.full(count, np.nan)
    for j, cell in enumerate(cells):
        if not WORDS.fullmatch(cell):
            value = number_of(cell, decimal)
            if value is None:
                return values, f"“{cell[:40]}” as rating"
            values[j] = value
    return values, ""
