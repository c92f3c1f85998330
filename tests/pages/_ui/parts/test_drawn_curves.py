"""What is drawn of the curves is made once for the same, and anew where anything of it changes."""

import numpy as np
import pytest

from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts import drawn_curves as module
from pages._ui.parts.drawn_curves import drawn_curves
from pages._ui.state import settings
from pages._ui.work import results
from tests.pages.conftest import session_of


@pytest.fixture
def session(app):
    return session_of(app("tradeoff.py"))


def _drawn(session):
    return drawn_curves(session, settings.settings_of(session))


def test_a_drag_leaves_all_as_it_is(session):
    first = _drawn(session)
    session.effort = 3
    assert _drawn(session) is first
    assert _drawn(session.snapshot()) is first


def _fewer(session):
    session.K = 3


def _built(session):
    session.show = "built"


def _other(session):
    session.position = 1


def _alone(session):
    session.methods = ["flat-kmeans"]


@pytest.mark.parametrize("change", [_fewer, _built, _other, _alone])
def test_what_is_chosen_is_drawn(session, change):
    before = _drawn(session)
    change(session)
    after = _drawn(session)
    assert after is not before
    results.forget_all()
    assert _drawn(session).points == {}  # nothing is known any more


def test_what_is_measured_meanwhile_is_drawn(session):
    every = set(_drawn(session).points)
    index = FlatKMeans(n_clusters=7)
    session.keep(index)
    assert index not in _drawn(session).points
    session.measurement_of(index).here()
    assert set(_drawn(session).points) == every | {index}


def test_points_are_those_of_the_curves(session):
    index, K = session.index, session.K
    curve = session.measurement_of(index).evaluation.curve((K,))
    drawn = _drawn(session)
    points = drawn.points[index]
    np.testing.assert_array_equal(points.efforts, curve.efforts)
    np.testing.assert_array_equal(points.precision, curve.precision(K).astype(np.float32))
    np.testing.assert_array_equal(points.histogram, curve.histograms[K])
    assert drawn.m == curve.m
    reached = curve.precision(K)[curve.efforts == drawn.effort]
    assert reached >= module.USUAL_PRECISION or drawn.effort == curve.efforts[-1]
    assert module.usual_effort(None, K) == 0
