"""Which methods are compared: chosen, drawn, and in the address."""

from pages._ui.parts import live_curve
from pages._ui.state import settings
from pages._ui.state.session import DEFAULT_METHODS, methods
from pages._ui.work import jobs
from tests.pages.conftest import session_of


def test_methods_are_chosen_and_their_grids_are_measured(app):
    at = app("tradeoff.py")
    assert session_of(at).methods == list(DEFAULT_METHODS)
    at.button_group(key="methods 0").set_value(["largest-norm", "flat-kmeans"]).run()
    session = session_of(at)
    wanted = settings.settings_of(session)
    assert {index.key for index in wanted.all} == {"largest-norm", "flat-kmeans"}
    settings.start_missing(session, wanted)
    assert jobs.wait(300)
    at.run()
    assert not at.exception
    assert set(live_curve.message_of(session, wanted).chips) == {"largest-norm", "flat-kmeans"}
    assert set(at.dataframe[0].value["method"]) == {"Largest norms", "Flat k-means"}
    assert "largest-norm" in at.query_params["method"]


def test_all_methods_at_once(app):
    at = app("tradeoff.py", settle=False)
    next(b for b in at.button if b.label == "All of them").click().run()
    session = session_of(at)
    assert session.methods == methods()
    settings.start_missing(session, settings.settings_of(session))
    assert jobs.wait(300)
    failed = [job.label for job in jobs._BOOK.values() if job.state == "failed"]
    assert failed == []
    at.run()
    assert not at.exception
    message = live_curve.message_of(session, settings.settings_of(session))
    assert list(message.chips) == methods()


def test_no_method_is_a_choice_too_and_lasts_in_the_address(app):
    at = app("tradeoff.py", method=["none"])
    session = session_of(at)
    assert session.methods == []
    assert {index.key for index in settings.settings_of(session).all} == {"flat-kmeans"}
    assert "none" in at.query_params["method"]
