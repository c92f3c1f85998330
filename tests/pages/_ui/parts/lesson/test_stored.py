"""Numbers kept in files: what is written is what is read; a missing file says what to do."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from pages._ui.parts.lesson import stored
from pages._ui.parts.lesson.course import lessons
from tests.pages.wire_reader import unpack


def test_what_is_stored_comes_back(monkeypatch, tmp_path):
    monkeypatch.setattr(stored, "FOLDER", tmp_path / "lessons")
    path = stored.store("some", {"a": np.arange(6, dtype=np.int32), "facts": {"n": 3}})
    assert path.name == "some.bin"
    made = unpack(stored.packed("some"))
    assert np.array_equal(made["a"], np.arange(6))
    assert made["facts"] == {"n": 3}


def test_a_missing_file_says_how_it_is_made(monkeypatch, tmp_path):
    monkeypatch.setattr(stored, "FOLDER", tmp_path)
    with pytest.raises(DataError, match=r"lesson\.stored gone"):
        stored.packed("gone")


def test_files_are_those_of_lessons_that_store_theirs():
    names = {path.stem for path in stored.FOLDER.glob("*")}
    assert names == {name for name, lesson in lessons().items() if lesson.stored}
