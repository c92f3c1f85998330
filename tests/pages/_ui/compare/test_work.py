"""What is measured for two methods."""

import time

import pytest

from mips_core import INDEXES
from mips_core.studies.comparison import Difference
from mips_core.studies.noise import SPEEDUPS
from mips_core.studies.operating_point import at_speedup
from pages._ui.compare import work
from pages._ui.compare.differences import comparisons
from pages._ui.state import session
from pages._ui.state.settings import evaluations, grid_of
from pages._ui.work import jobs, measurement
from tests.pages.compare_page import all_in, compared, table
from tests.pages.conftest import session_of, small_dataset, texts


@pytest.mark.parametrize(("n", "said"), [(1, "nothing to compare"), (5, "nothing to compare")])
def test_tiny_data_has_nothing_to_compare(app, monkeypatch, n, said):
    dataset = small_dataset(n=n)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    at = compared(app, k="100")
    assert said in texts(at)


def test_cancelling_keeps_what_is_known_and_starts_nothing_by_itself(app, monkeypatch):
    at = all_in(app("compare.py", settle=False, compare="second=largest-norm"))

    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at.selectbox(key="compare second largest-norm").set_value("pca-tree").run()
        at.button(key="cancel settings").click().run()
        assert jobs.wait(10)
        at.run()
        assert "Cancelled after" in texts(at)
        assert not jobs.of(session_of(at).owner)
        at.button(key="go on").click()
    all_in(at.run())
    assert any(INDEXES["pca-tree"].label in column for column in table(at))


def in_use(app, index="largest-norm", effort="80", **address):
    """The page where this setting is under the slider, and others are measured."""
    few = {"method": ["largest-norm", "pca-tree", "srp-hash"], "index": index, "effort": effort}
    at = app("compare.py", settle=False, **few, **address)
    session = session_of(at)
    for key in session.methods:
        for step in grid_of(session, key):
            session.measurement_of(step).start(session.owner)
    return session, at


def test_the_setting_in_use_is_held_against_its_nearest_rival_at_its_speedup(app):
    session, at = in_use(app)
    at = all_in(at)
    own = work.in_use(session)
    state = work.state_of(session)
    assert own.setting.index == session.index
    assert own.setting.effort == 78  # the last measured one up to 80
    assert (state.first, state.speedup) == ("largest-norm", round(own.speedup, 1))
    assert state.speedup not in SPEEDUPS
    app("methods.py", settle=False)
    at = all_in(app("compare.py", settle=False))  # all are measured by now
    rivals = {
        key: at_speedup(evaluations(session, grid_of(session, key)), 10, own.speedup / 0.9)
        for key in ("pca-tree", "srp-hash")
    }
    rivals = {key: rival for key, rival in rivals.items() if rival.reached}
    nearest = min(rivals, key=lambda key: abs(rivals[key].precision - own.precision))
    assert work.state_of(session).second == nearest
    pair = next(one for one in work.pairs(session) if one.speedup == state.speedup)
    assert pair.first == own
    assert pair.second == rivals[nearest]
    assert pair.second.speedup >= own.speedup
    assert f"At {state.speedup:g}×, " in texts(at)
    assert at.button(key="compare in use").disabled


def test_what_was_chosen_stays_until_the_setting_in_use_is_asked_for(app):
    session, at = in_use(app, compare="first=srp-hash,second=pca-tree,speedup=5")
    at = all_in(at)
    assert (work.state_of(session).first, work.state_of(session).speedup) == ("srp-hash", 5)
    at.button(key="compare in use").click().run()
    assert work.state_of(session).first == "largest-norm"
    assert work.state_of(session).speedup == round(work.in_use(session).speedup, 1)
    assert at.selectbox(key="compare first largest-norm")


def test_more_builds_are_made_where_they_may_settle_it(app, monkeypatch):
    monkeypatch.setattr(Difference, "needs_builds", property(lambda self: len(self.by_seed) < 9))
    at = compared(app, compare="first=flat-kmeans,second=pca-tree,speedup=3")
    for builds in (6, 9):
        at.button(key="compare build").click().run()
        at = all_in(at)
        at3 = comparisons(session_of(at))[3]
        assert len(at3.difference.by_seed) == builds
    assert len(comparisons(session_of(at))[5].difference.by_seed) == 3  # of others no more
    assert "compare build" not in [button.key for button in at.button]
    assert at.query_params["compare"].endswith("builds=9")
