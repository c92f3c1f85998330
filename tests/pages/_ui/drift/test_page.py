"""Changes as the page places them: what waits, what cannot be."""

import numpy as np

from mips_core import DataError
from mips_core.data import folder
from pages._ui.drift import work
from pages._ui.work import data_files
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.data_page import npy
from tests.pages.drift_page import infos, measured, opened, table, words


def test_a_measurement_that_waits_is_taken_back_and_it_is_said(app):
    at = opened(app)
    session = session_of(at)
    work.change(session, started=("drift", "of another seed"))
    assert "What waited to be measured was of other choices" in infos(at.run())


def test_a_method_without_centroids_is_told_so(app):
    at = opened(app, index="pca-tree")
    assert "PCA\\-tree cannot be updated" in words(at)
    assert "These can be updated\\: Flat k\\-means" in words(at)
    assert "drift measure" not in [button.key for button in at.button]


def test_a_new_version_is_uploaded_and_kept_up_with(app, temporary):
    at = opened(app, drift="change=version")
    assert at.button(key="drift measure").disabled
    assert "Give the data as they are now" in texts(at)
    later = np.concatenate([small_dataset().items[:390] * 1.2, np.ones((5, 6))])
    at.file_uploader[0].set_value([("<b>late</b>.npy", npy(later), "")]).run()
    assert "<b>" not in texts(at)
    measured(at)
    assert "Matched by row number, 395 items moved, 0 are new, 5 left" in texts(at)
    assert "longer than any was" in at.caption[-1].value  # a footnote
    assert not at.warning
    assert list(table(at)["way"]) == ["Frozen clusters", "Refreshed", "Rebuilt"]


def test_a_new_version_comes_from_the_data_folder_too(app, tmp_path, monkeypatch):
    np.save(tmp_path / "later.npy", small_dataset().items * 2)
    monkeypatch.setenv(folder.VARIABLE, str(tmp_path))
    at = opened(app, drift="change=version")
    origin = next(c for c in at.segmented_control if c.label == "The data as they are now")
    assert origin.options == ["Upload", "Folder", "Shipped"]
    origin.set_value("Folder").run()
    at.multiselect(key="drift folder files").set_value(["later.npy"]).run()
    next(button for button in at.button if button.label == "Read this file").click().run()
    measured(at)
    assert "Matched by row number, 400 items moved" in texts(at)
    assert (tmp_path / "later.npy").exists()


def test_a_shipped_set_may_be_the_new_version_and_another_origin_starts_anew(app):
    at = opened(app, drift="change=version")
    origin = next(c for c in at.segmented_control if c.label == "The data as they are now")
    assert origin.options == ["Upload", "Shipped"]  # no folder was named
    origin.set_value("Shipped").run()
    assert at.button(key="drift measure").disabled
    at.selectbox(key="drift shipped").select_index(0).run()
    measured(at)
    assert "Nothing changed: all items are as they were" in texts(at)
    origin = next(c for c in at.segmented_control if c.label == "The data as they are now")
    origin.set_value("Upload").run()
    assert at.button(key="drift measure").disabled


def test_before_anything_is_measured_a_box_says_what_comes(app):
    at = opened(app)
    assert "See how long this index stays good" in texts(at)
    measured(at)
    assert "See how long this index stays good" not in texts(at)


def test_an_upload_that_cannot_be_kept_says_why(app, temporary, monkeypatch):
    def full(uploads):
        raise DataError("The disk is full.", "Make room.")

    at = opened(app, drift="change=version")
    with monkeypatch.context() as patch:
        patch.setattr(data_files, "store", full)
        at.file_uploader[0].set_value([("later.npy", npy(np.ones((9, 6))), "")]).run()
    assert at.error[0].value.replace("\\", "") == "**The disk is full.** Make room."
    at.file_uploader[0].set_value([("later.npy", npy(np.ones((9, 6))), "")]).run()
    assert not at.error
    assert not at.button(key="drift measure").disabled


def test_labels_of_files_are_text(app, use, temporary):
    use(small_dataset(name="<b>*bad*</b>"))
    at = opened(app, drift="change=version")
    at.file_uploader[0].set_value([("x.npy", npy(np.ones((9, 2))), "")]).run()
    measured(at)
    assert "\\<b\\>\\*bad\\*" in at.error[0].value
