"""MATLAB files are told by their first bytes and read in a child."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import read
from mips_core.data.readers.matlab_file import matches

X = np.random.default_rng(0).normal(size=(6, 4))


def test_a_file_is_told_by_its_first_bytes_and_read(matlab_file):
    path = matlab_file(X=X)
    assert matches(path.read_bytes()[:128], "any")
    assert not matches(b"MATLAB 7.3 MAT-file", "x.mat")  # which is HDF5
    np.testing.assert_array_equal(read(path, keep_dtype=True).items, X)


def test_a_file_cut_short_is_refused_in_its_own_process(matlab_file):
    path = matlab_file(X=X)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DataError, match="damaged or cut short"):
        read(path)
