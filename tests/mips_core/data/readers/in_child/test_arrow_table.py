"""Columns one by one, as tables of ratings need them."""

from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.arrow_files import CodedTexts, table_columns
from mips_core.data.readers.contract import Source


def test_columns_of_a_table_of_ratings(arrow_file):
    start = datetime(1970, 1, 2)
    columns = {
        "user": ["u1", None, "u2", "u1", "é"],
        "item": pa.array(["a", "b", "a", None, "b"]).dictionary_encode(),
        "rating": [5, None, 3, 4, 1],
        "share": pa.array([0.5, None, 1, 2, 3], pa.float32()),
        "when": [start + timedelta(seconds=i) for i in range(5)],
        "nested": [[1]] * 5,
    }
    for suffix in ("small.parquet", "arrows"):
        source = Source.of(arrow_file(columns, suffix))
        found = table_columns(source)
        assert list(found) == ["user", "item", "rating", "share", "when"]
        for name in ("user", "item"):
            column = found[name]
            assert isinstance(column, CodedTexts)
            texts = [column.words[code] if code >= 0 else None for code in column.codes]
            assert texts == pa.array(columns[name]).to_pylist()
        np.testing.assert_array_equal(found["rating"], [5, np.nan, 3, 4, 1])
        np.testing.assert_array_equal(found["share"], [0.5, np.nan, 1, 2, 3])
        np.testing.assert_array_equal(found["when"], 86400 + np.arange(5.0))
    assert list(table_columns(source, ["when", "user"])) == ["when", "user"]
    with pytest.raises(DataError, match="no column “x” of text or numbers"):
        table_columns(source, ["x"])
