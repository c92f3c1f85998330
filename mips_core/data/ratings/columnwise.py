"""A regular table of ratings read by Arrow, column by column and several times faster."""

from typing import Any

import numpy as np

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.data.ratings.columns import Roles
from mips_core.data.ratings.gathering import Block, Gathered, Names
from mips_core.data.ratings.layout import Layout
from mips_core.data.ratings.lines import decimal_of
from mips_core.data.ratings.ratings import Codes
from mips_core.data.readers.contract import Source
from mips_core.data.readers.ratings_signs import TIME
from mips_core.data.readers.text.lines import BLANK

BLOCK_BYTES = 4 * 2**20


def read_regular(
    source: Source, layout: Layout, roles: Roles, gathered: Gathered
) -> list[Block] | None:
    """Blocks of ratings; None for anything out of the ordinary, to be read line by line."""
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


def _block(batch: Any, layout: Layout, roles: Roles, gathered: Gathered) -> Block | None:
    users = _codes(_column(batch, layout, roles.user), gathered.users)
    items = _codes(_column(batch, layout, roles.item), gathered.items)
    if users is None or items is None:
        return None
    values = times = None
    if roles.value is not None:
        values = _numbers(_column(batch, layout, roles.value))
        if not (np.abs(values) <= MAX_MAGNITUDE).all():  # NaN compares as False
            return None
    if roles.time is not None:
        times = _numbers(_column(batch, layout, roles.time))
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


def _column(batch: Any, layout: Layout, j: int) -> Any:
    return batch.column(_place(layout, j))


def _place(layout: Layout, j: int) -> str:
    """Name of column j for Arrow, which sees an empty column inside each “::”."""
    return str(2 * j if layout.separator == "::" else j)


def _options(layout: Layout, roles: Roles) -> tuple[Any, Any, Any]:
    import pyarrow
    import pyarrow.csv

    double = layout.separator == "::"
    count = 2 * layout.width - 1 if double else layout.width
    types = {str(j): pyarrow.null() for j in range(1, count, 2)} if double else {}
    types |= {_place(layout, j): pyarrow.string() for j in (roles.user, roles.item)}
    if roles.value is not None:
        types[_place(layout, roles.value)] = pyarrow.float64()
    if roles.time is not None:
        types[_place(layout, roles.time)] = _time_type(layout.columns[roles.time].cells)
    sign = {"::": ":", BLANK: " "}.get(layout.separator, layout.separator)
    return (
        pyarrow.csv.ReadOptions(
            column_names=[str(j) for j in range(count)],
            skip_rows=layout.skip,
            block_size=BLOCK_BYTES,
        ),
        pyarrow.csv.ParseOptions(
            delimiter=sign,
            quote_char='"' if layout.quotes else False,
            newlines_in_values=layout.quotes,
        ),
        pyarrow.csv.ConvertOptions(
            include_columns=list(types),
            column_types=types,
            null_values=[""],
            strings_can_be_null=False,
            decimal_point=decimal_of(layout.cells(roles.value)),
        ),
    )


def _time_type(cells: tuple[str, ...]) -> Any:
    """Arrow's type for times: numbers, or dates as ISO 8601 writes them."""
    import pyarrow

    dates = cells and all("-" in cell and TIME.fullmatch(cell) for cell in cells)
    return pyarrow.timestamp("us") if dates else pyarrow.float64()
