"""What an HDF5 file holds, however deep, and what is not opened."""

import h5py
import numpy as np
import pytest

from mips_core.data.readers.in_child import hdf5_content
from tests.mips_core.data.readers.in_child.hdf5_writing import WORDS, X, Y, parsed, refusal


@pytest.mark.parametrize("several", [False, True], ids=["one list", "a field a coordinate"])
def test_records_are_taken_apart(hdf5_file, several):
    numbers = [(f"x{j}", "f4") for j in range(4)] if several else [("values_block_0", "f8", (4,))]
    rows = np.zeros(6, [("index", "i8"), ("word", "S8"), *numbers])
    rows["index"], rows["word"] = np.arange(6) + 10, [word.encode() for word in WORDS]
    if several:
        for j in range(4):
            rows[f"x{j}"] = X[:, j]
    else:
        rows["values_block_0"] = X
    path = hdf5_file({"df/table": rows, "df/_i_table/index/sorted": Y})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    assert found.labels == WORDS
    assert parsed(path, label="df/table/index").labels == [str(i) for i in range(10, 16)]


def test_a_group_within_itself_is_no_trap(tmp_path):
    with h5py.File(tmp_path / "file.h5", "w") as file:
        file["a/x"] = X
        file["a/b"] = file["a"]
        file["y"] = file["a/x"]
    assert len(parsed(tmp_path / "file.h5").offers.arrays) == 1


def test_objects_and_levels_are_bounded(hdf5_file, monkeypatch):
    deep = hdf5_file({"/".join("abcdefgh"): X}, name="deep.h5")
    wide = hdf5_file({f"x{i}": 1.0 for i in range(20)} | {"x": X}, name="wide.h5")
    assert parsed(deep).vectors.shape == parsed(wide).vectors.shape == (6, 4)
    monkeypatch.setattr(hdf5_content, "MOST_LEVELS", 5)
    monkeypatch.setattr(hdf5_content, "MOST_OBJECTS", 10)
    for path in (deep, wide):
        assert "more than 10 objects or more than 5 levels" in refusal(path)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (X[0], "no two-dimensional array of numbers: “x” (4, float32)"),
        (X.astype(complex), "complex128"),
        (np.zeros(3, [("a", "S4"), ("b", "S2")]), "“x” (3, records)"),
        (WORDS, "“x” (6, text)"),
    ],
)
def test_other_content_is_refused(hdf5_file, array, words):
    assert words in refusal(hdf5_file({"x": array}))


def test_lists_of_any_length_are_refused_and_left_out(tmp_path):
    path = tmp_path / "file.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", (2, 2), h5py.vlen_dtype("f4"))
        file.create_dataset("r", (2,), h5py.ref_dtype)
    text = refusal(path)
    assert "“x” (2 × 2, lists)" in text
    assert "“r” (2, references)" in text
    with h5py.File(path, "r+") as file:
        file["y"] = Y
    assert any(note == "Left out: “r”, “x”." for note in parsed(path).notes)
