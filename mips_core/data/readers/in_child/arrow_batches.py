"""Parquet and Arrow files as batches of rows, a few at a time."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
from pyarrow import ipc, parquet, types

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.contract import AGAIN, Source
from mips_core.data.readers.in_child.room import Room, check_growth

PARQUET = b"PAR1"
ARROW_FILE = b"ARROW1"
BATCH_VALUES = 2**21
MOST_ROWS = 2**16


@dataclass(frozen=True)
class Batches:
    """A file of typed columns; `read(names, most)` gives them in batches of at most `most` rows."""

    schema: pa.Schema
    read: Callable[[Sequence[str], int], Iterator[pa.RecordBatch]]


@contextmanager
def faults_told(source: Source, what: str) -> Iterator[None]:
    """Turns what Arrow raises over a file into DataError."""
    try:
        yield
    except (DataError, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else ""
        if "crypt" in reason.lower():
            raise DataError(
                f"{source.name} is {what} that is encrypted.", "Save it without encryption."
            ) from error
        if isinstance(error, pa.ArrowNotImplementedError):
            raise DataError(
                f"{source.name} is {what} that uses what is not supported here: {reason}.",
                "Write it again without it.",
            ) from error
        raise DataError(f"{source.name} is {what} that is damaged or cut short.", AGAIN) from error


def batches_of(source: Source, room: Room) -> Batches:
    """The batches of a file, by how it begins. Raises what Arrow raises; DataError for limits."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    parquet_file = source.head.startswith(PARQUET)
    batches = _parquet(source, room) if parquet_file else _ipc(source, room)

    def read(names: Sequence[str], most: int) -> Iterator[pa.RecordBatch]:
        unpacked = 0
        for batch in batches.read(names, most):
            for column in batch.columns:  # text has a limit of its own
                if types.is_primitive(column.type) or types.is_nested(column.type):
                    unpacked += column.nbytes
            check_growth(source.name, unpacked, source.size)
            yield batch

    return Batches(batches.schema, read)


def check_rows(rows: int, source: Source) -> None:
    """Raise DataError for more rows than numbers are allowed."""
    if rows > limits.MAX_VALUES:
        raise DataError(
            f"{source.name} holds {rows:,} rows; the limit is {limits.MAX_VALUES:,} numbers.",
            "Give its first rows only.",
        )


def _parquet(source: Source, room: Room) -> Batches:
    """Row groups decoded page by page. Repeated text is kept once, however long it is."""
    handle = pa.OSFile(os.fsencode(source.path))
    file = parquet.ParquetFile(handle, buffer_size=2**20)
    schema, about = file.schema_arrow, file.metadata
    check_rows(about.num_rows, source)
    text = [f.name for f in schema if types.is_string(f.type) or types.is_binary(f.type)]

    def read(names: Sequence[str], most: int) -> Iterator[pa.RecordBatch]:
        repeated = [name for name in text if name in names]
        again = parquet.ParquetFile(
            handle, metadata=about, buffer_size=2**20, read_dictionary=repeated
        )
        done = 0
        for batch in again.iter_batches(most, columns=list(names), use_threads=False):
            yield batch
            done += batch.num_rows
            source.reached(int(source.size * done / max(done, about.num_rows, 1)))
            room.allow(source.size)

    return Batches(schema, read)


def _ipc(source: Source, room: Room) -> Batches:
    """Record batches of an Arrow file or stream, mapped where they are not compressed."""

    def opened(names: Sequence[str] | None = None) -> "_RecordBatches":
        fields = None if names is None else [schema.get_field_index(name) for name in names]
        return _RecordBatches(source, ipc.IpcReadOptions(use_threads=False, included_fields=fields))

    schema = opened().reader.schema

    def read(names: Sequence[str], most: int) -> Iterator[pa.RecordBatch]:
        rows = 0
        for batch, begin, end in opened(names):
            rows += batch.num_rows
            check_rows(rows, source)
            batch.validate(full=True)
            for start in range(0, batch.num_rows, most):
                yield batch.slice(start, most)
                done = min(1.0, (start + most) / batch.num_rows)
                source.reached(int(begin + done * (end - begin)))
                room.allow(source.size)

    return Batches(schema, read)


class _RecordBatches:
    """The record batches of a file or a stream, each with the bytes from where to where it lies."""

    def __init__(self, source: Source, options: ipc.IpcReadOptions) -> None:
        self.size = source.size
        self.mapped = pa.memory_map(os.fsencode(source.path))
        self.is_file = source.head.startswith(ARROW_FILE)
        opened = ipc.open_file if self.is_file else ipc.open_stream
        self.reader = opened(self.mapped, options=options)

    def __iter__(self) -> Iterator[tuple[pa.RecordBatch, float, float]]:
        if self.is_file:
            part = self.size / max(1, self.reader.num_record_batches)
            for i in range(self.reader.num_record_batches):
                yield self.reader.get_batch(i), i * part, (i + 1) * part
            return
        begin = 0
        for batch in self.reader:
            end = self.mapped.tell()
            yield batch, begin, end
            begin = end
