"""The cache folder: whose it is, what is in it, and what goes where it holds too much."""

import os
from pathlib import Path

from mips_core.base import cache_folder as caches
from mips_core.base.atomic_write import replacing
from mips_core.base.cache_folder import cache_folder, cached_files, can_write, make_room


def test_the_folder_is_the_one_named_or_the_users(monkeypatch):
    monkeypatch.setenv(caches.VARIABLE, "/some/where")
    assert cache_folder() == Path("/some/where")
    monkeypatch.setenv(caches.VARIABLE, "")
    assert cache_folder().name == "mips-explorer"


def test_a_folder_is_made_to_be_written_and_cannot_be_in_the_place_of_a_file(tmp_path):
    assert can_write(tmp_path / "not" / "yet")
    assert list((tmp_path / "not" / "yet").iterdir()) == []
    (tmp_path / "file").touch()
    assert not can_write(tmp_path / "file" / "not")


def test_whole_files_are_listed_and_what_was_left_half_goes(tmp_path):
    (tmp_path / "whole").write_bytes(b"1234")
    (tmp_path / "folder").mkdir()
    left = tmp_path / ".left.0.unfinished"
    left.write_bytes(b"12")
    with replacing(tmp_path / "being written") as new:
        new.write(b"1")
        [file] = cached_files(tmp_path)
        assert Path(new.name).exists()
    assert (file.path.name, file.size) == ("whole", 4)
    assert not left.exists()
    assert cached_files(tmp_path / "not there") == []


def test_what_was_used_longest_ago_goes_first(tmp_path):
    for age, name in enumerate("abcd"):
        (tmp_path / name).write_bytes(b"1234")
        os.utime(tmp_path / name, (1e9 - age, 1e9 - age))
    make_room(sorted(cached_files(tmp_path), reverse=True), 9)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
