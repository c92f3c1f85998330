"""Curves read off sums: interpolated, cross-fitted, with something left out."""

from math import exp, isnan, log

import numpy as np
import pytest

from mips_core.studies.paper.view import NOTHING, LeftOut, View
from tests.mips_core.studies.paper.paper_cases import sums


def exact(precision, cost):
    """Sums without any luck."""
    made = sums(precision, cost)
    made.hits[:] = made.queries[None, :, None, None] * np.asarray(precision)[None, None, :, None]
    return made


def test_precision_is_interpolated_in_the_log_of_the_speedup():
    view = View({"a": exact([0.9, 0.5], [100, 10])}, (1,))  # speedups 10 and 100
    assert view.precision("a", 1, 10) == pytest.approx(0.9)
    assert view.precision("a", 1, exp((log(10) + log(100)) / 2)) == pytest.approx(0.7)
    assert view.precision("a", 1, 2) == pytest.approx(0.9)  # the slowest there is
    assert isnan(view.precision("a", 1, 101))
    assert view.fastest("a", 1) == pytest.approx(100)


def test_a_speedup_at_a_precision_is_the_inverse_and_exact_search_is_the_floor():
    view = View({"a": exact([0.9, 0.5], [100, 10])}, (1,))
    assert view.log_speedup("a", 1, 0.7) == pytest.approx((log(10) + log(100)) / 2)
    assert view.log_speedup("a", 1, 0.5) == pytest.approx(log(100))
    assert view.log_speedup("a", 1, 0.95) == 0


def test_settings_that_another_beats_change_nothing():
    few, more = exact([0.9, 0.5], [100, 10]), exact([0.9, 0.6, 0.5], [100, 200, 10])
    views = [View({"a": each}, (1,)) for each in (few, more)]
    assert len({view.precision("a", 1, 30) for view in views}) == 1


def test_what_is_left_out_is_left_out_of_its_own_method_alone():
    view = View({"a": sums([0.5], [10], spread=0.1), "b": sums([0.5], [10], seed=3)}, (1,))
    out = view.without(LeftOut(name="a", build=0))
    assert out.share("a", 0, 0) != view.share("a", 0, 0)
    assert out.share("b", 0, 0) == view.share("b", 0, 0)
    group = view.without(LeftOut(group=3))
    assert group.share("b", 0, 0) != view.share("b", 0, 0)
    assert view.left_out == NOTHING
    assert view.used == {"a", "b"}
    assert view.has("a", "b")
    assert not view.has("a", "c")
