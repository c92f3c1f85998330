"""What is saved is read back, in every dtype, byte order, memory order and version."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import Source, read
from mips_core.data.readers.arrays import binary
from mips_core.data.readers.arrays import npy as npy_reader
from mips_core.data.readers.choices import Choices
from tests.mips_core.data.readers.outcomes import outcome

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
    kept = read(path, keep_dtype=True).items
    assert kept.dtype == X.dtype.newbyteorder("=")
    np.testing.assert_array_equal(kept, X)


def test_the_content_decides_not_the_name(load):
    X = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(load("vectors.csv", npy(X)).items, X)


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
        (np.ones(3, [("x", "f4"), ("y", "i4")]), ["structured", "“x”, “y”"]),
        (np.ones(3, [("id", "f4"), ("y", "f4")]), ["structured", "“id”, “y”"]),
        (np.ones(3, [("v", "f4", (3,)), ("w", "f4")]), ["structured", "“v”, “w”"]),
        (np.ones((3, 2), [("x", "f4"), ("y", "f4")]), ["structured", "“x”, “y”"]),
        (np.ones(0, [("x", "f4"), ("y", "f4")]), ["no vectors"]),
        (np.ones((2, 2), "M8[D]"), ["datetime64"]),
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


@pytest.mark.parametrize("kinds", [("f4", "f8", "f2"), ("u1", "u2", "u1"), ("i8", "i2", "i4")])
@pytest.mark.parametrize("align", [False, True])
def test_fields_of_one_kind_are_columns(load, kinds, align):
    dtype = np.dtype(list(zip("xyz", kinds, strict=True)), align=align)
    records = np.array([(1, 2, 3), (4, 5, 6)], dtype)
    data = load("xyz.npy", npy(records))
    np.testing.assert_array_equal(data.items, [[1, 2, 3], [4, 5, 6]])
    assert "3 fields" in data.notes[0]
    assert "“x”, “y”, “z”" in data.notes[0]


def test_progress_is_reported_and_cancel_obeyed(tmp_path, monkeypatch):
    path = tmp_path / "long.npy"
    np.save(path, np.ones((5000, 64), np.float32))
    monkeypatch.setattr(binary, "BLOCK", 2**18)
    shares = []
    npy_reader.read(Source.of(path, progress=lambda share, *_: shares.append(share)), Choices())
    assert len(shares) == 5
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def cancel(share, *_):
        raise Cancelled

    with pytest.raises(Cancelled):
        npy_reader.read(Source.of(path, progress=cancel), Choices())


@pytest.mark.parametrize(
    ("array", "words", "bias"),
    [
        (np.array(["ab", "cé"]), ["ab", "cé"], None),
        (np.array([b"ab", b"c"]), ["ab", "c"], None),
        (np.arange(3, dtype=">f8"), None, [0, 1, 2]),
        (np.arange(3), ["0", "1", "2"], None),
        (np.ones((2, 2)), None, None),
    ],
    ids=["text", "bytes", "floats", "whole", "table"],
)
def test_one_dimensional_arrays_are_labels_or_a_bias(tmp_path, array, words, bias):
    np.save(tmp_path / "b.npy", array)
    source = Source.of(tmp_path / "b.npy")
    assert npy_reader.read_strings(source) == words
    found = npy_reader.read_list(source, "f")
    assert found is None if bias is None else found.tolist() == bias


def test_what_is_no_character_is_replaced(tmp_path):
    text = np.array(["abc", "de"], "<U3")
    codes = text.view("<u4")
    codes[1], codes[3] = 0x110000, 0xD812
    np.save(tmp_path / "l.npy", text)
    assert npy_reader.read_strings(Source.of(tmp_path / "l.npy")) == ["a�c", "�e"]


def test_too_many_labels_are_refused(tmp_path, monkeypatch):
    np.save(tmp_path / "l.npy", np.array(["a", "b", "c"]))
    monkeypatch.setattr(limits, "MAX_LABELS", 2)
    with pytest.raises(DataError, match="3 labels; the limit is 2"):
        npy_reader.read_strings(Source.of(tmp_path / "l.npy"))


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


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 19)
    assert "limit is 19" in refusal("many.npy", npy(np.ones((4, 5))))


@given(st.binary(max_size=300), st.integers(0, 200))
def test_damage_gives_only_data_errors(tmp_path_factory, noise, at):
    path = tmp_path_factory.mktemp("npy") / "noise.npy"
    whole = npy(np.eye(4, dtype="f4"))
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    assert outcome(path)
