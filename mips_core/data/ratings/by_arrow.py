"""A table of ratings: read by Arrow, column by column, where it is regular, or line by line."""

from typing import Any

import numpy as np

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.ratings.blocks import Block, FileRatings, Gathered, Names, RatingFaults
from mips_core.data.ratings.columns import RatingRoles
from mips_core.data.ratings.layout import RatingsLayout
from mips_core.data.ratings.lines import decimal_of, entries_of, rows_of
from mips_core.data.ratings.ratings import Codes
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.by_arrow import arrow_options
from mips_core.data.readers.ratings_signs import TIME
from mips_core.data.readers.text.encodings import encoding_of

BLOCK_BYTES = 4 * 2**20


def read_triples(
    source: Source, layout: RatingsLayout, roles: RatingRoles, gathered: Gathered, *, skip_bad: bool
) -> FileRatings:
    """The ratings of a table: by Arrow, or line by line where anything is out of the ordinary.

    Raises DataError where lines are bad and not to be left out.
    """
    blocks = _read_regular(source, layout, roles, gathered)
    if blocks is not None:
        return FileRatings(source, blocks, [])
    encoding, notes = encoding_of(source)
    faults = RatingFaults(source.name, skip_bad)
    entries = entries_of(rows_of(source, layout, encoding), layout, roles, faults)
    blocks = gathered.blocks(entries, valued=roles.value is not None)
    return FileRatings(source, blocks, [*notes, *faults.notes()], bad_lines=faults.rows)


def _read_regular(
    source: Source, layout: RatingsLayout, roles: RatingRoles, gathered: Gathered
) -> list[Block] | None:
    """Blocks of ratings; None for anything out of the ordinary."""
    import pyarrow  # slow to import, and not needed by small files
    import pyarrow.csv

    before, blocks = gathered.count, []
    try:
        with (
            pyarrow.OSFile(str(source.path)) as file,
            pyarrow.csv.open_csv(file, *_options(layout, roles)) as batches,
        ):
            for batch in batches:
                block = _block(batch, layout, roles, gathered)
                if block is None:
                    break
                blocks.append(block)
                source.reached(file.tell())
            else:
                return blocks
    except DataError:  # a limit, and a ValueError
        raise
    except (pyarrow.ArrowException, ValueError, OSError):
        pass
    gathered.count = before
    return None


def _block(
    batch: Any, layout: RatingsLayout, roles: RatingRoles, gathered: Gathered
) -> Block | None:
    def column(j: int) -> Any:
        return batch.column(_place(layout, j))

    users = _codes(column(roles.user), gathered.users)
    items = _codes(column(roles.item), gathered.items)
    if users is None or items is None:
        return None
    values = None if roles.value is None else _numbers(column(roles.value))
    if values is not None and not (np.abs(values) <= MAX_MAGNITUDE).all():  # NaN is False
        return None
    times = None if roles.time is None else _numbers(column(roles.time))
    return gathered.coded(users, items, values, times)


def _codes(column: Any, names: Names) -> Codes | None:
    """Codes of ids; None where one is empty or holds a quote."""
    encoded = column.dictionary_encode()
    words = [word.strip() for word in encoded.dictionary.to_pylist()]
    if not all(words) or any('"' in word for word in words):
        return None
    return names.codes(words)[encoded.indices.to_numpy()]


def _numbers(column: Any) -> np.ndarray:
    """A column of numbers or times as float64, NaN where it is empty."""
    import pyarrow

    if pyarrow.types.is_timestamp(column.type):
        moments = column.cast(pyarrow.int64()).cast(pyarrow.float64())
        return np.asarray(moments.to_numpy(zero_copy_only=False)) / 1e6
    return np.asarray(column.to_numpy(zero_copy_only=False), np.float64)


def _place(layout: RatingsLayout, j: int) -> str:
    """Name of column j for Arrow, which sees an empty column inside each “::”."""
    return str(2 * j if layout.dialect.separator == "::" else j)


def _options(layout: RatingsLayout, roles: RatingRoles) -> tuple[Any, Any, Any]:
    import pyarrow

    double = layout.dialect.separator == "::"
    width = 2 * layout.width - 1 if double else layout.width
    types = {str(j): pyarrow.null() for j in range(1, width, 2)} if double else {}
    types |= {_place(layout, j): pyarrow.string() for j in (roles.user, roles.item)}
    if roles.value is not None:
        types[_place(layout, roles.value)] = pyarrow.float64()
    if roles.time is not None:
        types[_place(layout, roles.time)] = _time_type(layout.columns[roles.time].cells)
    decimal = decimal_of(layout.cells(roles.value))
    return arrow_options(layout.dialect, width, layout.skip, BLOCK_BYTES, types, decimal, [""])


def _time_type(cells: tuple[str, ...]) -> Any:
    """Arrow's type for times: numbers, or dates as ISO 8601 writes them."""
    import pyarrow

    dates = cells and all("-" in cell and TIME.fullmatch(cell) for cell in cells)
    return pyarrow.timestamp("us") if dates else pyarrow.float64()
