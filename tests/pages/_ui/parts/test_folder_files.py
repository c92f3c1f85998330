"""Files of the data folder: chosen by name, and told why they cannot be."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mips_core import DataError
from mips_core.data.folder import VARIABLE, Folder
from pages._ui.parts.folder_files import FolderFile


def script():
    import streamlit as st

    from pages._ui.parts import folder_files

    def take(files, problem):
        st.session_state["taken"] = [file.name for file in files], problem

    folder_files.choose("files", [], take)


@pytest.fixture
def root(tmp_path, monkeypatch):
    for name in ("one.npy", "two.npy"):
        np.save(tmp_path / name, np.ones((3, 2)))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_what_is_picked_is_taken_and_what_went_meanwhile_is_said(root):
    at = AppTest.from_function(script).run()
    at.multiselect(key="files").set_value(["one.npy", "two.npy"]).run()
    at.button[0].click().run()
    assert at.session_state["taken"] == (["one.npy", "two.npy"], "")
    at.multiselect(key="files").set_value(["two.npy"]).run()
    (root / "two.npy").unlink()
    at.button[0].click().run()
    files, problem = at.session_state["taken"]
    assert not files
    assert "two" in problem
    assert not at.exception


def test_names_that_cannot_be_shown_are_counted(root):
    assert "cannot be shown" not in AppTest.from_function(script).run().caption[0].value
    (root / "three\n.npy").write_bytes(b"")
    (root / "four\u202e.npy").write_bytes(b"")
    said = AppTest.from_function(script).run().caption[0].value
    assert said.startswith("2 files, ")
    assert "2 files and folders left out: the name cannot be shown." in said


def test_a_file_that_changes_has_another_key(root):
    before = FolderFile.of(Folder.of(root), "one.npy")
    assert FolderFile.of(Folder.of(root), "one.npy") == before
    np.save(root / "one.npy", np.ones((9, 2)))
    assert FolderFile.of(Folder.of(root), "one.npy").key != before.key
    with pytest.raises(DataError):
        FolderFile.of(Folder.of(root), "../one.npy")


def test_a_file_is_written_over_by_new_content_and_not_by_another_in_its_place(root):
    file = FolderFile.of(Folder.of(root), "one.npy")
    assert not file.written_over
    np.save(root / "new.npy", np.ones((9, 2)))
    with (root / "one.npy").open("ab") as same:
        same.write(b"more")
    assert file.written_over
    (root / "new.npy").replace(root / "one.npy")
    assert not file.written_over  # what was mapped is the old one still
    (root / "one.npy").unlink()
    assert not file.written_over
