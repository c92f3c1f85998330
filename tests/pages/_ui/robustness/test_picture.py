"""The figure of methods under noise, and its sliders."""

from mips_core.studies.noise import SIGMAS, SPEEDUPS
from pages._ui.robustness import picture
from pages._ui.robustness.study import study_of
from pages._ui.state import session
from pages._ui.state.page_states import RobustnessState
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.robustness_page import at_view, opened


def test_a_speedup_out_of_reach_is_said(app):
    at = opened(app, method=["flat-kmeans"], robustness=at_view(200))
    session = session_of(at)
    view = picture.picture_of(session, study_of(session))
    assert "no setting near 200×, the nearest is" in view.scenes[-1].note
    assert view.scenes[-1].names["flat-kmeans"].startswith("Flat k-means, ")
    assert at.dataframe[0].value["held_to_it"].str.startswith("nearest is ").all()


def test_the_sliders_are_kept_and_in_the_address(app):
    session = session_of(app("robustness.py", settle=False, robustness=at_view(33, 0.12)))
    assert picture.places_of(session) == (SPEEDUPS.index(30), SIGMAS.index(0.1))
    picture.keep_places(session, (0, 8))
    assert session.states["robustness"] == RobustnessState(speedup=2.0, sigma=0.4)


def test_no_method_is_a_choice_too(app):
    session = session_of(opened(app, method=["none"]))
    view = picture.picture_of(session, study_of(session))
    assert "Choose some above" in view.scenes[0].sentences[0]


def test_simulated_data_is_named(app, monkeypatch):
    monkeypatch.setattr(session, "load_from_catalog", lambda key: small_dataset(simulated=True))
    at = opened(app, method=["largest-norm"])
    assert "no real people" in texts(at)
    chosen = session_of(at)
    view = picture.picture_of(chosen, study_of(chosen))
    assert "Simulated data" in str(view.scenes[0].layout["annotations"])
    assert at.dataframe[0].value["simulated"].all()
