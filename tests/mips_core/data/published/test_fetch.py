"""A set is there, comes, or is placed by hand."""

import pytest

from mips_core import open_files
from mips_core.base.errors import DataError
from mips_core.data.published import fetch as module
from mips_core.data.published.entries import MIRROR, PUBLISHED
from mips_core.data.published.fetch import fetch, files_of, placed
from tests.mips_core.data.published.server import FILMS, USERS


def test_a_set_comes_once_and_is_read_with_titles(entry, way):
    assert files_of(entry) is None
    assert way.asked == []
    paths = fetch(entry)
    assert fetch(entry) == files_of(entry) == paths
    assert way.asked == ["/ml-100k.zip"]
    opened = open_files(paths, kind="ratings", rank=3)
    assert (opened.ratings.n_users, opened.ratings.n_items) == (USERS, FILMS)
    assert "Film 1 (1995)" in opened.dataset.labels


def test_an_archive_placed_by_hand_asks_nobody(entry, way, store):
    store.mkdir(parents=True)
    (store / "ml-100k.zip").write_bytes(way.content)
    assert placed(entry) == entry.archive
    fetch(entry)
    assert way.asked == []


def test_a_wrong_one_placed_by_hand_is_put_aside_and_not_read(entry, way, store):
    store.mkdir(parents=True)
    (store / "ml-100k.zip").write_bytes(way.content + b"!")
    with pytest.raises(DataError, match="put aside"):
        fetch(entry)
    assert way.asked == []
    assert files_of(entry) is None


def test_offline_says_how_to_place_it_by_hand(entry, store, monkeypatch):
    monkeypatch.setenv(MIRROR, "http://127.0.0.1:9")
    with pytest.raises(DataError, match=r"By hand: Put ml-100k\.zip into .*published"):
        fetch(entry)


@pytest.mark.parametrize("key", ["netflix", "word2vec-googlenews"])
def test_what_is_only_placed_by_hand_says_so(key, store):
    with pytest.raises(
        DataError, match=r"not fetched from anywhere\. Put .* into .*Where to get it: https"
    ):
        fetch(PUBLISHED[key])


def test_a_disk_without_room_is_said_before_anything_is_asked(entry, way, monkeypatch):
    monkeypatch.setattr(module, "disk_usage", lambda path: type("Usage", (), {"free": 9}))
    with pytest.raises(DataError, match="9 bytes are free"):
        fetch(entry)
    assert way.asked == []


def test_two_do_not_fetch_the_same_at_once(entry, store):
    pytest.importorskip("fcntl")
    with module._alone(store / "ml-100k.zip"), pytest.raises(DataError, match="already"):
        fetch(entry)


def test_a_folder_that_cannot_be_made_is_said(entry, store):
    store.parent.write_text("a file")
    with pytest.raises(DataError, match="cannot be written"):
        fetch(entry)
