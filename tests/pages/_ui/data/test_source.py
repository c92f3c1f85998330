"""Where data come from: uploads, and the data folder."""

import gc

import numpy as np
import pytest
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from mips_core.data import folder
from pages._ui.work import upload_copy
from pages._ui.work.upload_copy import Copy
from tests.pages.data_page import (
    button,
    leave_and_come_back,
    npy,
    numbers,
    press,
    read_on,
    session_of,
    understood,
    upload,
)


def test_an_upload_replaces_the_one_before_or_joins_it(at):
    upload(at, "mine.npy", npy(numbers(3)))
    at.toggle(key="data adding").set_value(True).run()
    upload(at, "labels.txt", b"one\ntwo\nthree\n")
    assert at.dataframe[0].value["label"].tolist() == ["one", "two", "three"]
    upload(at, "labels.txt", b"a\nb\nc\n")  # the later of one name counts
    assert at.dataframe[0].value["label"].tolist() == ["a", "b", "c"]
    upload(at, "queries.npy", npy(numbers(4, 7)))
    assert "7 dimensions" in at.error[0].value
    at.toggle(key="data adding").set_value(False).run()
    upload(at, "other.npy", npy(numbers(5)))
    assert understood(at)["Items"] == "5"
    assert [file.name for file in session_of(at).draft.files] == ["other.npy"]


def test_one_of_several_files_is_taken_away(at):
    upload(at, batch={"mine.npy": npy(numbers(3)), "queries.npy": npy(numbers(4, 7))})
    assert "7 dimensions" in at.error[0].value
    at.button(key="data remove 1 1").click().run()
    read_on(at)
    assert understood(at)["Items"] == "3"


def test_uploads_do_not_stay_in_memory(at):
    """Streamlit would keep all of them for as long as the visitor stays."""
    earlier = set(upload_copy._COPIES)  # of other tests, not yet collected
    files = [npy(numbers(30, seed=seed)) for seed in range(20)]
    for content in files:
        upload(at, "mine.npy", content)
    held = [f for f in gc.get_objects() if isinstance(f, UploadedFileRec) and f.data in files]
    assert len(held) <= 1
    assert sum(copy.remove.alive for copy in set(upload_copy._COPIES) - earlier) == 1


def test_a_full_disk_is_said(at, monkeypatch, temporary):
    def full(copy, content):
        with copy._or_nothing():
            raise OSError(28, "No space left on device")

    upload(at, "first.npy", npy(numbers(20)))
    with monkeypatch.context() as patch:
        patch.setattr(Copy, "write", full)
        upload(at, "mine.npy", npy(numbers(30)))
    said = at.error[0].value.replace("\\", "")
    assert f"The disk is full: no room is left for {temporary}." in said
    assert [path.name for path in temporary.glob("*/*")] == ["first.npy"]  # nothing is lost
    assert understood(at)["Items"] == "20"
    assert session_of(at).source.name == "small"
    upload(at, "mine.npy", npy(numbers(30)))
    assert not at.error
    assert understood(at)["Items"] == "30"


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    root = tmp_path / "given"
    (root / "inner").mkdir(parents=True)
    np.save(root / "mine.npy", numbers(30))
    np.save(root / "inner" / "queries.npy", numbers(4, seed=2))
    (root / ".secret.npy").write_bytes(npy(numbers(3)))
    monkeypatch.setenv(folder.VARIABLE, str(root))
    return root


class TestFolder:
    def choose(self, at, *names):
        at.multiselect(key="data folder files").set_value(list(names)).run()
        press(at, "Read")
        return read_on(at)

    def test_it_is_offered_only_where_one_was_named(self, data_folder, at, monkeypatch):
        assert at.segmented_control(key="data origin").options == [
            "Shipped",
            "Published",
            "Upload",
            "Folder",
            "Earlier",
        ]
        monkeypatch.delenv(folder.VARIABLE)
        at.run()
        assert at.segmented_control(key="data origin").options == [
            "Shipped",
            "Published",
            "Upload",
            "Earlier",
        ]

    def test_files_are_read_where_they_lie(self, data_folder, at, temporary):
        at.segmented_control(key="data origin").set_value("Folder").run()
        assert [o.split(" · ")[0] for o in at.multiselect(key="data folder files").options] == [
            "mine.npy", "inner/queries.npy"
        ]  # fmt: skip
        assert button(at, "Read").disabled
        self.choose(at, "mine.npy", "inner/queries.npy")
        assert understood(at)["Queries found"] == "4"
        assert not list(temporary.glob("mips-upload-*"))
        press(at, "Use this data")
        assert session_of(at).source.n == 30
        assert (data_folder / "mine.npy").exists()
        leave_and_come_back(at)
        assert at.multiselect(key="data folder files").value == ["mine.npy", "inner/queries.npy"]

    def test_other_content_under_the_same_name_is_read_anew(self, data_folder, at):
        at.segmented_control(key="data origin").set_value("Folder").run()
        self.choose(at, "mine.npy")
        assert understood(at)["Items"] == "30"
        np.save(data_folder / "mine.npy", numbers(31))
        press(at, "Read")
        read_on(at)
        assert understood(at)["Items"] == "31"

    def test_what_became_a_link_is_refused(self, data_folder, at, tmp_path):
        np.save(tmp_path / "outside.npy", numbers(5))
        at.segmented_control(key="data origin").set_value("Folder").run()
        at.multiselect(key="data folder files").set_value(["mine.npy"]).run()
        (data_folder / "mine.npy").unlink()
        (data_folder / "mine.npy").symlink_to(tmp_path / "outside.npy")
        press(at, "Read")
        assert "or no longer" in at.error[0].value
        assert len(at.table) == 0

    def test_a_folder_that_went_away_is_said(self, data_folder, at):
        at.segmented_control(key="data origin").set_value("Folder").run()
        data_folder.rename(data_folder.with_name("gone"))
        at.run()
        assert "does not exist" in at.error[0].value
