"""Of many items pages say which settings are built, and build the others where that is wanted."""

from mips_core import INDEXES
from pages._ui.compare import clock_work, work
from pages._ui.report import assembly
from pages._ui.state import settings
from pages._ui.state.settings import built_of, grid_of
from pages._ui.work import jobs
from tests.pages.conftest import session_of, texts

BOTH = {"method": ["flat-kmeans", "hierarchical-kmeans"]}
FIRST, THEN = "are tried on 200 of the items first", "are built on all 400 items"


def looked(at, page):
    """The page once samples have told, and what they told of is measured."""
    session = session_of(at)
    for _ in range(4):
        assert jobs.wait(300)
        if page == "trade-off":
            settings.start_missing(session, settings.settings_of(session))
        at.run()
        assert not at.exception
    return session


def measured(session):
    every = [index for key in session.methods for index in grid_of(session, key)]
    return {index for index in every if session.measurement_of(index).result is not None}


def test_of_few_items_nothing_is_said(app):
    at = app("tradeoff.py", **BOTH)
    assert FIRST not in texts(at)
    assert THEN not in texts(at)
    assert measured(session_of(at)) == {
        index for key in BOTH["method"] for index in grid_of(session_of(at), key)
    }


def test_trade_off_builds_what_a_sample_tells_and_the_others_on_a_press(app, many):
    at = app("tradeoff.py", settle=False, **BOTH)
    assert FIRST in texts(at)
    session = looked(at, "trade-off")
    few = {index for key in session.methods for index in built_of(session, key)}
    assert measured(session) == few
    every = {index for key in session.methods for index in grid_of(session, key)}
    assert f"Of {len(every)} settings, {len(few)} {THEN}" in texts(at)
    button = at.button(key="curve build all")
    assert button.label == f"Build the other {len(every - few)}"
    button.click().run()
    looked(at, "trade-off")
    assert THEN not in texts(at)
    assert measured(session) == every


def test_compare_chooses_among_what_a_sample_tells(app, many):
    at = app("compare.py", settle=False, compare="speedup=5", **BOTH)
    assert FIRST in texts(at)
    assert work.unsettled(session_of(at))
    session = looked(at, "compare")
    for key, grid in zip(BOTH["method"], work.grids(session), strict=True):
        assert [one.index for one in grid] == built_of(session, key)
        assert len(grid) < len(grid_of(session, key))
        assert INDEXES[key].label in texts(at)
    assert THEN in texts(at)
    assert work.pairs(session)
    assert at.button(key="compare build all").label.startswith("Build the other ")


def test_the_clock_times_what_a_sample_tells(app, many):
    at = app("compare.py", settle=False, compare="view=clock", **BOTH)
    assert FIRST in texts(at)
    assert not [button for button in at.button if button.key == "time"]
    session = looked(at, "compare")
    assert at.button(key="time").label == "Time them"
    few = [index for key in session.methods for index in built_of(session, key)]
    assert [one.index for one in clock_work.tried_of(session)] == few
    assert len(few) < sum(len(grid_of(session, key)) for key in session.methods)


def test_a_report_measures_what_samples_tell_after_one_press(app, many):
    at = app("report.py", settle=False, **BOTH)
    session = looked(at, "report")
    before = measured(session)
    assert at.button(key="report measure").label == "Measure the likeliest settings"
    at.button(key="report measure").click().run()
    looked(at, "report")
    few = {index for key in session.methods for index in built_of(session, key)}
    assert measured(session) == few > before
    assert len(few) < len({index for key in session.methods for index in grid_of(session, key)})
    assert all(one.result is not None for one in assembly.wanted(session))
    assert not [button for button in at.button if button.key == "report measure"]
    assert THEN in texts(at)
    at.button(key="report build all").click().run()
    assert at.button(key="report measure").label.startswith("Measure ")
