"""Uploads on disk while a draft needs them, and what is said where they cannot be kept."""

import errno

import pytest
from streamlit.runtime.uploaded_file_manager import DeletedFile

from mips_core import DataError
from pages._ui.data.draft import Draft
from pages._ui.work import data_files
from pages._ui.work.upload_copy import Copy
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


def failing(number):
    """A write that ends with this error of the system."""

    def write(copy, content):
        with copy._or_nothing():
            raise OSError(number, "no")

    return write


def test_what_cannot_be_kept_or_was_lost_is_said_with_what_to_do(temporary, monkeypatch):
    with pytest.raises(DataError, match="no longer has what you uploaded"):
        data_files.store([Sent("one.npy", b"1"), DeletedFile("7")])
    assert list(temporary.iterdir()) == []
    for number, words in ((errno.ENOSPC, "The disk is full"), (errno.EIO, "could not be stored")):
        with monkeypatch.context() as patch:
            patch.setattr(Copy, "write", failing(number))
            with pytest.raises(DataError, match=words):
                data_files.store([Sent("one.npy", b"1")])
        assert list(temporary.iterdir()) == []
