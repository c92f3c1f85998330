"""Ratings as columns of Parquet and Feather files."""

import io

import numpy as np
import pandas as pd
import pytest

from tests.mips_core.data.ratings.written import THREE


@pytest.mark.parametrize("write", [pd.DataFrame.to_parquet, pd.DataFrame.to_feather])
def test_columns_of_parquet_and_feather(triples, refusal, write):
    frame = pd.DataFrame(THREE, columns=["user_id", "asin", "overall"])
    assert triples("x.bin", written(write, frame)) == THREE
    dated = frame.assign(timestamp=pd.to_datetime(["2020-01-02", "2020-01-01", "2020-01-03"]))
    twice = pd.concat([dated, dated.assign(overall=9.0, timestamp=pd.Timestamp("2020-01-02"))])
    again = triples("x.bin", written(write, twice.reset_index(drop=True)))
    assert [value for _, _, value in again] == [9.0, 9.0, 1.0]
    numbers = pd.DataFrame({"item": [3, 1, 3], "user": [10.0, 2.0, np.nan], "rating": [1, 2, 3]})
    assert triples("n.bin", written(write, numbers[:2])) == [("10", "3", 1.0), ("2", "1", 2.0)]
    assert "no user or item in row 2" in refusal("n.bin", written(write, numbers))
    assert len(triples("n.bin", written(write, numbers), skip_bad=True)) == 2


def written(write, frame):
    file = io.BytesIO()
    write(frame, file)
    return file.getvalue()
