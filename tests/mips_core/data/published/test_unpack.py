"""What is read of archives: named files, first lines, first vectors."""

import gzip
import io

import numpy as np
import pytest

from mips_core import read
from mips_core.base.errors import DataError
from mips_core.base.progress import silent
from mips_core.data.published import unpack as module
from mips_core.data.published.entries import PUBLISHED
from mips_core.data.published.unpack import copy_vectors, unpack
from tests.mips_core.data.published.server import zipped


def word2vec(X, feeds=b"\n"):
    rows = (b"word%d " % i + row.tobytes() + feeds for i, row in enumerate(X))
    return b"%d %d\n" % X.shape + b"".join(rows)


@pytest.fixture
def vectors():
    """Vectors (50, 7), some of whose bytes are blanks and line feeds."""
    X = np.random.default_rng(0).standard_normal((50, 7)).astype(np.float32)
    X[3] = np.frombuffer(b" \n  " * 7, np.float32)
    return X


@pytest.mark.parametrize("feeds", [b"\n", b""])
@pytest.mark.parametrize("chunk", [1 << 20, 11])
def test_the_first_vectors_are_those_of_the_file(vectors, feeds, chunk, monkeypatch, tmp_path):
    X = vectors
    monkeypatch.setattr(module, "CHUNK", chunk)
    path = tmp_path / "first.bin"
    with path.open("wb") as out:
        copy_vectors(io.BytesIO(word2vec(X, feeds)), out, 20, silent)
    first = read(path)
    assert np.array_equal(first.items, X[:20])
    assert tuple(first.labels) == tuple(f"word{i}" for i in range(20))


@pytest.mark.parametrize("packed", [False, True])
def test_what_comes_after_the_first_vectors_is_not_read(vectors, packed, store, monkeypatch):
    """The rest may be damaged: here it is missing."""
    X = vectors
    monkeypatch.setattr(module, "FIRST_WORDS", 20)
    store.mkdir(parents=True)
    content = word2vec(X)
    whole = len(content) // 2
    archive = store / ("x.bin.gz" if packed else "x.bin")
    archive.write_bytes(gzip.compress(content[:whole]) if packed else content[:whole])
    entry = PUBLISHED["word2vec-googlenews"]
    unpack(entry, archive, store, silent)
    assert np.array_equal(read(store / entry.reads[0]).items, X[:20])


def test_one_that_ends_too_soon_is_refused_and_nothing_is_left(vectors, store):
    X = vectors
    store.mkdir(parents=True)
    archive = store / "x.bin"
    archive.write_bytes(word2vec(X)[:600])
    with pytest.raises(DataError, match="ends or is damaged at vector 17 of 50"):
        unpack(PUBLISHED["word2vec-googlenews"], archive, store, silent)
    assert list(store.iterdir()) == [archive]


def test_a_header_of_another_layout_is_refused():
    for head in (b"hello\n", b"10 0\n", b"10 999999999\n"):
        with pytest.raises(DataError):
            copy_vectors(io.BytesIO(head + b"x" * 99), io.BytesIO(), 5, silent)


@pytest.mark.parametrize("chunk", [1 << 20, 3])
def test_the_first_words_of_a_list_are_unpacked(chunk, store, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", chunk)
    monkeypatch.setattr(module, "FIRST_WORDS", 3)
    store.mkdir(parents=True)
    entry = PUBLISHED["stanford-glove-50d"]
    archive = store / "glove.6B.zip"
    archive.write_bytes(zipped({entry.files[0]: "a 1\nb 2\nc 3\nd 4\n", "other.txt": "x"}))
    unpack(entry, archive, store, silent)
    assert (store / entry.reads[0]).read_text() == "a 1\nb 2\nc 3\n"


def test_a_damaged_archive_is_said(store):
    store.mkdir(parents=True)
    entry, archive = PUBLISHED["lastfm"], store / "a.zip"
    for content in (b"PK nothing", zipped({"other.txt": "x"})):
        archive.write_bytes(content)
        with pytest.raises(DataError, match=r"a\.zip is damaged or holds something else"):
            unpack(entry, archive, store, silent)
        assert list(store.iterdir()) == [archive]
