"""What is saved is read back, in every dtype, byte order, memory order and version."""

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import limits
from mips_core.readers import read
from tests.mips_core.readers.outcomes import outcome

DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


def npy(array, version=None):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asanyarray(array), version)
    return file.getvalue()


@given(
    dtype=st.sampled_from(DTYPES),
    byte_order=st.sampled_from("<>"),
    order=st.sampled_from("CF"),
    version=st.sampled_from([(1, 0), (2, 0), (3, 0)]),
    shape=st.tuples(st.integers(2, 9), st.integers(1, 7)),
    seed=st.integers(0, 99),
)
def test_saved_is_read(tmp_path_factory, dtype, byte_order, order, version, shape, seed):
    X = np.random.default_rng(seed).integers(0, 100, shape).astype(dtype) + np.ones(1, dtype)
    X = np.array(X, np.dtype(dtype).newbyteorder(byte_order), order=order)
    path = tmp_path_factory.mktemp("npy") / "vectors.npy"
    path.write_bytes(npy(X, version))
    data = read(path)
    assert data.items.dtype == np.float32
    assert data.items.flags.c_contiguous
    np.testing.assert_array_equal(data.items, X.astype(np.float32))
    assert (data.name, data.m, data.labels) == ("vectors", 0, None)


def test_the_content_decides_not_the_name(load):
    X = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(load("vectors.csv", npy(X)).items, X)


def test_a_python_2_header_is_read(load):
    X = np.arange(1, 7, dtype="<f4").reshape(3, 2)
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 2L), }".ljust(117) + b"\n"
    old = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + X.tobytes()
    np.testing.assert_array_equal(load("old.npy", old).items, X)


def test_bytes_after_the_array_are_noted(load):
    data = load("more.npy", npy(np.eye(3)) + b"abcde")
    assert data.n == 3
    assert "5 bytes after the array" in data.notes[0]


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.arange(9.0), ["one-dimensional", "9 numbers", "n rows × d columns"]),
        (np.zeros((6, 4, 8)), ["3 dimensions", "6 × 4 × 8"]),
        (np.float64(2), ["single number"]),
        (np.ones((2, 2), np.complex64), ["complex64"]),
        (np.array(["ab", "cd"]), ["text", "str", "Labels"]),
        (np.ones(3, [("x", "f4"), ("y", "f4")]), ["structured", "x, y"]),
        (np.ones((2, 2), "M8[D]"), ["datetime64"]),
        (np.ones((1, 5)), ["one vector only"]),
        (np.ones((0, 5)), ["no vectors"]),
        (np.ones((5, 0)), ["without numbers"]),
        (np.zeros((4, 5)), ["all rows are zero"]),
        (np.array([[1, 2], [3, np.nan]]), ["nan", "row 1, column 1"]),
        (np.array([[1, 2], [3, 1e300]]), ["row 1, column 1", "1e+15"]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_other_arrays_are_refused(refusal, array, words):
    text = refusal("bad.npy", npy(array))
    assert [word for word in words if word not in text] == []


def test_a_pickle_inside_is_never_opened(refusal):
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("the pickle was opened",))

    array = np.empty(2, object)
    array[:] = Bomb()
    assert "pickle" in refusal("objects.npy", npy(array))


@pytest.mark.parametrize("keep", [9, 40, 127, -1, -500])
def test_a_file_cut_short_is_refused(refusal, keep):
    assert "cut short" in refusal("cut.npy", npy(np.ones((60, 9)))[:keep])


def test_a_huge_claim_is_checked_before_memory_is_taken(refusal):
    X = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (10**9, 300), (0, 0))
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(X))
    text = refusal("claims.npy", file.getvalue() + bytes(400))
    assert "1,000,000,000 × 300" in text
    assert "400 bytes" in text


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 19)
    assert "limit is 19" in refusal("many.npy", npy(np.ones((4, 5))))


@given(st.binary(max_size=300), st.integers(0, 200))
def test_damage_gives_only_data_errors(tmp_path_factory, noise, at):
    path = tmp_path_factory.mktemp("npy") / "noise.npy"
    whole = npy(np.eye(4, dtype="f4"))
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    assert outcome(path)
