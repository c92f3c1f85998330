"""The columns of a Parquet, Arrow or Feather file one by one, as tables of ratings need them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.contract import Source
from mips_core.data.readers.in_child.arrow_batches import MOST_ROWS, batches_of, faults_told
from mips_core.data.readers.in_child.arrow_columns import (
    check_names,
    dtype_of,
    kind_of,
    numpy_of,
    texts,
)
from mips_core.data.readers.in_child.room import Room
from mips_core.data.readers.names import quoted


def columns(source: Source, room: Room, what: str, names: Sequence[str] | None) -> dict[str, Any]:
    """Writes each column: "c0", …, codes of text or numbers, and "m0", …, rows without a number.

    Its facts: the names, and the words of each, or None for numbers.
    """
    with faults_told(source, what):
        batches = batches_of(source, room)
        check_names(batches.schema, source.name)
        usable = [
            f.name
            for f in batches.schema
            if kind_of(f.type) in ("text", "number") or pa.types.is_timestamp(f.type)
        ]
        for name in names or ():
            if name not in usable:
                raise DataError(
                    f"{source.name} has no column “{name}” of text or numbers.",
                    f"It has: {quoted(usable) or 'none'}.",
                )
        taken = [_Column(room, j, batches.schema.field(name))
                 for j, name in enumerate(usable if names is None else names)]  # fmt: skip
        for batch in batches.read([column.name for column in taken], MOST_ROWS):
            for column in taken:
                column.add(batch.column(column.name), source)
    for column in taken:
        column.close()
    return {"names": [c.name for c in taken], "words": [c.words for c in taken]}


class _Column:
    """A column on its way to disk."""

    def __init__(self, room: Room, j: int, field: pa.Field) -> None:
        self.room, self.j, self.name = room, j, field.name
        self.is_text = kind_of(field.type) == "text"
        self.codes: dict[bytes, int] = {}
        self.length = 0
        self.missing: list[NDArray[Any]] = []
        self.rows = room.rows(f"c{j}", self._dtype(field.type))

    def _dtype(self, kind: pa.DataType) -> np.dtype[Any]:
        if self.is_text:
            return np.dtype(np.int32)
        return np.dtype(np.float64) if pa.types.is_timestamp(kind) else dtype_of(kind)

    @property
    def words(self) -> list[str] | None:
        """Texts by their codes; None for numbers."""
        return [w.decode(errors="replace") for w in self.codes] if self.is_text else None

    def add(self, column: pa.Array, source: Source) -> None:
        """The column of one more batch."""
        if self.is_text:
            self.rows.add(self._coded(column, source))
            return
        if column.null_count:
            self.missing.append(self.rows.n + np.flatnonzero(numpy_of(column.is_null())))
        self.rows.add(_seconds(column) if pa.types.is_timestamp(column.type) else numpy_of(column))

    def _coded(self, column: pa.Array, source: Source) -> NDArray[Any]:
        """Codes (b) of texts, -1 where there is none."""
        is_coded = pa.types.is_dictionary(column.type)
        encoded = column if is_coded else column.cast(pa.large_binary()).dictionary_encode()
        words = texts(encoded.dictionary, source.name)
        self.length += sum(len(word) for word in words if word not in self.codes)
        if self.length > limits.MAX_TEXT_BYTES:
            raise DataError(
                f"{source.name} holds more than {limits.MAX_TEXT_BYTES / 2**20:,.0f} MB of "
                f"different texts in column “{self.name}”.",
                "Give its first rows only.",
            )
        codes = [self.codes.setdefault(word, len(self.codes)) for word in words]
        lookup = np.array([*codes, -1], np.int32)
        return lookup[numpy_of(encoded.indices.cast(pa.int64()), missing=-1)]

    def close(self) -> None:
        """Put the column among the arrays of the answer."""
        self.rows.close()
        if self.missing:
            self.room.save(f"m{self.j}", np.concatenate(self.missing))


def _seconds(column: pa.Array) -> NDArray[Any]:
    """Moments as seconds since 1970, 0 where there is none."""
    micros = numpy_of(column.cast(pa.timestamp("us", column.type.tz)).cast(pa.int64()))
    return np.asarray(micros / 1e6)
