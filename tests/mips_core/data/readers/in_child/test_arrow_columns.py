"""Which columns hold vectors, labels and queries, told by their types and names."""

from datetime import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from mips_core.data.readers import RatingsFileError, UnsettledError, read
from tests.mips_core.data.readers.in_child.arrow_writing import WORDS, X, lists, parsed, refusal


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


def test_numbers_of_several_dtypes_take_the_one_that_holds_all(arrow_file):
    columns = {"x": pa.array([1, 2], "int32"), "y": pa.array([0.5, 1], "float32")}
    vectors = parsed(arrow_file(columns)).vectors
    assert vectors.dtype == np.float64
    np.testing.assert_array_equal(vectors, [[1, 0.5], [2, 1]])


def test_several_columns_of_lists_are_listed_and_one_is_chosen(arrow_file):
    path = arrow_file({"left": lists(X), "right": lists(-X)})
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
def test_every_kind_of_text_becomes_labels(arrow_file, words):
    found = parsed(arrow_file({"vector": lists(X), "title": words, "text": ["x"] * 6}, "arrow"))
    assert found.labels == WORDS
    assert parsed(arrow_file({"vector": lists(X), "title": words}), label="-").labels is None


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"t": WORDS}, "no column of coordinates or of lists of numbers: “t” (string)"),
        (
            {"id": [1, 2, 3], "t": WORDS[:3]},
            "no column of coordinates or of lists of numbers: “id”",
        ),
        ({"id": [1, 2, 3], "emb": [b"\0\0\0\0"] * 3}, "“emb” (binary)"),
        ({"s": [{"x": 1.0}] * 3}, "“s” (struct"),
        ({"s": [[[1.0]]] * 3}, "“s” (list<"),
        ({"t": [datetime(2026, 1, 1)]}, "“t” (timestamp"),
        ({}, "empty"),
    ],
)
def test_other_content_is_refused(arrow_file, columns, words):
    assert words in refusal(arrow_file(columns))


def test_nested_columns_beside_the_vectors_are_left_out(arrow_file):
    path = arrow_file({"v": lists(X), "s": [{"x": 1.0}] * 6, "t": [[["a"]]] * 6, "n": [None] * 6})
    [note] = [note for note in parsed(path).notes if "left out" in note]
    assert all(f"“{name}”" in note for name in "stn")


def test_two_columns_of_one_name_are_refused(arrow_file):
    assert "twice: “v”" in refusal(arrow_file(pa.Table.from_arrays([lists(X)] * 2, ["v", "v"])))


def test_ratings_are_told_from_vectors(arrow_file):
    path = arrow_file({"user_id": [1, 2], "item_id": [3, 4], "rating": [5.0, 1.0]})
    assert "read_ratings" in refusal(path, RatingsFileError)


def test_long_text_that_repeats_is_bounded(arrow_file):
    places = np.zeros(3000, "i4")
    title = pa.DictionaryArray.from_arrays(places, ["x" * 2**20])
    for suffix in ("parquet", "arrow"):
        path = arrow_file({"x": places, "title": title}, suffix)
        assert path.stat().st_size < 2**21
        assert "the limit for labels" in refusal(path)
        assert parsed(path, label="-").vectors.shape == (3000, 1)
