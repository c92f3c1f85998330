"""HDF5 files as h5py writes them, and what is read of them."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.in_child import hdf5
from tests.mips_core.data.readers.in_process import table

X = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)
WORDS = ["a", "b", "ç", "d", "日本", "f"]


def parsed(path, **choices):
    return table(hdf5.parse, path, **choices)


def refusal(path, **choices):
    with pytest.raises(DataError) as caught:
        parsed(path, **choices)
    assert path.name in caught.value.found
    assert caught.value.remedy
    return str(caught.value)
