"""The Drift page, run headless: what changes, what is measured and advised, what is refused."""

import time
from errno import ENOSPC
from os import strerror

import numpy as np
import pytest

from mips_core import INDEXES, Setting
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.studies.drift import Recipe, advice, decay
from mips_core.studies.drift.advice import in_words
from pages._ui.drift import work
from pages._ui.work import data_files, jobs
from tests.pages.conftest import small_dataset
from tests.pages.data_page import npy
from tests.pages.test_pages import session_of, texts

PAGE = "drift.py"
FEW = {"queries": "rows 60 0.1 no", "k": "5"}


def opened(app, **address):
    """The page; Home, passed on the way, has measured its own."""
    at = app(PAGE, settle=False, **{**FEW, **address})
    assert jobs.wait(60)
    return at.run()


def measured(at):
    """Press the button, and look when it is done."""
    at.button(key="drift measure").click().run()
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    return at


def table(at):
    return at.dataframe[0].value


def infos(at):
    return " ".join(info.value for info in at.info)


def words(at):
    return " ".join([texts(at), *(warning.value for warning in at.warning)])


def test_the_page_has_the_numbers_and_the_words_of_the_library(app):
    at = measured(opened(app))
    data = with_queries(small_dataset(), QueryRecipe(count=60))
    index = INDEXES["flat-kmeans"]().explicit(data.n)
    found = decay(data, data, Setting(index, 0, 10), 5, Recipe())
    for said in in_words([advice(found.of_size(size)) for size in found.sizes]):
        assert said in texts(at)
    assert len(table(at)) == 3 * len(found.points) == 63
    expected = [point.precision("frozen") for point in found.points]
    shown = table(at)
    kept = shown[shown["way"] == "Frozen clusters"]["precision@5"]
    np.testing.assert_allclose(kept, expected)
    assert "Changes are simulated" in texts(at)
    assert "drift measure" not in [button.key for button in at.button]  # nothing is left to do
    assert [b.proto.label for b in at.get("download_button")] == ["CSV", "JSON"]


def test_other_points_may_be_lost_without_measuring_anew(app):
    at = measured(opened(app))
    at.number_input(key="drift tolerance 1.0").set_value(50.0).run()
    assert "No rebuild is needed for moves of 0.1, 0.3 and 1 rms" in texts(at)
    assert not jobs.of(session_of(at).owner)
    assert "tolerance=50" in "".join(at.query_params["drift"])


def test_new_items_are_those_held_out(app):
    at = measured(opened(app, drift="change=new"))
    assert "200 of your items were built on, the others held out" in texts(at)
    assert "of the items moved" not in texts(at)
    assert table(at)["share"].max() == 1


def test_the_effort_is_that_of_the_index_on_every_page(app):
    at = opened(app)
    at.number_input(key="drift effort flat-kmeans 10").set_value(3).run()
    assert session_of(at).effort == 3
    key = work.drift_of(session_of(at)).key
    assert [part.effort for part in key if isinstance(part, Setting)] == [3]


def test_a_new_version_is_uploaded_and_kept_up_with(app, temporary):
    at = opened(app, drift="change=version")
    assert at.button(key="drift measure").disabled
    assert "Upload the data as they are now" in texts(at)
    later = np.concatenate([small_dataset().items[:390] * 1.2, np.ones((5, 6))])
    at.file_uploader[0].set_value([("<b>late</b>.npy", npy(later), "")]).run()
    assert "<b>" not in texts(at)
    measured(at)
    assert "Matched by row number, 395 items moved, 0 are new, 5 left" in texts(at)
    assert "longer than any was" in words(at)
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


def test_a_measurement_that_waits_is_taken_back_and_it_is_said(app):
    at = opened(app)
    chosen = session_of(at)
    work.change(chosen, started=("drift", "of another seed"))
    assert "What waited to be measured was of other choices" in infos(at.run())


def test_a_version_that_does_not_fit_is_refused_in_words(app, temporary):
    at = opened(app, drift="change=version")
    at.file_uploader[0].set_value([("other.npy", npy(np.ones((9, 2))), "")]).run()
    measured(at)
    assert "has 2 dimensions, small 6" in at.error[0].value
    assert not at.dataframe


def test_labels_of_files_are_text(app, use, temporary):
    use(small_dataset(name="<b>*bad*</b>"))
    at = opened(app, drift="change=version")
    at.file_uploader[0].set_value([("x.npy", npy(np.ones((9, 2))), "")]).run()
    measured(at)
    assert "\\<b\\>\\*bad\\*" in at.error[0].value


def test_a_method_without_centroids_is_told_so(app):
    at = opened(app, index="pca-tree")
    assert "PCA\\-tree cannot be updated" in words(at)
    assert "These can be updated\\: Flat k\\-means" in words(at)
    assert "drift measure" not in [button.key for button in at.button]


@pytest.mark.parametrize("change", ["moved", "new"])
def test_one_item_is_measured_or_refused_in_words(app, use, change):
    use(small_dataset(n=1))
    at = measured(opened(app, drift=f"change={change}"))
    if change == "new":
        assert "none can be held out" in at.error[0].value
    else:
        assert table(at)["precision@1"].min() == 1


def test_simulated_data_is_labelled(app, use):
    use(small_dataset(simulated=True))
    assert "Simulated ratings" in texts(opened(app))


def test_it_can_be_cancelled_keeps_what_is_known_and_started_anew(app, monkeypatch):
    at = opened(app)
    whole = work.decay

    def slow(*asked):
        *given, progress = asked

        def report(fraction, message, partial=None):
            progress(fraction, message, partial)
            while partial is not None:
                progress(fraction, "waiting")
                time.sleep(0.01)

        return whole(*given, report)

    with monkeypatch.context() as patch:
        patch.setattr(work, "decay", slow)
        at.button(key="drift measure").click().run()
        job = work.drift_of(session_of(at)).job
        while job.partial is None:
            time.sleep(0.01)
        at.run()
        assert "What is known so far" in texts(at)
        assert "rebuild is needed" not in texts(at)  # nothing has changed yet
        assert len(table(at)) == 3
        work.change(session_of(at), rounds=9)
        assert "being measured is of other choices" in infos(at.run())
        work.change(session_of(at), rounds=Recipe().rounds)
        assert "other choices" not in infos(at.run())
        at.button(key="cancel drift").click().run()
        assert jobs.wait(10)
        at.run()
        assert "Cancelled" in texts(at)
        assert len(table(at)) == 3
    assert len(table(measured(at))) == 63
