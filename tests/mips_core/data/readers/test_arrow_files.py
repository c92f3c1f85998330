"""Parquet, Arrow and Feather as pyarrow and pandas write them: the same numbers back."""

from base64 import b64encode
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, ipc, parquet
from pyarrow.parquet import encryption

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers import RatingsFileError, UnsettledError, read
from mips_core.data.readers.arrow_files import CodedTexts, is_arrow, table_columns
from mips_core.data.readers.contract import Source
from mips_core.data.readers.in_child import arrow
from tests.mips_core.data.readers.in_process import table

X = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
WORDS = ["a", "b", "ç", "d", "日本", "f"]
NUMBERS = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint64")


def stream(columns, path):
    with ipc.new_stream(path, columns.schema) as writer:
        writer.write_table(columns, max_chunksize=4)


def packed(columns, path):
    with ipc.new_file(path, columns.schema, options=ipc.IpcWriteOptions(compression="zstd")) as to:
        to.write_table(columns, max_chunksize=4)


WRITERS = {
    "parquet": parquet.write_table,
    "small.parquet": lambda columns, path: parquet.write_table(
        columns, path, row_group_size=4, data_page_size=64, compression="gzip", version="1.0"
    ),
    "feather": feather.write_feather,
    "arrow": packed,
    "arrows": stream,
}


def lists(array, make=pa.list_):
    array = np.asarray(array)
    return pa.array(list(array), make(pa.from_numpy_dtype(array.dtype)))


@pytest.fixture
def written(tmp_path):
    """written(name=column, …) is a Parquet file, or one by another of WRITERS."""

    def written(columns, suffix="parquet"):
        columns = columns if isinstance(columns, pa.Table) else pa.table(columns)
        WRITERS[suffix](columns, str(tmp_path / f"x.{suffix}"))
        return tmp_path / f"x.{suffix}"

    return written


def parsed(path, **choices):
    return table(arrow.parse, path, **choices)


def refusal(path, kind=DataError, **choices):
    with pytest.raises(kind) as caught:
        parsed(path, **choices)
    assert path.name in caught.value.found
    assert caught.value.remedy
    return str(caught.value)


@given(
    suffix=st.sampled_from(sorted(WRITERS)),
    dtype=st.sampled_from(NUMBERS),
    shape=st.tuples(st.integers(1, 30), st.integers(1, 5)),
    make=st.sampled_from(["list", "large", "fixed"]),
    seed=st.integers(0, 99),
)
def test_a_column_of_lists_comes_back_bit_for_bit(
    tmp_path_factory, suffix, dtype, shape, make, seed
):
    bits = np.random.default_rng(seed).integers(0, 256, (*shape, np.dtype(dtype).itemsize), "u1")
    array = bits.view(dtype)[..., 0]
    kind = {"list": pa.list_, "large": pa.large_list, "fixed": lambda t: pa.list_(t, shape[1])}
    path = tmp_path_factory.mktemp("arrow") / f"x.{suffix}"
    WRITERS[suffix](pa.table({"v": lists(array, kind[make])}), str(path))
    vectors = parsed(path).vectors
    assert vectors.dtype == dtype
    np.testing.assert_array_equal(vectors.view("u1"), array.view("u1"))


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_every_container_is_read_in_a_child(written, suffix):
    data = read(written({"word": WORDS, "vector": lists(X)}, suffix))
    np.testing.assert_array_equal(data.items, X)
    assert data.labels == WORDS


@pytest.mark.parametrize(
    "column",
    [
        lists(X, pa.list_view),
        lists(X, pa.large_list_view),
        pa.FixedShapeTensorArray.from_numpy_ndarray(X),
        lists(X).slice(0),
        pa.concat_arrays([lists(X[:1]), lists(X)]).slice(1),
    ],
    ids=["view", "large view", "tensor", "plain", "slice"],
)
def test_every_kind_of_list_is_read(written, column):
    np.testing.assert_array_equal(parsed(written({"v": column}, "arrow")).vectors, X)


def test_truth_values_and_decimals_are_numbers(written):
    np.testing.assert_array_equal(parsed(written({"v": lists(X > 0)})).vectors, X > 0)
    decimals = pa.array([1, 2.5, None]).cast(pa.decimal128(9, 3))
    path = written({"x": decimals, "y": decimals})
    np.testing.assert_array_equal(parsed(path, skip_bad=True).vectors, [[1, 1], [2.5, 2.5]])


def test_columns_of_numbers_by_pandas(tmp_path):
    frame = pd.DataFrame(X, columns=[f"dim_{j}" for j in range(4)])
    frame.insert(0, "item_id", range(100, 106))
    frame["clicks"] = 7
    frame["added"] = datetime(2026, 1, 1)
    frame.to_parquet(tmp_path / "x.parquet")
    data = read(tmp_path / "x.parquet")
    np.testing.assert_array_equal(data.items, X)
    assert data.labels == [str(100 + i) for i in range(6)]
    assert any("“added”" in note and "“clicks”" in note for note in data.notes)


@pytest.mark.parametrize("index", [WORDS, [5, 3, 9, 7, 1, 2]])
def test_the_index_of_pandas_is_no_coordinate(tmp_path, index):
    pd.DataFrame({"x": X[:, 0], "y": X[:, 1]}, index=index).to_parquet(tmp_path / "x.parquet")
    found = parsed(tmp_path / "x.parquet")
    np.testing.assert_array_equal(found.vectors, X[:, :2])
    assert found.labels == [str(name) for name in index]


def test_numbers_of_several_dtypes_take_the_one_that_holds_all(written):
    columns = {"x": pa.array([1, 2], "int32"), "y": pa.array([0.5, 1], "float32")}
    vectors = parsed(written(columns)).vectors
    assert vectors.dtype == np.float64
    np.testing.assert_array_equal(vectors, [[1, 0.5], [2, 1]])


def test_several_columns_of_lists_are_listed_and_one_is_chosen(written):
    path = written({"left": lists(X), "right": lists(-X)})
    assert "“left”" in refusal(path, UnsettledError)
    np.testing.assert_array_equal(parsed(path, array="right").vectors, -X)
    found = parsed(path, array="left", queries="right")
    np.testing.assert_array_equal(found.queries, -X)
    assert found.offers.queries == "right"
    assert any("“right”" in note and "queries" in note for note in found.notes)
    assert "“up”" in refusal(path, array="up")
    assert "“up”" in refusal(path, array="left", queries="up")


@pytest.mark.parametrize(
    "words",
    [
        pa.array(WORDS, pa.large_string()),
        pa.array(WORDS).dictionary_encode(),
        pa.array(WORDS, pa.string_view()),
        pa.array([word.encode() for word in WORDS]),
    ],
    ids=lambda column: str(column.type),
)
def test_every_kind_of_text_becomes_labels(written, words):
    found = parsed(written({"vector": lists(X), "title": words, "text": ["x"] * 6}, "arrow"))
    assert found.labels == WORDS
    assert parsed(written({"vector": lists(X), "title": words}), label="-").labels is None


def test_labels_are_chosen_blank_or_not_utf8(written):
    path = written({"v": lists(X), "title": [None, *WORDS[1:]], "code": range(6),
                    "raw": pa.array([b"\xff", *[b"ok"] * 5])})  # fmt: skip
    assert parsed(path).labels == ["", *WORDS[1:]]
    assert parsed(path, label="code").labels == list("012345")
    found = parsed(path, label="raw")
    assert found.labels[0] == "�"
    assert any("not UTF-8" in note for note in found.notes)
    assert "“nothing”" in refusal(path, label="nothing")


ROWS = [[1.0, 2.0], None, [3.0, 4.0], [5.0], [6.0, None], [], [7.0, 8.0]]


@pytest.mark.parametrize("suffix", sorted(WRITERS))
@pytest.mark.parametrize("make", [pa.list_, pa.large_list, pa.list_view])
def test_bad_lists_are_refused_with_their_row_or_left_out(written, monkeypatch, suffix, make):
    if make is pa.list_view and "parquet" in suffix:
        pytest.skip("Parquet has no views of lists")
    monkeypatch.setattr(arrow, "MOST_ROWS", 2)
    path = written({"v": pa.array(ROWS, make(pa.float32())), "title": list("abcdefg")}, suffix)
    text = refusal(path, UnsettledError)
    assert "column “v”: row 1 has no list; 3 more rows" in text
    assert "Each row needs 2 numbers" in text
    found = parsed(path, skip_bad=True)
    np.testing.assert_array_equal(found.vectors, [[1, 2], [3, 4], [7, 8]])
    assert found.labels == ["a", "c", "g"]
    assert found.offers.bad_rows == 4
    assert any("4 rows were left out" in note and "(row 1, 3, 4, 5)" in note
               for note in found.notes)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1.0, 2.0], [1.0, 2.0], [3.0]], "row 2 has 1 number where 2 are needed"),
        ([[1.0, 2.0], [1.0, None]], "row 1 has a missing number in its list"),
    ],
)
def test_what_is_wrong_first_is_said(written, rows, words):
    assert words in refusal(written({"v": pa.array(rows, pa.list_(pa.float32()))}))


def test_fixed_lists_may_be_missing(written):
    column = pa.array([[1, 2], None, [3, 4]], pa.list_(pa.float32(), 2))
    for suffix in WRITERS:
        path = written({"v": column}, suffix)
        assert "row 1 has no list" in refusal(path)
        assert parsed(path, skip_bad=True).vectors.tolist() == [[1, 2], [3, 4]]


def test_missing_cells_are_refused_with_their_row_or_left_out(written):
    path = written({"x": [1.0, 2, None, 4], "y": [1, None, 3, 4], "title": list("abcd")})
    assert "row 1 has no number in column “y”; 1 more row" in refusal(path, UnsettledError)
    found = parsed(path, skip_bad=True)
    np.testing.assert_array_equal(found.vectors, [[1, 1], [4, 4]])
    assert found.labels == ["a", "d"]


def test_a_table_without_a_usable_row_is_refused(written):
    path = written({"v": pa.array([[1.0, None], [None, 2.0]])})
    assert "row 0" in refusal(path, skip_bad=True)
    assert "holds no rows" in refusal(written({"v": lists(X[:0])}))
    assert "holds no rows" in refusal(written({"v": lists(X[:0])}, "arrow"))
    assert "no column" in refusal(written({"v": pa.array([None, None], pa.list_(pa.int8()))}))


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"t": WORDS}, "no column of numbers or of lists of numbers: “t” (string)"),
        ({"s": [{"x": 1.0}] * 3}, "“s” (struct"),
        ({"s": [[[1.0]]] * 3}, "“s” (list<"),
        ({"t": [datetime(2026, 1, 1)]}, "“t” (timestamp"),
        ({}, "empty"),
    ],
)
def test_other_content_is_refused(written, columns, words):
    assert words in refusal(written(columns))


def test_nested_columns_beside_the_vectors_are_left_out(written):
    path = written({"v": lists(X), "s": [{"x": 1.0}] * 6, "t": [[["a"]]] * 6, "n": [None] * 6})
    [note] = [note for note in parsed(path).notes if "left out" in note]
    assert all(f"“{name}”" in note for name in "stn")


def test_two_columns_of_one_name_are_refused(written):
    assert "twice: “v”" in refusal(written(pa.Table.from_arrays([lists(X)] * 2, ["v", "v"])))


def test_ratings_are_told_from_vectors(written):
    path = written({"user_id": [1, 2], "item_id": [3, 4], "rating": [5.0, 1.0]})
    assert "read_ratings" in refusal(path, RatingsFileError)


def test_limits_hold_before_and_while_reading(written, monkeypatch):
    for suffix in WRITERS:
        path = written({"v": lists(np.zeros((1000, 8), "f4"))}, suffix)
        with monkeypatch.context() as patch:
            patch.setattr(limits, "MAX_VALUES", 7999)
            assert "the limits are 7,999 numbers" in refusal(path)
            patch.setattr(limits, "MAX_VALUES", 999)
            assert "the limit is 999 numbers" in refusal(path) or "the limits are" in refusal(path)
        with monkeypatch.context() as patch:
            patch.setattr(limits, "MAX_FILE_BYTES", 30_000)
            assert "the limits are" in refusal(path)


def test_long_text_that_repeats_is_bounded(written):
    places = np.zeros(3000, "i4")
    title = pa.DictionaryArray.from_arrays(places, ["x" * 2**20])
    for suffix in ("parquet", "arrow"):
        path = written({"x": places, "title": title}, suffix)
        assert path.stat().st_size < 2**21
        assert "the limit for labels" in refusal(path)
        assert parsed(path, label="-").vectors.shape == (3000, 1)


def test_old_and_locked_files_are_named(tmp_path):
    for content, words in ((b"FEA1" + bytes(60), "version 1"), (b"PARE" + bytes(60), "encrypted")):
        (tmp_path / "x.feather").write_bytes(content)
        with pytest.raises(DataError, match=words):
            read(tmp_path / "x.feather")


class Keys(encryption.KmsClient):
    """Keeps keys as they are."""

    def __init__(self, connection):
        super().__init__()

    def wrap_key(self, key, name):
        return b64encode(key)


@pytest.mark.parametrize("plaintext_footer", [True, False])
def test_encrypted_parquet_is_named(tmp_path, plaintext_footer):
    columns = pa.table({"v": lists(X)})
    chosen = encryption.EncryptionConfiguration(
        "a key", column_keys={"b key": ["v.list.element"]}, plaintext_footer=plaintext_footer
    )
    locked = encryption.CryptoFactory(Keys).file_encryption_properties(
        encryption.KmsConnectionConfig(), chosen
    )
    path = tmp_path / "x.parquet"
    with parquet.ParquetWriter(path, columns.schema, encryption_properties=locked) as writer:
        writer.write_table(columns)
    with pytest.raises(DataError, match="encrypted"):
        read(path)


def test_a_stream_is_recognised_by_its_first_bytes(written):
    head = written({"v": lists(X)}, "arrows").read_bytes()[:64]
    assert is_arrow(head, "anything")
    assert not is_arrow(np.full(9, np.nan, "f4").tobytes(), "x.bin")
    assert not is_arrow(np.full(64, -1, "i4").tobytes(), "x.bin")


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_damage_anywhere_ends_in_words_or_in_data(written, suffix):
    path = written({"v": lists(np.tile(X, (20, 1))), "title": WORDS * 20}, suffix)
    whole = path.read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(40):
        content = bytearray(whole)
        for place in rng.integers(8, len(content), 3):
            content[place] ^= 1 << rng.integers(0, 8)
        path.write_bytes(content[: rng.integers(8, len(whole) * 2)])
        try:
            told = parsed(path).offers.array
        except DataError as error:
            told = error.found
        except MemoryError:
            told = path.name  # told in the child, where memory is bounded
        assert len(told) == 1 or path.name in told  # a name may be what was damaged


def test_columns_of_a_table_of_ratings(written):
    start = datetime(1970, 1, 2)
    columns = {
        "user": ["u1", None, "u2", "u1", "é"],
        "item": pa.array(["a", "b", "a", None, "b"]).dictionary_encode(),
        "rating": [5, None, 3, 4, 1],
        "share": pa.array([0.5, None, 1, 2, 3], pa.float32()),
        "when": [start + timedelta(seconds=i) for i in range(5)],
        "nested": [[1]] * 5,
    }
    for suffix in ("small.parquet", "arrows"):
        source = Source.of(written(columns, suffix))
        found = table_columns(source)
        assert list(found) == ["user", "item", "rating", "share", "when"]
        for name in ("user", "item"):
            column = found[name]
            assert isinstance(column, CodedTexts)
            texts = [column.words[code] if code >= 0 else None for code in column.codes]
            assert texts == pa.array(columns[name]).to_pylist()
        np.testing.assert_array_equal(found["rating"], [5, np.nan, 3, 4, 1])
        np.testing.assert_array_equal(found["share"], [0.5, np.nan, 1, 2, 3])
        np.testing.assert_array_equal(found["when"], 86400 + np.arange(5.0))
    assert list(table_columns(source, ["when", "user"])) == ["when", "user"]
    with pytest.raises(DataError, match="no column “x” of text or numbers"):
        table_columns(source, ["x"])
