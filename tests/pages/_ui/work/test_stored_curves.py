"""What ships of the first pages' curves is what a new measurement gives, bit for bit."""

import numpy as np
import pytest

from mips_core.base.progress import silent
from mips_core.data import catalog
from mips_core.data.queries import QueryRecipe
from pages._ui.state.session import DEFAULT_DATA, usual
from pages._ui.state.settings import settings_of, shown
from pages._ui.work import stored_curves


@pytest.fixture
def session():
    """What a first visitor sees, of the shipped data itself."""
    return usual(catalog.shipped(DEFAULT_DATA), DEFAULT_DATA)


def test_every_curve_of_the_first_pages_is_stored(session):
    wanted = settings_of(session).all
    evaluations = shown(session, wanted)
    assert [e.index for e in evaluations] == wanted, "run: python -m data.measure_curves"


def test_they_are_what_is_measured_here(session):
    """The index under the slider, and of each other method one and then another."""
    wanted = settings_of(session).all
    some = [session.index, *{index.key: index for index in wanted}.values(), wanted[7]]
    for index in dict.fromkeys(some):
        task = session.measurement_of(index)
        stored, measured = stored_curves.of(task), task.here(silent).evaluation
        assert stored.index == measured.index
        for fold in (None, 0, 1):
            one, other = (e.curve((session.K,), fold) for e in (stored, measured))
            assert (one.n, one.m, list(one.costs)) == (other.n, other.m, list(other.costs))
            np.testing.assert_array_equal(one.efforts, other.efforts)
            np.testing.assert_array_equal(one.mean_cost, other.mean_cost)
            for K, counts in one.histograms.items():
                np.testing.assert_array_equal(counts, other.histograms[K])
                np.testing.assert_array_equal(one.tolerant[K], other.tolerant[K])


def test_nothing_is_stored_of_another_question(session):
    index = session.index
    assert stored_curves.of(session.measurement_of(index)) is not None
    session.K = 7
    assert stored_curves.of(session.measurement_of(index)) is None
    session.K, session.recipe = 10, QueryRecipe(seed=1)
    assert stored_curves.of(session.measurement_of(index)) is None
