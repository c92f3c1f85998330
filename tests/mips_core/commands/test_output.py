"""Where a command writes its report: told before any work, and nothing is touched by asking."""

import os
from errno import ENOSPC

import pytest

from mips_core import DataError
from mips_core.commands.output import check_writable, write_report


def test_asking_leaves_no_file_and_changes_none(tmp_path):
    new, old = tmp_path / "new.json", tmp_path / "old.json"
    old.write_text("kept")
    for path in (new, old, None):
        check_writable(path)
    assert not new.exists()
    assert old.read_text() == "kept"


def test_a_report_is_written_over_what_was_there(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("something longer than the report")
    write_report(path, {"σ": 1})
    assert path.read_text(encoding="utf-8") == '{\n "σ": 1\n}\n'


def test_a_report_that_cannot_be_finished_leaves_the_old_one(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    path = tmp_path / "out.json"
    path.write_text("old")
    monkeypatch.setattr("mips_core.base.atomic_write.os.fsync", full)
    with pytest.raises(DataError, match=r"out.json cannot be written: No space left on device\."):
        write_report(path, {})
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["out.json"]


@pytest.mark.parametrize("place", ["no/such/out.json", "file/out.json", "."])
def test_what_cannot_be_written_is_told(tmp_path, place):
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"cannot be written: .*\. Name a file"):
        check_writable(tmp_path / place)
