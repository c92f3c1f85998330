"""What MATLAB and Keras mean by the data sets they write."""

import zipfile

import h5py
import numpy as np

from mips_core.data.readers import read
from mips_core.data.readers.choices import Choices
from tests.mips_core.data.readers.in_child.hdf5_writing import WORDS, X, Y, parsed


def test_a_layer_of_keras_has_its_items_in_columns(hdf5_file):
    bias = np.arange(6, dtype="f4")
    path = hdf5_file({"d/d/kernel:0": X.T.copy(), "d/d/bias:0": bias, "hidden": Y})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    np.testing.assert_array_equal(found.bias, bias)
    np.testing.assert_array_equal(found.queries, Y)


def test_keras_3_numbers_its_variables(hdf5_file):
    bias = np.arange(6, dtype="f4")
    state = {"optimizer/vars/0": np.int64(3), "optimizer/vars/1": X * 0}
    path = hdf5_file({"layers/dense/vars/0": X.T.copy(), "layers/dense/vars/1": bias, **state})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    np.testing.assert_array_equal(found.bias, bias)
    path = hdf5_file({"layers/embedding/vars/0": X, **state}, name="embedding.weights.h5")
    np.testing.assert_array_equal(parsed(path).vectors, X)
    assert parsed(path).offers.array == "layers/embedding"


def test_the_weights_of_a_keras_archive_are_read(hdf5_file, tmp_path):
    weights = hdf5_file({"layers/embedding/vars/0": X, "layers/dense/vars/0": Y.T.copy()})
    path = tmp_path / "model.keras"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", '{"keras_version": "3.3.3"}')
        archive.writestr("config.json", '{"module": "keras"}')
        archive.write(weights, "model.weights.h5")
    np.testing.assert_array_equal(read(path, Choices(array="layers/embedding")).items, X)


def test_cells_of_matlab_are_labels(tmp_path):
    path = tmp_path / "m.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        file["X"] = X.T
        file["X"].attrs["MATLAB_class"] = np.bytes_("single")
        cells = np.empty((1, 6), h5py.ref_dtype)
        for i, word in enumerate(WORDS[:5]):
            codes = np.frombuffer(word.encode("utf-16-le"), "<u2")[:, None]
            cell = file.create_dataset(f"#refs#/{i}", data=codes)
            cell.attrs["MATLAB_class"] = np.bytes_("char")
            cells[0, i] = cell.ref
        cells[0, 5] = file["X"].ref
        file.create_dataset("words", data=cells, dtype=h5py.ref_dtype)
        file["words"].attrs["MATLAB_class"] = np.bytes_("cell")
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    assert found.labels == [*WORDS[:5], ""]  # the last refers to no text


def test_matlab_rows_are_rows(tmp_path):
    path = tmp_path / "m.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        ids, text = np.arange(6)[:, None], np.arange(5)[:, None]
        kinds = {"items": (X, b"single"), "item_id": (ids, b"int64"), "note": (text, b"char")}
        for name, (array, kind) in kinds.items():
            file[name] = array.T
            file[name].attrs["MATLAB_class"] = np.bytes_(kind)
        file["#refs#/a"] = Y
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")
    data = read(path)
    np.testing.assert_array_equal(data.items, X)
    assert data.labels == list("012345")
    assert any("as they are in MATLAB" in note for note in data.notes)
