"""As many queries as it says settle on which side of a target a precision is."""

import numpy as np
import pytest

from mips_core.base.errors import ParamError
from mips_core.evaluation.intervals import lower_bound
from mips_core.studies.queries_needed import MOST_QUERIES, queries_to_settle
from tests.mips_core.evaluation.test_intervals import samples_of, spread_by


@pytest.mark.parametrize("mean", [0.93, 0.96, 0.97, 0.99])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.9])
def test_as_many_queries_as_it_says_settle_it_as_often_as_it_says(mean, power):
    chances = spread_by(4)(10, mean)
    seen = np.rint(1e6 * chances).astype(int)
    m = queries_to_settle(seen, 0.95, 0.95, power)
    drawn, _ = samples_of(spread_by(4), 10, mean, m, count=4000)
    settled = lower_bound(drawn) > 0.95 if mean > 0.95 else 1 - lower_bound(drawn[:, ::-1]) < 0.95
    # Near 1 some 40 queries do, and what they find comes in steps.
    assert power - 0.06 <= np.mean(settled) <= power + (0.06 if mean < 0.99 else 0.13)


def test_what_is_closer_or_must_be_surer_takes_more_queries():
    def needed(mean, **asked):
        return queries_to_settle(np.rint(1e5 * spread_by(4)(10, mean)).astype(int), 0.9, **asked)

    assert needed(0.905) > needed(0.91) > needed(0.95) > 0
    assert needed(0.95, confidence=0.99) > needed(0.95) > needed(0.95, confidence=0.8)
    assert needed(0.95, power=0.95) > needed(0.95) > needed(0.95, power=0.5)


def test_what_no_number_of_queries_settles_is_none():
    half = np.array([50, 50])
    assert queries_to_settle(half, 0.5) is None
    assert queries_to_settle(half, 0.5 + 1e-5) is None
    assert queries_to_settle(half, 0.5 + 1e-3) < MOST_QUERIES


@pytest.mark.parametrize(("target", "least"), [(0.95, 52), (0.99, 268)])
def test_without_a_miss_so_many_queries_reach_the_target(target, least):
    assert queries_to_settle(np.array([0, 0, 30]), target) == least
    holds = [lower_bound(np.array([[0, 0, m]]))[0] >= target for m in (least - 1, least)]
    assert holds == [False, True]


@pytest.mark.parametrize("target", [0.0, 1.0])
def test_the_ends_can_be_targets(target):
    assert 0 < queries_to_settle(np.array([1, 9]), target) < 100


@pytest.mark.parametrize("bad", [-0.1, 95.0, float("nan")])
def test_what_is_no_power_and_no_target_is_refused(bad):
    histogram = np.array([1, 2])
    with pytest.raises(ParamError, match="power is"):
        queries_to_settle(histogram, 0.5, power=bad)
    with pytest.raises(ParamError, match="target is"):
        queries_to_settle(histogram, bad)
