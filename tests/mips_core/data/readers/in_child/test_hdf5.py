"""Tables of HDF5: the same numbers back, and nothing followed that leads elsewhere."""

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mips_core.base import limits
from mips_core.data.readers.in_child import hdf5
from tests.mips_core.data.readers.in_child.hdf5_writing import WORDS, X, Y, parsed, refusal


@given(
    array=arrays.arrays(
        st.one_of(arrays.floating_dtypes(endianness="?"), arrays.integer_dtypes(endianness="?"),
                  arrays.unsigned_integer_dtypes(endianness="?"), st.just(np.dtype(bool))),
        st.tuples(st.integers(1, 30), st.integers(1, 5)),
    ),
    packed=st.booleans(),
)  # fmt: skip
def test_any_table_comes_back_bit_for_bit(tmp_path_factory, array, packed):
    path = tmp_path_factory.mktemp("hdf5") / "x.h5"
    with h5py.File(path, "w") as file:
        chunks = {"chunks": (7, 2), "maxshape": (None, None)} if packed else {}
        file.create_dataset("x", data=array, compression="gzip" if packed else None, **chunks)
    vectors = parsed(path).vectors
    assert vectors.dtype == array.dtype
    assert vectors.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"chunks": (4, 3)},
        {"compression": "gzip", "chunks": (5, 4)},
        {"compression": "lzf", "fletcher32": True},
        {"scaleoffset": 5},
    ],
    ids=str,
)
def test_blocks_of_rows_make_the_whole(hdf5_file, monkeypatch, options):
    monkeypatch.setattr(hdf5, "BLOCK_BYTES", 100)
    array = np.round(np.random.default_rng(3).normal(size=(101, 4)), 3)
    path = hdf5_file({"x": array}, **options)
    np.testing.assert_allclose(parsed(path).vectors, array, atol=1e-5)
    with h5py.File(path) as file:
        np.testing.assert_array_equal(parsed(path).vectors, file["x"][()])


@pytest.mark.parametrize(
    ("data", "attrs", "words"),
    [
        ({"train": np.arange(9), "test": np.arange(4), "size_train": np.arange(3)},
         {"distance": "jaccard", "type": "sparse"}, "Jaccard"),
        ({"train": X > 0, "test": Y > 0}, {"distance": "hamming"}, "Hamming"),
        ({"train": X > 0, "test": Y > 0}, {}, "Hamming"),
    ],
)  # fmt: skip
def test_benchmark_sets_for_other_metrics_are_named(hdf5_file, data, attrs, words):
    assert words in refusal(hdf5_file(data, attrs))


@pytest.mark.parametrize("words", [WORDS, [word.encode() for word in WORDS],
                                   np.array([w.encode() for w in WORDS])])  # fmt: skip
def test_text_becomes_labels(hdf5_file, words):
    path = hdf5_file({"model/layer0/embeddings": X, "model/layer0/bias": X[0], "meta/words": words})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    assert found.labels == WORDS
    assert parsed(path, label="-").labels is None


def test_text_that_is_not_utf8_is_told(hdf5_file):
    found = parsed(hdf5_file({"x": X, "words": np.array([b"\xff", *b"abcde"], "S1")}))
    assert found.labels[0] == "�"
    assert any("not UTF-8" in note for note in found.notes)


def external(path):
    with h5py.File(path, "w") as file:
        file["x"] = h5py.ExternalLink("other.h5", "x")


def soft(path):
    with h5py.File(path, "w") as file:
        file["x"] = h5py.SoftLink("/nowhere")


def raw_elsewhere(path):
    with h5py.File(path, "w") as file:
        file.create_dataset("x", (6, 4), "f4", external=[(str(path.with_name("raw.bin")), 0, 96)])


def virtual(path):
    layout = h5py.VirtualLayout((6, 4), "f4")
    layout[:] = h5py.VirtualSource("other.h5", "x", (6, 4))
    with h5py.File(path, "w") as file:
        file.create_virtual_dataset("x", layout)


def unknown_filter(path):
    with h5py.File(path, "w") as file:
        settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        settings.set_chunk((3, 4))
        settings.set_filter(32_015, h5py.h5z.FLAG_OPTIONAL, (3,))
        space = h5py.h5s.create_simple((6, 4))
        h5py.h5d.create(file.id, b"x", h5py.h5t.IEEE_F32LE, space, settings)


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (external, "a link to another place, which is not followed"),
        (soft, "a link to another place, which is not followed"),
        (raw_elsewhere, "kept in other files, which are not opened"),
        (virtual, "a virtual data set"),
        (unknown_filter, "packed with the filter"),
    ],
)
def test_what_leads_elsewhere_is_not_followed(tmp_path, write, words):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = X
    (tmp_path / "raw.bin").write_bytes(X.tobytes())
    write(tmp_path / "file.h5")
    text = refusal(tmp_path / "file.h5")
    assert words in text
    assert "“x”" in text
    with h5py.File(tmp_path / "file.h5", "r+") as file:
        file["y"] = Y
    found = parsed(tmp_path / "file.h5")
    np.testing.assert_array_equal(found.vectors, Y)
    assert any(words in note for note in found.notes)
    assert words in refusal(tmp_path / "file.h5", array="x")


def test_a_promise_of_much_is_checked_before_it_is_believed(tmp_path, monkeypatch):
    path = tmp_path / "file.h5"
    for size, chunks in (((10**9, 300), (1024, 300)), ((10**7, 4), (1024, 4)), ((10**7, 4), None)):
        with h5py.File(path, "w") as file:
            file.create_dataset("x", size, "f4", chunks=chunks)
        text = refusal(path)
        assert "the limits are" in text or "none were ever written" in text
    with h5py.File(path, "w") as file:
        file["x"] = np.zeros((1000, 100), "f4")
    path.write_bytes(path.read_bytes()[:-4000])
    assert "cut short" in refusal(path)
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.zeros((1000, 100), "f4"), compression="gzip")
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", path.stat().st_size + 10)
    assert "the limits are" in refusal(path)


def test_numbers_that_grow_out_of_proportion_are_refused_before_they_are_unpacked(
    tmp_path, monkeypatch
):
    path = tmp_path / "file.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.zeros((5000, 400), "f4"), compression="gzip")
    assert parsed(path).vectors.shape == (5000, 400)  # small, however much it grew
    monkeypatch.setattr(limits, "SMALL_UNPACKED_BYTES", 2**20)
    assert "times when unpacked, to 8 MB; the limit is 200 times" in refusal(path)
    with h5py.File(path, "w") as file:
        file["x"] = np.zeros((5000, 400), "f4")
    assert parsed(path).vectors.shape == (5000, 400)


def test_labels_are_bounded(hdf5_file, monkeypatch):
    path = hdf5_file({"x": X, "words": ["long" * 10] * 6})
    monkeypatch.setattr(limits, "MAX_TEXT_BYTES", 100)
    assert "the limit for labels" in refusal(path)
    assert parsed(path, label="-").labels is None
