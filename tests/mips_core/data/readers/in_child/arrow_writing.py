"""Parquet, Arrow and Feather files as pyarrow writes them, and what is read of them."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, ipc, parquet

from mips_core.base.errors import DataError
from mips_core.data.readers.in_child import arrow
from tests.mips_core.data.readers.in_process import table

X = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
WORDS = ["a", "b", "ç", "d", "日本", "f"]


def stream(columns, path):
    with ipc.new_stream(path, columns.schema) as writer:
        writer.write_table(columns, max_chunksize=4)


def packed(columns, path):
    with ipc.new_file(path, columns.schema, options=ipc.IpcWriteOptions(compression="zstd")) as to:
        to.write_table(columns, max_chunksize=4)


WRITERS = {
    "parquet": parquet.write_table,
    "small.parquet": lambda columns, path: parquet.write_table(
        columns, path, row_group_size=4, data_page_size=64, compression="gzip", version="1.0"
    ),
    "feather": feather.write_feather,
    "arrow": packed,
    "arrows": stream,
}


def lists(array, make=pa.list_):
    array = np.asarray(array)
    return pa.array(list(array), make(pa.from_numpy_dtype(array.dtype)))


def parsed(path, **choices):
    return table(arrow.parse, path, **choices)


def refusal(path, kind=DataError, **choices):
    with pytest.raises(kind) as caught:
        parsed(path, **choices)
    assert path.name in caught.value.found
    assert caught.value.remedy
    return str(caught.value)
