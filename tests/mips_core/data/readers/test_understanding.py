"""One file or two, packed or not, to one data set."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers import READERS, read
from mips_core.data.readers.contract import register
from tests.mips_core.data.readers.outcomes import outcome
from tests.mips_core.data.readers.packing import X, npy

Y = np.random.default_rng(1).normal(size=(9, 4)).round(4).astype(np.float32)


def tsv(array):
    return "\n".join("\t".join(f"{v:.4f}" for v in row) for row in array) + "\n"


def test_every_reader_has_its_own_name_and_key():
    assert {"npy", "npz", "table", "vectors_text", "word2vec_binary", "foreign"} <= set(READERS)
    assert all(key == reader.key for key, reader in READERS.items())
    with pytest.raises(ValueError, match="npy"):
        register(READERS["npy"])


@pytest.mark.parametrize("given", [str, lambda path: path, lambda path: [path]])
def test_a_path_may_be_given_in_any_way(tmp_path, given):
    (tmp_path / "my.vectors.npy").write_bytes(npy(X))
    data = read(given(tmp_path / "my.vectors.npy"))
    np.testing.assert_array_equal(data.items, X)
    assert data.name == "my.vectors"


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.npy", npy(X)), ("x.tsv", tsv(X)), ("x.txt", tsv(X).replace("\t", " "))],
)
def test_gzip_changes_nothing(load, name, content):
    raw = content if isinstance(content, bytes) else content.encode()
    data = load(name + ".gz", gzip.compress(raw))
    np.testing.assert_array_equal(data.items, load(name, raw).items)
    assert data.name == "x"


def test_gzip_is_bounded(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 3 * 2**20)
    found = refusal("bomb.txt.gz", gzip.compress(b"0 " * 2**21))
    assert "unpacked" in found
    assert "limit is 3 MB" in found


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(npy(X))[:-9], "cut short"),
        (gzip.compress(b""), "empty"),
        (gzip.compress(gzip.compress(b"a")), "inside another"),
    ],
    ids=["cut", "empty", "twice"],  # the bytes hold the time
)
def test_bad_gzip_is_refused(refusal, content, words):
    assert words in refusal("x.npy.gz", content)


def test_files_that_are_not_there(tmp_path, refusal, monkeypatch):
    with pytest.raises(DataError, match="not found"):
        read(tmp_path / "none.npy")
    with pytest.raises(DataError, match="folder"):
        read(tmp_path)
    with pytest.raises(DataError, match="0 files"):
        read([])
    assert "empty" in refusal("empty.txt", "")
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 10)
    assert "the limit is" in refusal("large.npy", npy(X))


def test_two_files_are_items_and_queries_in_that_order(load):
    data = load("one.npy", npy(X), "two.tsv", tsv(Y))
    np.testing.assert_array_equal(data.items, X)
    np.testing.assert_array_equal(data.queries, Y)
    assert data.name == "one"
    assert "one.npy is taken as items, two.tsv as queries." in data.notes


@pytest.mark.parametrize(
    ("queries", "items"),
    [("user_factors.npy", "item_factors.npy"), ("queries.npy", "x.npy"), ("x.npy", "base.npy")],
)
def test_names_come_before_order(load, queries, items):
    data = load(queries, npy(Y), items, npy(X))
    np.testing.assert_array_equal(data.items, X)
    np.testing.assert_array_equal(data.queries, Y)


def test_queries_of_another_width_are_refused(refusal):
    found = refusal("a.npy", npy(X), "b.npy", npy(Y[:, :3]))
    assert "3 dimensions" in found
    assert "4" in found


WORDS = ["amber", "ice cream", "c,d", "Señor", "5", "f"]
LINES = "\n".join(WORDS)
METADATA = "id\tword\n" + "\n".join(f"{i}\t{word}" for i, word in enumerate(WORDS))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("name", "content", "header"),
    [
        ("labels.txt", LINES, False),
        ("x.tsv", LINES + "\n\n", False),
        ("x.tsv", "word\r\n" + LINES.replace("\n", "\r\n"), True),
        ("metadata.tsv", METADATA, True),
        ("labels.csv", "title\n" + LINES.replace("c,d", '"c,d"'), True),
        ("labels.npy", npy(np.array(WORDS)), False),
    ],
)
def test_vectors_and_labels(load, name, content, header, turned):
    pair = [("v.tsv", tsv(X)), (name, content)]
    data = load(*sum(pair[::-1] if turned else pair, ()))
    np.testing.assert_array_equal(data.items, X)
    assert (data.labels, data.m, data.name) == (WORDS, 0, "v")
    assert any("7 lines for 6 vectors" in note for note in data.notes) == header


def test_labels_that_look_like_numbers_are_labels_by_name(load):
    years = [str(year) for year in range(1990, 1996)]
    assert load("v.npy", npy(X), "years.txt", "\n".join(years)).labels == years


def test_another_number_of_labels_is_refused(refusal):
    assert "4 lines for 6 vectors" in refusal("v.tsv", tsv(X), "m.tsv", "a\nb\nc\nd\n")


def test_a_second_file_that_is_neither_is_named(refusal):
    assert "web page" in refusal("v.npy", npy(X), "labels.tsv", "<html>")
    assert "PDF" in refusal("v.npy", npy(X), "b.bin", b"%PDF-1.7\n\0\1\2\3")


@given(st.binary(min_size=1, max_size=400), st.sampled_from(["npy", "npz", "txt", "csv", "bin"]))
def test_noise_gives_only_data_errors(tmp_path_factory, noise, suffix):
    path = tmp_path_factory.mktemp("noise") / f"noise.{suffix}"
    path.write_bytes(noise)
    assert outcome(path)


@given(st.text(st.sampled_from("0123456789.-eE,;\t \n\"'[]{}ainf:#"), min_size=1, max_size=200))
def test_any_text_gives_only_data_errors(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("text") / "any.csv"
    path.write_text(text)
    assert outcome(path)
