"""Intervals hold the truth about as often as they say, and planted effects are seen."""

import numpy as np
import pytest

from mips_core.studies.paper.jackknife import estimate, precision_of, share_of
from mips_core.studies.paper.view import View
from tests.mips_core.studies.paper.paper_cases import sums


def difference(view):
    return view.share("a", 0, 0) - view.share("b", 0, 0)


@pytest.mark.parametrize("spread", [0.0, 0.03])
def test_intervals_of_a_difference_hold_the_truth_at_least_as_often_as_they_say(spread):
    inside, significant, rounds = 0, 0, 150
    for seed in range(rounds):
        both = {
            "a": sums([0.7], [10], spread=spread, seed=2 * seed),
            "b": sums([0.7], [10], spread=spread, seed=2 * seed + 1),
        }
        seen = estimate(View(both, (1,)), difference)
        inside += seen.low <= 0 <= seen.high
        significant += seen.p < 0.05
    assert inside >= 0.91 * rounds
    assert significant == rounds - inside


def test_a_planted_effect_is_seen_with_its_size():
    both = {"a": sums([0.8], [10], spread=0.01), "b": sums([0.6], [10], spread=0.01, seed=1)}
    seen = estimate(View(both, (1,)), difference)
    assert seen.low < 0.2 < seen.high
    assert seen.p < 1e-4
    assert seen.value == pytest.approx(0.2, abs=0.05)


def test_builds_that_differ_widen_the_interval():
    alike = estimate(View({"a": sums([0.7], [10])}, (1,)), share_of("a", 0, 0))
    apart = estimate(View({"a": sums([0.7], [10], spread=0.1)}, (1,)), share_of("a", 0, 0))
    assert apart.high - apart.low > 2 * (alike.high - alike.low)
    assert apart.df < alike.df


def test_no_interval_has_zero_width():
    sure = sums([1.0], [10])
    seen = estimate(View({"a": sure}, (1,)), share_of("a", 0, 0))
    assert seen.value == 1
    assert 0 < seen.high - seen.low < 0.02


def test_what_cannot_be_read_has_no_estimate():
    view = View({"a": sums([0.7], [10])}, (1,))
    assert estimate(view, precision_of("a", 1, 1e6)) is None
    assert estimate(view, lambda v: 1.0) is None  # nothing was looked at
    assert np.isfinite(estimate(view, precision_of("a", 1, 2)).p)
