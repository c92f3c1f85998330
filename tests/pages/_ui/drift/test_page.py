"""Changes as the page places them: what waits, what cannot be."""

from errno import ENOSPC
from os import strerror

import numpy as np

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
    assert "Upload the data as they are now" in texts(at)
    later = np.concatenate([small_dataset().items[:390] * 1.2, np.ones((5, 6))])
    at.file_uploader[0].set_value([("<b>late</b>.npy", npy(later), "")]).run()
    assert "<b>" not in texts(at)
    measured(at)
    assert "Matched by row number, 395 items moved, 0 are new, 5 left" in texts(at)
    assert "longer than any was" in at.caption[-1].value  # a footnote
    assert not at.warning
    assert list(table(at)["way"]) == ["Frozen clusters", "Refreshed", "Rebuilt"]


def test_an_upload_that_cannot_be_kept_says_why(app, temporary, monkeypatch):
    def full(uploads):
        raise OSError(ENOSPC, strerror(ENOSPC))

    at = opened(app, drift="change=version")
    with monkeypatch.context() as patch:
        patch.setattr(data_files, "store", full)
        at.file_uploader[0].set_value([("later.npy", npy(np.ones((9, 6))), "")]).run()
    assert "could not be stored: No space left on device." in at.error[0].value
    at.file_uploader[0].set_value([("later.npy", npy(np.ones((9, 6))), "")]).run()
    assert not at.error
    assert not at.button(key="drift measure").disabled


def test_labels_of_files_are_text(app, use, temporary):
    use(small_dataset(name="<b>*bad*</b>"))
    at = opened(app, drift="change=version")
    at.file_uploader[0].set_value([("x.npy", npy(np.ones((9, 2))), "")]).run()
    measured(at)
    assert "\\<b\\>\\*bad\\*" in at.error[0].value
