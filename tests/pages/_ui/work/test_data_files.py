"""Copies of uploads: as long as they may be read, and no longer."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from streamlit.runtime.uploaded_file_manager import DeletedFile

from mips_core import DataError
from pages._ui.data.draft import Draft
from pages._ui.work import data_files
from tests.pages.data_page import (
    Sent,
    npy,
    numbers,
    press,
    texts,
    understood,
    upload,
)


def test_copies_stay_while_they_may_be_read_again_and_no_longer(at, temporary):
    upload(at, "mine.npy", npy(numbers(30)))
    assert [path.name for path in temporary.glob("*/*")] == ["mine.npy"]
    upload(at, "bad.npy", b"nothing")
    assert [path.name for path in temporary.glob("*/*")] == ["bad.npy"]
    press(at, "Keep small")
    assert list(temporary.iterdir()) == []
    upload(at, "mine.npy", npy(numbers(30)))
    press(at, "Use this data")
    assert list(temporary.iterdir()) == []
    assert understood(at)["Items"] == "30"
    assert "upload them again" in texts(at)


def test_copies_go_when_nothing_refers_to_them(temporary):
    draft = Draft("Upload", "", files=data_files.store([Sent("a.npy", b"1")]))
    assert len(list(temporary.glob("*/a.npy"))) == 1
    del draft
    assert list(temporary.iterdir()) == []


def test_copies_nobody_looks_at_go_after_a_time(temporary, monkeypatch):
    (copy,) = data_files.store([Sent("a.npy", b"1")])
    data_files.sweep()
    assert copy.here
    monkeypatch.setattr(data_files, "COPY_SECONDS", 0)
    data_files.sweep()
    assert not copy.here
    assert list(temporary.iterdir()) == []
    with pytest.raises(DataError, match="is gone: it was used"):
        copy.path()


def test_what_cannot_be_kept_or_was_lost_is_said_with_what_to_do(temporary, monkeypatch):
    with pytest.raises(DataError, match="no longer has what you uploaded"):
        data_files.store([Sent("one.npy", b"1"), DeletedFile("7")])
    assert list(temporary.iterdir()) == []
    for number, words in ((errno.ENOSPC, "The disk is full"), (errno.EIO, "could not be stored")):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", Mock(side_effect=OSError(number, "no")))
            with pytest.raises(DataError, match=words):
                data_files.store([Sent("one.npy", b"1")])
        assert list(temporary.iterdir()) == []


def test_copies_together_take_no_more_than_the_limit(temporary, monkeypatch):
    monkeypatch.setattr(data_files, "MAX_COPIED_BYTES", 25)
    first, second = data_files.store([Sent("a", b"1" * 10), Sent("b", b"2" * 10)])
    assert first.here
    (third,) = data_files.store([Sent("c", b"3" * 10)])
    assert [copy.remove.alive for copy in (first, second, third)] == [True, False, True]


def test_the_end_of_the_app_removes_all_copies(temporary):
    copies = data_files.store([Sent("a.npy", b"1"), Sent("a.npy", b"2")])
    assert len(list(temporary.glob("*/a.npy"))) == 2
    data_files.remove_all()
    assert list(temporary.iterdir()) == []
    assert not any(copy.here for copy in copies)


def test_what_a_killed_process_left_is_removed(temporary, monkeypatch):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = ("old", f"{ended.pid}-old", f"{os.getppid()}-in_use", "young")
    olds = [temporary / f"{data_files.PREFIX}{name}" for name in names]
    for folder in olds:
        folder.mkdir()
        (folder / "a.npy").touch()
    for folder in olds[:3]:
        os.utime(folder, (0, 0))
    monkeypatch.setattr(data_files, "_SWEEPER", [])
    monkeypatch.setattr(data_files, "Thread", lambda **_: Mock())
    kept = data_files.store([Sent("b.npy", b"1")])
    assert sorted(path.name for path in temporary.glob("*/*")) == ["a.npy", "a.npy", "b.npy"]
    assert [folder.exists() for folder in olds] == [False, False, True, True]
    data_files.remove(kept)
