"""The live curve has the numbers of the library, and every method can stand under its slider."""

import pytest

from mips_core import INDEXES, compare
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts import drawn_curves, live_curve, progress
from pages._ui.state import settings
from pages._ui.state.session import DEFAULT_METHODS
from pages._ui.work import results
from tests.pages.conftest import session_of, small_dataset


def test_the_view_has_the_numbers_of_the_library(app):
    session = session_of(app("tradeoff.py"))
    wanted = settings.settings_of(session)
    message = live_curve.message_of(session, wanted)
    dataset = with_queries(small_dataset(), QueryRecipe())
    (curve,) = compare([FlatKMeans(n_clusters=20)], dataset, ks=(10,))
    build = next(b for b in message.builds if b.value == "20")
    assert build.points.precision == pytest.approx(curve.precision(10))
    assert sum(build.points.parts.values()) == pytest.approx(curve.mean_cost)
    assert build.points.histogram.tolist() == curve.histograms[10].tolist()
    assert [b.ready for b in message.builds] == [True] * len(message.builds)
    assert list(message.chips) == list(DEFAULT_METHODS)


@pytest.mark.parametrize("key", INDEXES)
def test_every_method_can_stand_under_the_slider(app, key):
    at = app("tradeoff.py", index=[key], method=["none"])
    assert not at.exception
    session = session_of(at)
    wanted = settings.settings_of(session)
    message = live_curve.message_of(session, wanted)
    assert all(build.ready for build in message.builds)
    build = next(b for b in message.builds if b.value == message.chosen.build)
    at_start = build.points.precision[build.points.efforts == message.chosen.effort]
    if key != "flat-kmeans":  # which opens on 10 probes
        enough = build.points.precision >= drawn_curves.USUAL_PRECISION
        expected = build.points.precision[enough][0] if enough.any() else build.points.precision[-1]
        assert at_start == pytest.approx(expected)
    assert "{" not in message.sentence.replace("{effort}", "").replace("{live}", "").replace(
        "{precision}", ""
    ).replace("{half}", "").replace("{K}", "").replace("{speedup}", "")


def test_another_run_may_change_k_while_the_curve_is_drawn(app, monkeypatch):
    at = app("tradeoff.py")
    session, draw = session_of(at), drawn_curves.figure_of

    def draw_late(*args):
        session.K = 3  # as a press does, in a run that begins while this one ends
        return draw(*args)

    monkeypatch.setattr(drawn_curves, "figure_of", draw_late)
    session.show = "built"  # another picture: that of before is not made again
    at.run()
    assert not at.exception
    assert session.K == 3


def test_looks_are_seldom_once_there_is_something_to_see(app, monkeypatch):
    session = session_of(app("tradeoff.py"))
    wanted = settings.settings_of(session)
    assert live_curve._pace(session, wanted) is None
    assert live_curve._pace(session, wanted, lambda: True) == progress.LOOK  # below it
    monkeypatch.setattr(live_curve, "unsettled", lambda *_: True)
    assert live_curve._pace(session, wanted) == progress.LOOK
    results.forget_all()
    assert live_curve._pace(session, wanted) == progress.EAGER
