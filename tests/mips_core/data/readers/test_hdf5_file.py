"""HDF5 as h5py writes it: the same numbers back, and nothing followed that leads elsewhere."""

import time
import zipfile

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers import UnsettledError, read
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.in_child import hdf5, hdf5_content
from tests.mips_core.data.readers.in_process import table

X = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)
WORDS = ["a", "b", "ç", "d", "日本", "f"]


@pytest.fixture
def written(tmp_path):
    """written(path=array, …) is a file with these data sets; "attrs" are those of the file."""

    def written(arrays, attrs=None, name="file.h5", **options):
        with h5py.File(tmp_path / name, "w") as file:
            for path, array in arrays.items():
                file.create_dataset(path, data=array, **options)
            file.attrs.update(attrs or {})
        return tmp_path / name

    return written


def parsed(path, **choices):
    return table(hdf5.parse, path, **choices)


def refusal(path, **choices):
    with pytest.raises(DataError) as caught:
        parsed(path, **choices)
    assert path.name in caught.value.found
    assert caught.value.remedy
    return str(caught.value)


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
def test_blocks_of_rows_make_the_whole(written, monkeypatch, options):
    monkeypatch.setattr(hdf5, "BLOCK_BYTES", 100)
    array = np.round(np.random.default_rng(3).normal(size=(101, 4)), 3)
    path = written({"x": array}, **options)
    np.testing.assert_allclose(parsed(path).vectors, array, atol=1e-5)
    with h5py.File(path) as file:
        np.testing.assert_array_equal(parsed(path).vectors, file["x"][()])


def test_a_benchmark_set_is_read_in_a_child(written):
    path = written({"train": X, "test": Y, "neighbors": np.zeros((9, 3), "i4"),
                    "distances": np.zeros((9, 3), "f4")},
                   {"distance": "angular", "type": "dense"}, name="toy-angular.hdf5")  # fmt: skip
    data = read(path)
    np.testing.assert_array_equal(data.items, X)
    np.testing.assert_array_equal(data.queries, Y)
    [note] = [note for note in data.notes if "angular" in note]
    assert "neighbors and distances are not used" in note


@pytest.mark.parametrize(
    ("data", "attrs", "words"),
    [
        ({"train": np.arange(9), "test": np.arange(4), "size_train": np.arange(3)},
         {"distance": "jaccard", "type": "sparse"}, "Jaccard"),
        ({"train": X > 0, "test": Y > 0}, {"distance": "hamming"}, "Hamming"),
        ({"train": X > 0, "test": Y > 0}, {}, "Hamming"),
    ],
)  # fmt: skip
def test_benchmark_sets_for_other_metrics_are_named(written, data, attrs, words):
    assert words in refusal(written(data, attrs))


@pytest.mark.parametrize("words", [WORDS, [word.encode() for word in WORDS],
                                   np.array([w.encode() for w in WORDS])])  # fmt: skip
def test_text_becomes_labels(written, words):
    path = written({"model/layer0/embeddings": X, "model/layer0/bias": X[0], "meta/words": words})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    assert found.labels == WORDS
    assert parsed(path, label="-").labels is None


def test_text_that_is_not_utf8_is_told(written):
    found = parsed(written({"x": X, "words": np.array([b"\xff", *b"abcde"], "S1")}))
    assert found.labels[0] == "�"
    assert any("not UTF-8" in note for note in found.notes)


def test_several_tables_are_listed_and_one_is_chosen(written):
    path = written({"a": X, "g/b": Y})
    with pytest.raises(UnsettledError, match="“g/b”") as caught:
        read(path)
    assert [offer.name for offer in caught.value.offers.arrays] == ["a", "g/b"]
    assert read(path, Choices(array="g/b")).n == 9
    assert "no table “c”" in refusal(path, array="c")


def test_a_layer_of_keras_has_its_items_in_columns(written):
    bias = np.arange(6, dtype="f4")
    path = written({"d/d/kernel:0": X.T.copy(), "d/d/bias:0": bias, "hidden": Y})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    np.testing.assert_array_equal(found.bias, bias)
    np.testing.assert_array_equal(found.queries, Y)


def test_keras_3_numbers_its_variables(written):
    bias = np.arange(6, dtype="f4")
    state = {"optimizer/vars/0": np.int64(3), "optimizer/vars/1": X * 0}
    path = written({"layers/dense/vars/0": X.T.copy(), "layers/dense/vars/1": bias, **state})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    np.testing.assert_array_equal(found.bias, bias)
    path = written({"layers/embedding/vars/0": X, **state}, name="embedding.weights.h5")
    np.testing.assert_array_equal(parsed(path).vectors, X)
    assert parsed(path).offers.array == "layers/embedding"


def test_the_weights_of_a_keras_archive_are_read(written, tmp_path):
    weights = written({"layers/embedding/vars/0": X, "layers/dense/vars/0": Y.T.copy()})
    path = tmp_path / "model.keras"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.json", '{"keras_version": "3.3.3"}')
        archive.writestr("config.json", '{"module": "keras"}')
        archive.write(weights, "model.weights.h5")
    np.testing.assert_array_equal(read(path, Choices(array="layers/embedding")).items, X)


@pytest.mark.parametrize("several", [False, True], ids=["one list", "a field a coordinate"])
def test_records_are_taken_apart(written, several):
    numbers = [(f"x{j}", "f4") for j in range(4)] if several else [("values_block_0", "f8", (4,))]
    rows = np.zeros(6, [("index", "i8"), ("word", "S8"), *numbers])
    rows["index"], rows["word"] = np.arange(6) + 10, [word.encode() for word in WORDS]
    if several:
        for j in range(4):
            rows[f"x{j}"] = X[:, j]
    else:
        rows["values_block_0"] = X
    path = written({"df/table": rows, "df/_i_table/index/sorted": Y})
    found = parsed(path)
    np.testing.assert_array_equal(found.vectors, X)
    assert found.labels == WORDS
    assert parsed(path, label="df/table/index").labels == [str(i) for i in range(10, 16)]


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


def test_a_group_within_itself_is_no_trap(tmp_path):
    with h5py.File(tmp_path / "file.h5", "w") as file:
        file["a/x"] = X
        file["a/b"] = file["a"]
        file["y"] = file["a/x"]
    assert len(parsed(tmp_path / "file.h5").offers.arrays) == 1


def test_objects_and_levels_are_bounded(written, monkeypatch):
    deep = written({"/".join("abcdefgh"): X}, name="deep.h5")
    wide = written({f"x{i}": 1.0 for i in range(20)} | {"x": X}, name="wide.h5")
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
def test_other_content_is_refused(written, array, words):
    assert words in refusal(written({"x": array}))


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


def test_labels_are_bounded(written, monkeypatch):
    path = written({"x": X, "words": ["long" * 10] * 6})
    monkeypatch.setattr(limits, "MAX_TEXT_BYTES", 100)
    assert "the limit for labels" in refusal(path)
    assert parsed(path, label="-").labels is None


def test_damage_anywhere_ends_in_words_or_in_data(written):
    path = written({"train": X, "meta/words": WORDS}, compression="gzip", chunks=True)
    whole = path.read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(8):  # each in a child: HDF5 crashes over some
        content = bytearray(whole)
        for place in rng.integers(16, len(content), 5):
            content[place] ^= 1 << rng.integers(0, 8)
        path.write_bytes(content[: rng.integers(16, len(whole) * 2)])
        try:
            told = read(path).name
        except DataError as error:
            told = error.found
        assert told.startswith("file")


def test_text_over_which_hdf5_loops_forever_is_given_up(written):
    path = written({"x": X, "words": WORDS})
    content = bytearray(path.read_bytes())
    heap = content.index(b"GCOL")  # where strings lie, each after its length
    content[heap + 40 : heap + 64] = bytes(24)
    path.write_bytes(content)
    start = time.monotonic()
    with pytest.raises(DataError, match=r"file\.h5 could not be read as HDF5"):
        read(path)
    assert time.monotonic() - start < 30
    assert read(path, Choices(label="-")).n == 6
