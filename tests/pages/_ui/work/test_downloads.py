"""A file that a visitor has made to download is there until their browser has it."""

import asyncio

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileKind, MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages._ui.work import downloads

CHANGED = [
    (MemoryMediaFileStorage, "load_and_get_id"),
    (MemoryMediaFileStorage, "delete_file"),
    (MediaFileManager, downloads.UNUSED),
    (MediaFileManager, downloads.DROP),
]


class Clock:
    """Makes calls when their time has come."""

    def __init__(self):
        self.now, self.calls = 0.0, []

    def wait(self, seconds, call):
        self.calls.append((self.now + seconds, call))

    def pass_by(self, seconds):
        self.now += seconds
        due = [call for when, call in self.calls if when <= self.now]
        self.calls = [(when, call) for when, call in self.calls if when > self.now]
        for call in due:
            call()


@pytest.fixture
def clock(monkeypatch):
    for kind, name in CHANGED:
        monkeypatch.setattr(kind, name, getattr(kind, name))  # given back
    clock = Clock()
    downloads.keep(clock.wait)
    downloads.keep(clock.wait)  # once is enough
    return clock


@pytest.fixture
def files(monkeypatch):
    monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: "a visitor")
    return MediaFileManager(MemoryMediaFileStorage("/media"))


def button(files, make=lambda: b"a file", at="0.1"):
    """Draw one; what its press sends."""
    return files.add_deferred(make, "text/plain", at, "a.txt", element_id=f"button {at}")


def pressed(files, sent):
    """The file that the browser is told of."""
    return files.execute_deferred(sent).rpartition("/")[2]


def ends_of_runs(files, count=2):
    """Runs of pages of other visitors end."""
    for _ in range(count):
        files.remove_orphaned_files()


def test_a_file_outlasts_the_runs_of_others_and_goes_in_time(clock, files):
    file = pressed(files, button(files))
    ends_of_runs(files)
    assert files.read_file(file).content == b"a file"
    clock.pass_by(downloads.FETCHED - 1)
    assert files.read_file(file) is not None
    clock.pass_by(1)
    assert files.read_file(file) is None
    ends_of_runs(files)


def test_a_file_that_is_made_again_stays_as_long_again(clock, files):
    sent = button(files)
    file = pressed(files, sent)
    ends_of_runs(files)
    clock.pass_by(downloads.FETCHED - 1)
    assert pressed(files, sent) == file
    clock.pass_by(1)  # the first one would go now
    assert files.read_file(file) is not None
    ends_of_runs(files)
    clock.pass_by(downloads.FETCHED)
    assert files.read_file(file) is None


def test_pictures_of_a_page_go_at_once(clock, files):
    name = files.add(b"a picture", "image/png", "0.2").rpartition("/")[2]
    assert files.read_file(name).kind is MediaFileKind.MEDIA
    files.clear_session_refs()
    ends_of_runs(files, 1)
    assert files.read_file(name) is None
    assert clock.calls == []


def test_a_press_of_a_button_that_is_drawn_anew_meanwhile_is_heard(clock, files):
    first = button(files)
    files.clear_session_refs()  # a run of the whole page begins
    ends_of_runs(files)
    assert pressed(files, first)
    second = button(files)
    for sent in (first, second):
        assert pressed(files, sent)
    clock.pass_by(downloads.HEARD)
    with pytest.raises(MediaFileStorageError, match="not found"):
        pressed(files, first)
    assert pressed(files, second)


def test_what_can_be_had_no_more_is_not_made(clock, files):
    sent = button(files)
    files.remove_deferred("0.1", element_id="button 0.1")  # it is drawn, and cannot be pressed
    with pytest.raises(MediaFileStorageError, match="not found"):
        pressed(files, sent)
    ends_of_runs(files)
    clock.pass_by(downloads.HEARD)


def test_who_comes_in_between_is_waited_for(clock, files):
    sent = button(files)
    files.clear_session_refs()
    ends_of_runs(files)
    with getattr(files, downloads.LOCK):
        clock.pass_by(downloads.HEARD)
    assert pressed(files, sent)
    clock.pass_by(1)
    with pytest.raises(MediaFileStorageError, match="not found"):
        pressed(files, sent)


def test_the_loop_of_the_server_waits(files, monkeypatch):
    for kind, name in CHANGED:
        monkeypatch.setattr(kind, name, getattr(kind, name))
    monkeypatch.setattr(downloads, "FETCHED", 0.01)

    async def main():
        downloads.keep()
        file = pressed(files, button(files))
        await asyncio.to_thread(ends_of_runs, files)
        assert files.read_file(file) is not None
        while files.read_file(file) is not None:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(main(), 10))
    ends_of_runs(files)  # the server ends


def test_nothing_of_it_is_called_otherwise_by_streamlit(files):
    assert all(hasattr(kind, name) for kind, name in CHANGED)
    assert hasattr(files, downloads.LOCK)
