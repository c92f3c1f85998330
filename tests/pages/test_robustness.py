"""Robustness, run headless: on the smallest data too, and found again."""

import numpy as np
import pytest

from pages._ui.robustness import picture
from pages._ui.robustness.study import study_of
from pages._ui.state import session
from pages._ui.state.page_states import RobustnessState
from pages._ui.text.widgets import PAGES
from pages._ui.work import jobs
from tests.pages.conftest import session_of, small_dataset
from tests.pages.robustness_page import opened, settled, waits


def test_truth_and_unit_are_kept_and_in_the_address(app):
    at = opened(app)
    before = picture.picture_of(session_of(at), study_of(session_of(at)))
    at.segmented_control(key="robustness truth").set_value("clean").run()
    assert not at.exception
    session = session_of(at)
    assert not waits(session, 7)  # both truths are known at once
    view = picture.picture_of(session, study_of(session))
    assert [*view.chips] == [*before.chips, "exact"]
    assert np.isfinite(view.scenes[0].traces[-1]["y"]).all()
    assert "before noise" in view.scenes[0].sentences[3]
    at.segmented_control(key="robustness unit").set_value("relative").run()
    settled(at)
    assert session_of(at).states["robustness"] == RobustnessState(truth="clean", unit="relative")
    assert at.query_params["robustness"] in (
        "truth=clean,unit=relative",
        ["truth=clean,unit=relative"],
    )
    assert "rms" in picture.picture_of(session, study_of(session)).sliders[1].values[3]


def test_coming_back_finds_everything_again(app):
    at = opened(app)
    began = len(jobs._BOOK)
    at.switch_page(str(PAGES / "home.py")).run()
    at.switch_page(str(PAGES / "robustness.py")).run()
    assert not at.exception
    assert not waits(session_of(at), 7)
    assert "are in" not in " ".join(info.value for info in at.info)
    assert len([j for j in jobs._BOOK.values() if j.key[0] == "under noise"]) <= began


def test_a_link_to_what_is_no_choice_keeps_the_rest(app):
    session = session_of(opened(app, method=["exact", "largest-norm"]))
    assert session.methods == ["largest-norm"]


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_smallest_data_has_the_page_too(app, monkeypatch, n):
    monkeypatch.setattr(session, "load_from_catalog", lambda key: small_dataset(n=n, d=1))
    at = opened(app)
    assert set(at.dataframe[0].value["method"]) == {"Flat k-means", "Largest norms"}
