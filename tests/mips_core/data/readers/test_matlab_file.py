"""MATLAB files are told by their first bytes and read in a child."""

import warnings

import numpy as np
import pytest
from scipy.io import whosmat

from mips_core.base.errors import DataError
from mips_core.data.readers import matlab_file as matlab_file_module
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


def mutants(sound, rng):
    """`sound` with bytes changed, put in or cut off; its first line stays."""
    first = len(matlab_file_module.MAGIC)
    for _ in range(600):
        content = bytearray(sound[rng.integers(len(sound))])
        for _ in range(rng.integers(1, 5)):
            at = int(rng.integers(first, len(content)))
            match rng.integers(4):
                case 0:
                    del content[at + 1 :]
                case 1:
                    content[at:at] = rng.bytes(3)
                case _:
                    content[at] = rng.integers(256)
            if len(content) <= first + 1:
                break
        yield bytes(content)


def test_what_scipy_cannot_list_is_mostly_refused_before_a_process_starts(
    matlab_file, tmp_path, monkeypatch
):
    def started(*_):
        raise DataError("x.mat goes to a process.", "")

    monkeypatch.setattr(matlab_file_module, "read_table", started)
    texts = np.array(["a", "b"], object)
    sound = [matlab_file(packed, X=X, words=texts).read_bytes() for packed in (False, True)]
    sound.append(matlab_file_module.MAGIC + bytes(99))  # shorter than a header
    path, damaged, refused = tmp_path / "x.mat", 0, 0
    for content in mutants(sound, np.random.default_rng(0)):
        path.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            listed = lists(path)
        damaged += not listed
        with pytest.raises(DataError) as told:
            read(path)
        early = "x.mat is a MATLAB file that is damaged or cut short." in str(told.value)
        assert not (early and listed)
        refused += early
    assert refused >= damaged / 2 > 50


def lists(path):
    """Whether SciPy can tell which variables there are."""
    try:
        whosmat(str(path), appendmat=False)
    except Exception:
        return False
    return True
