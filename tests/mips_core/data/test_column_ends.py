"""Ends of columns are those of the whole array, however few rows are looked at once."""

import numpy as np
import pytest

from mips_core.data import column_ends


@pytest.mark.parametrize("at_once", [1, 7, 2**21])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_ends_are_those_of_the_whole(monkeypatch, at_once, dtype):
    monkeypatch.setattr(column_ends, "LOOKED_AT", at_once)
    X = np.random.default_rng(0).normal(size=(50, 3)).astype(dtype)
    low, high = column_ends.column_ends(X)
    assert low.dtype == high.dtype == np.float32
    np.testing.assert_array_equal(low, X.astype(np.float32).min(axis=0))
    np.testing.assert_array_equal(high, X.astype(np.float32).max(axis=0))
