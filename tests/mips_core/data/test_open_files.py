"""Files of either kind: what they are taken for, and what a person may say instead."""

import io
import json
import tracemalloc
from time import process_time

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from mips_core.base.errors import DataError
from mips_core.data.open_files import open_files
from mips_core.data.readers import RatingsFileError
from mips_core.data.readers.choices import Choices, RatingChoices

TRIPLES = "user,item,score\n" + "".join(
    f"{u},{i},{1 + (3 * u + 2 * i) % 5}\n" for u in range(6) for i in range(5)
)
MATRIX = "userId,m1,m2,m3,m4\n" + "".join(
    f"{u},{u % 5},{1 + u * u % 5},{2 + u * 7 % 4},{u % 3}\n" for u in range(9)
)


@pytest.fixture
def put(tmp_path):
    def put(name, content):
        (tmp_path / name).write_text(content)
        return tmp_path / name

    return put


def test_what_looks_like_ratings_may_be_vectors(put, tmp_path):
    path = put("scores.csv", TRIPLES)
    assert open_files(path).ratings.n_ratings == 30
    opened = open_files(path, kind="vectors")
    assert opened.ratings is None
    assert (opened.dataset.n, opened.dataset.d) == (30, 2)
    assert opened.may_be_ratings
    columns = {"user": range(6), "item": [0.5] * 6, "score": [1.5] * 6}
    parquet.write_table(pa.table(columns), tmp_path / "scores.parquet")
    assert open_files(tmp_path / "scores.parquet", kind="vectors").dataset.n == 6
    matrix = put("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 3\n")
    with pytest.raises(RatingsFileError):
        open_files(matrix, kind="vectors")


def test_what_looks_like_vectors_may_be_ratings(put):
    path = put("m.csv", MATRIX)
    opened = open_files(path)
    assert opened.may_be_ratings
    assert opened.ratings is None
    ratings = open_files(path, kind="ratings").ratings
    assert (ratings.n_users, ratings.n_items, ratings.offers.layout) == (9, 4, "user")
    one_a_line = RatingChoices(layout="rating", user="m4", item="m1", value="m3")
    ratings = open_files(path, rating_choices=one_a_line, kind="ratings").ratings
    assert (ratings.n_items, ratings.offers.layout) == (5, "rating")


def test_vectors_with_labels_and_fractions_are_no_ratings(put):
    rows = np.random.default_rng(0).normal(size=(6, 5)).tolist()
    lines = [",".join(map(str, [f"w{i}", *row])) for i, row in enumerate(rows)]
    path = put("words.csv", "\n".join(["word,a,b,c,d,e", *lines]))
    assert not open_files(path).may_be_ratings


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("names", [("ids", "vector"), ("text", "ids", "score", "vector")])
def test_a_list_beside_the_vectors_never_stands_for_them_wherever_a_file_is_cut(put, names, indent):
    rows = [
        {"text": f"t{i}", "ids": [5 + i, 3 + i], "score": 0.5, "vector": [i + 0.5, 0.25, 0.125]}
        for i in range(2)
    ]
    lines = [json.dumps({name: row[name] for name in names}, indent=indent) for row in rows]
    whole = "\n".join(lines)
    for length in range(5, len(whole)):
        try:
            opened = open_files([put("cut.jsonl", whole[:length])], Choices(skip_bad=True))
        except DataError:
            continue
        items = opened.dataset.items.tolist()
        assert items == [row["vector"] for row in rows][: len(items)], whole[:length]


def declares_2_gb(name):
    """A kilobyte whose header promises 5,000,000 × 100 numbers, or one row of 500,000,000."""
    if name == "big.npy":
        file = io.BytesIO()
        header = {"descr": "<f4", "fortran_order": False, "shape": (5_000_000, 100)}
        np.lib.format.write_array_header_1_0(file, header)
        head = file.getvalue()
    elif name == "big.fbin":
        head = np.array([5_000_000, 100], np.int32).tobytes()
    else:
        head = b"5000000 100\n" if name == "big.bin" else np.int32(500_000_000).tobytes()
    return head.ljust(1024, b"\0")


@pytest.mark.parametrize("name", ["big.npy", "big.fbin", "big.bin", "big.fvecs"])
def test_a_kilobyte_that_declares_2_gb_is_refused_at_once(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(declares_2_gb(name))
    (tmp_path / "small.npy").write_bytes(declares_2_gb("big.npy")[:200])
    with pytest.raises(DataError):  # what is imported at first is not counted
        open_files([tmp_path / "small.npy"])
    tracemalloc.start()
    began = process_time()
    try:
        with pytest.raises(DataError):
            open_files([path], kind="vectors")
        seconds, peak = process_time() - began, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert seconds < 0.1
    assert peak < 50e6
