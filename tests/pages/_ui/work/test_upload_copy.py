"""Copies of uploads: as long as they may be read, and no longer."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from mips_core import DataError
from pages._ui.work import data_files, upload_copy
from pages._ui.work.upload_copy import Copy
from tests.pages.data_page import Sent

FULL = Path("/dev/full")


def test_copies_nobody_looks_at_go_after_a_time(temporary, monkeypatch):
    (copy,) = data_files.store([Sent("a.npy", b"1")])
    upload_copy.sweep()
    assert copy.here
    monkeypatch.setattr(upload_copy, "COPY_SECONDS", 0)
    upload_copy.sweep()
    assert not copy.here
    assert list(temporary.iterdir()) == []
    with pytest.raises(DataError, match="is gone: it was used"):
        copy.path()


def test_copies_together_take_no_more_than_the_limit(temporary, monkeypatch):
    monkeypatch.setattr(upload_copy, "MAX_COPIED_BYTES", 25)
    first, second = data_files.store([Sent("a", b"1" * 10), Sent("b", b"2" * 10)])
    assert first.here
    (third,) = data_files.store([Sent("c", b"3" * 10)])
    assert [copy.remove.alive for copy in (first, second, third)] == [True, False, True]


def test_the_end_of_the_app_removes_all_copies(temporary):
    copies = data_files.store([Sent("a.npy", b"1"), Sent("a.npy", b"2")])
    assert len(list(temporary.glob("*/a.npy"))) == 2
    upload_copy.remove_all()
    assert list(temporary.iterdir()) == []
    assert not any(copy.here for copy in copies)


def test_what_a_killed_process_left_is_removed(temporary, monkeypatch):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = ("old", f"{ended.pid}-old", f"{os.getppid()}-in_use", "young")
    olds = [temporary / f"{upload_copy.PREFIX}{name}" for name in names]
    for folder in olds:
        folder.mkdir()
        (folder / "a.npy").touch()
    for folder in olds[:3]:
        os.utime(folder, (0, 0))
    monkeypatch.setattr(upload_copy, "_SWEEPER", [])
    monkeypatch.setattr(upload_copy, "Thread", lambda **_: Mock())
    kept = data_files.store([Sent("b.npy", b"1")])
    assert sorted(path.name for path in temporary.glob("*/*")) == ["a.npy", "a.npy", "b.npy"]
    assert [folder.exists() for folder in olds] == [False, False, True, True]
    data_files.remove(kept)


def test_a_copy_is_filled_as_it_comes_and_stays_until_it_is(temporary, monkeypatch):
    copy = Copy("../a/words.npy")
    copy.write(b"12")
    monkeypatch.setattr(upload_copy, "COPY_SECONDS", 0)
    upload_copy.sweep()
    copy.write(b"345")
    copy.close()
    assert (copy.name, copy.size, copy.path().read_bytes()) == ("words.npy", 5, b"12345")
    assert copy.path().parent.parent == temporary
    assert copy.path().parent.stat().st_mode & 0o077 == 0
    upload_copy.sweep()
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(not FULL.exists(), reason="a disk that is full, of Linux")
@pytest.mark.parametrize("size", [10, 2**20])  # noticed at the end, and at once
def test_nothing_is_left_where_the_disk_is_full(temporary, size):
    copy = Copy("a.npy")
    copy._files.pop().close()
    with FULL.open("wb") as full:
        copy._files.append(full)

        def fill():
            copy.write(b"1" * size)
            copy.close()

        with pytest.raises(OSError, match="No space left"):
            fill()
    assert not copy.here
    assert list(temporary.iterdir()) == []
