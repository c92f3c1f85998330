"""Parts of one set are one table, whatever their order; a part that is missing is named."""

import numpy as np
import pandas as pd
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import read

X = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
NAMES = [f"shuffle_train-{i:02}-of-03.parquet" for i in range(3)]


@pytest.fixture
def parts(tmp_path):
    for i, name in enumerate(NAMES):
        rows = {"id": [f"w{j}" for j in range(3 * i, 3 * i + 3)], "emb": list(X[3 * i : 3 * i + 3])}
        pd.DataFrame(rows).to_parquet(tmp_path / name)
    return [tmp_path / name for name in NAMES]


def test_parts_are_joined_in_their_order(parts):
    data = read([parts[2], parts[0], parts[1]])
    np.testing.assert_array_equal(data.items, X)
    assert data.labels == [f"w{j}" for j in range(9)]
    assert data.m == 0
    assert "3 parts of “shuffle_train” are taken as one table." in data.notes


def test_queries_beside_the_parts_stay_queries(parts, tmp_path):
    np.save(tmp_path / "queries.npy", X[:2])
    data = read([*parts, tmp_path / "queries.npy"])
    assert (data.n, data.m) == (9, 2)


def test_a_part_that_is_missing_is_named(parts):
    with pytest.raises(DataError, match="2 of 3 parts of one set were given"):
        read(parts[1:])
    assert read(parts[:1]).n == 3  # alone it may be what is meant
