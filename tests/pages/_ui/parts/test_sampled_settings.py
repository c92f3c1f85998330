"""Of many items pages say which settings are built, and build the others where that is wanted."""

from threading import Event
from unittest.mock import Mock

import pytest

from mips_core import INDEXES, DataError
from mips_core.report import html_of
from mips_core.studies.tuning import scouting
from pages._ui.compare import clock_work, work
from pages._ui.report import assembly
from pages._ui.robustness.study import study_of
from pages._ui.state import settings
from pages._ui.state.settings import built_of, grid_of
from pages._ui.work import jobs
from tests.mips_core.report.reports import Page
from tests.pages.conftest import session_of, texts
from tests.pages.report_page import report_on
from tests.pages.robustness_page import settled

BOTH = {"method": ["flat-kmeans", "hierarchical-kmeans"]}
FIRST, THEN = "are tried on 200 of the items first", "chosen to be built on all 400 items"


@pytest.fixture
def held(many, monkeypatch):
    """Looks at samples wait until they may go on."""
    go, make = Event(), scouting.most_used

    def most_used(*inputs):
        while not go.wait(0.01):
            inputs[-1](0.1, "held")
        return make(*inputs)

    monkeypatch.setattr(scouting, "most_used", most_used)
    yield go
    go.set()


def looked(at, page, held=None):
    """The page once samples have told, and what they told of is measured."""
    session = session_of(at)
    if held is not None:
        held.set()
    for _ in range(4):
        assert jobs.wait(300)
        if page == "trade-off":
            settings.start_missing(session, settings.settings_of(session))
        at.run()
        assert not at.exception
    return session


def keys(at):
    return {button.key for button in at.button}


def measured(session):
    every = [index for key in session.methods for index in grid_of(session, key)]
    return {index for index in every if session.measurement_of(index).result is not None}


def test_of_few_items_nothing_is_said(app):
    at = app("tradeoff.py", **BOTH)
    assert FIRST not in texts(at)
    assert THEN not in texts(at)
    assert "the best of all settings of the same method" in texts(at)
    assert measured(session_of(at)) == {
        index for key in BOTH["method"] for index in grid_of(session_of(at), key)
    }


def test_trade_off_builds_what_a_sample_tells_and_the_others_on_a_press(app, held):
    at = app("tradeoff.py", settle=False, **BOTH)
    assert FIRST in texts(at)
    assert "the best of the settings built of the same method" in texts(at)
    session = looked(at, "trade-off", held)
    few = {index for key in session.methods for index in built_of(session, key)}
    assert measured(session) == few
    every = {index for key in session.methods for index in grid_of(session, key)}
    assert f"Of {len(every)} settings, {len(few)} are {THEN}" in texts(at)
    button = at.button(key="curve build all")
    assert button.label == f"Build the other {len(every - few)}"
    button.click().run()
    looked(at, "trade-off")
    assert THEN not in texts(at)
    assert measured(session) == every


def test_compare_chooses_among_what_a_sample_tells(app, held):
    at = app("compare.py", settle=False, compare="speedup=5", **BOTH)
    assert FIRST in texts(at)
    assert work.unsettled(session_of(at))
    session = looked(at, "compare", held)
    for key, grid in zip(BOTH["method"], work.grids(session), strict=True):
        assert [one.index for one in grid] == built_of(session, key)
        assert len(grid) < len(grid_of(session, key))
        assert INDEXES[key].label in texts(at)
    assert THEN in texts(at)
    assert work.pairs(session)
    assert at.button(key="compare build all").label.startswith("Build the other ")


def test_robustness_puts_noise_on_what_a_sample_tells_and_chooses_anew_on_a_press(app, held):
    at = app("robustness.py", settle=False, method=["flat-kmeans"])
    assert FIRST in texts(at)
    assert not study_of(session_of(at)).settled("flat-kmeans")
    session = looked(at, "robustness", held)
    settled(at)
    few = set(built_of(session, "flat-kmeans"))
    assert measured(session) == few
    assert THEN in texts(at)
    assert at.dataframe[0].value["builds"].unique() == [3]
    at.button(key="robustness build all").click().run()
    settled(at)
    assert measured(session) == set(grid_of(session, "flat-kmeans")) > few


def test_the_clock_times_what_a_sample_tells_and_the_others_on_a_press(app, held, monkeypatch):
    go, run = Event(), []
    monkeypatch.setattr(clock_work, "clock", lambda *_, **known: run.append(go.wait(60)) or ())
    at = app("compare.py", settle=False, compare="view=clock", **BOTH)
    assert FIRST in texts(at)
    assert "time" not in keys(at)
    session = looked(at, "compare", held)
    assert at.button(key="time").label == "Time them"
    few = [index for key in session.methods for index in built_of(session, key)]
    assert [one.index for one in clock_work.tried_of(session)] == few
    every = [index for key in session.methods for index in grid_of(session, key)]
    assert len(few) < len(every)
    at.button(key="time").click().run()
    assert clock_work.timing_of(session).active
    assert "clock build all" not in keys(at)  # it would end the run that is under way
    go.set()
    assert jobs.wait(300)
    at.run()
    assert at.button(key="clock build all").label == f"Time the other {len(every) - len(few)} too"
    at.button(key="clock build all").click().run()
    assert jobs.wait(300)
    assert len(run) == 2
    assert [one.index for one in clock_work.tried_of(session)] == every
    assert measured(session) == set(every)


@pytest.mark.parametrize(
    ("error", "why"),
    [(None, "That was cancelled."), (DataError("It is odd."), "It is odd")],
)
def test_a_look_that_told_nothing_is_said_and_gone_on_with(app, held, monkeypatch, error, why):
    at = app("tradeoff.py", settle=False, **BOTH)
    session = session_of(at)
    with monkeypatch.context() as patch:
        if error is not None:
            patch.setattr(scouting, "most_used", Mock(side_effect=error))
        settings.start_missing(session, settings.settings_of(session))
        at.run()
        if error is None:
            at.button(key="curve cancel looks").click().run()
        assert jobs.wait(300)
        at.run()
    assert "**2 methods were not looked at on a sample.**" in texts(at)
    assert why in texts(at)
    assert "Only what you keep of them is built." in texts(at)
    assert "did best" not in texts(at)
    assert "curve build all" in keys(at)
    assert not settings.unsettled(session, settings.settings_of(session))
    assert measured(session) == set(session.kept)
    at.button(key="curve look again").click().run()
    assert "curve cancel looks" in keys(at)
    looked(at, "trade-off", held)
    assert THEN in texts(at)
    assert measured(session) > set(session.kept)


def test_a_report_measures_what_samples_tell_after_one_press(app, many):
    at = app("report.py", settle=False, **BOTH)
    session = looked(at, "report")
    before = measured(session)
    assert "others to be told by a sample" in texts(at)
    assert "– **Curves and tables**" in texts(at)
    assert at.button(key="report measure").label == "Measure the likeliest settings"
    at.button(key="report measure").click().run()
    looked(at, "report")
    few = {index for key in session.methods for index in built_of(session, key)}
    assert measured(session) == few > before
    assert len(few) < len({index for key in session.methods for index in grid_of(session, key)})
    assert all(one.result is not None for one in assembly.wanted(session))
    assert "report measure" not in keys(at)
    assert THEN in texts(at)
    assert "others to be told" not in texts(at)
    assert "✓ **Curves and tables**" in texts(at)
    every = {index for key in session.methods for index in grid_of(session, key)}
    told = f"Of {len(every)} settings of the methods compared, {len(few)} were built on all 400"
    assert told in " ".join(Page(html_of(report_on(at))).text)
    at.button(key="report build all").click().run()
    looked(at, "report")
    assert measured(session) == every
    assert not report_on(at).sampled


def test_a_report_does_not_ask_for_ever_for_what_cannot_be_looked_at(app, many, monkeypatch):
    at = app("report.py", settle=False, **BOTH)
    session = looked(at, "report")
    with monkeypatch.context() as patch:
        patch.setattr(scouting, "most_used", Mock(side_effect=DataError("It is odd.")))
        at.button(key="report measure").click().run()
        looked(at, "report")
    assert measured(session) == set(session.kept)
    assert "report measure" not in keys(at)
    at.button(key="report look again").click().run()
    looked(at, "report")
    few = {index for key in session.methods for index in built_of(session, key)}
    assert measured(session) == few > set(session.kept)
