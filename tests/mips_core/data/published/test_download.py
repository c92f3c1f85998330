"""A download that is good, cut, wrong, slow, or goes on where it stopped."""

import errno
from pathlib import Path

import pytest

from mips_core.base.errors import Cancelled, DataError
from mips_core.base.progress import silent
from mips_core.data.published.download import ASIDE, PART, download
from mips_core.data.published.entries import MIRROR


def files(store):
    return sorted(path.name for path in store.iterdir())


@pytest.fixture
def get(entry, store):
    """Download into the store."""
    return lambda progress=silent: download(entry.archive, store / entry.archive.name, progress)


def test_a_good_one_comes_whole_with_progress_and_nothing_else_is_left(get, way, store):
    said = []
    get(lambda fraction, message, partial=None: said.append(fraction))
    assert (store / "ml-100k.zip").read_bytes() == way.content
    assert files(store) == ["ml-100k.zip"]
    assert said == sorted(said)
    assert said[-1] > 0.9


def test_one_that_stops_half_way_goes_on_from_there(get, way, store):
    way.stops_after = 40_000
    with pytest.raises(DataError, match=r"stopped after 32 kB.*goes on from there"):
        get()
    assert files(store) == ["ml-100k.zip" + PART]
    way.stops_after = None
    get()
    assert way.ranges == [None, "bytes=32768-"]
    assert (store / "ml-100k.zip").read_bytes() == way.content


def test_a_server_that_cannot_go_on_gives_all_anew(get, way, store):
    store.mkdir(parents=True)
    (store / ("ml-100k.zip" + PART)).write_bytes(b"old" * 1000)
    way.resumes = False
    get()
    assert (store / "ml-100k.zip").read_bytes() == way.content


def test_what_came_whole_and_was_not_checked_is_checked_alone(get, way, store):
    store.mkdir(parents=True)
    (store / ("ml-100k.zip" + PART)).write_bytes(way.content)
    get()
    assert files(store) == ["ml-100k.zip"]


def test_a_wrong_checksum_is_said_and_the_file_is_kept_aside(get, way, store):
    way.content = way.content[:-1] + b"!"
    with pytest.raises(DataError, match=r"not the published file.*put aside as ml-100k\.zip"):
        get()
    assert files(store) == ["ml-100k.zip" + ASIDE]
    assert (store / ("ml-100k.zip" + ASIDE)).read_bytes() == way.content


def test_one_that_is_far_too_long_is_left(get, way, store):
    way.content *= 3
    with pytest.raises(DataError, match="sends more than"):
        get()
    assert files(store) == []


def test_a_slow_one_is_cancelled_and_what_came_is_kept(get, way, store):
    way.waits_after = 48 * 1024

    def cancel(fraction, message, partial=None):
        if fraction > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        get(cancel)
    assert files(store) == ["ml-100k.zip" + PART]
    way.waits_after = None
    get()
    assert files(store) == ["ml-100k.zip"]


def test_a_missing_archive_is_said(get, way, store):
    way.status = 404
    with pytest.raises(DataError, match=r"has no ml-100k\.zip: it answers 404"):
        get()
    assert files(store) == []


def test_offline_is_said(get, monkeypatch):
    monkeypatch.setenv(MIRROR, "http://127.0.0.1:9")
    with pytest.raises(
        DataError, match=r"127\.0\.0\.1 was not reached\. Is this machine online\? Try"
    ):
        get()


def test_a_full_disk_is_said(get, monkeypatch):
    opened = Path.open

    def full(path, mode="r", *args, **kwargs):
        if "w" in mode and path.name.endswith(PART):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return opened(path, mode, *args, **kwargs)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(DataError, match="disk is full"):
        get()
