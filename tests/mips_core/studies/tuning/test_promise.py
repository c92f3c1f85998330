"""A promise that holds as often as it says, chosen on one half and tested on the other."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.evaluation.intervals import lower_bound
from mips_core.methods.bits import pack_bits
from mips_core.studies.tuning import Need, cheapest, further
from tests.mips_core.studies.tuning.tuning_cases import (
    GRID,
    K,
    invented,
    points,
    same_setting,
    tried,
)


@pytest.mark.parametrize("target", [0.5, 0.8, 0.9, 0.95])
def test_settings_are_ordered_by_one_half_and_tested_on_the_other(target):
    some = tried()
    tuning = [p for p in points(some, 0) if p[4] < 900]
    held_out = {p[:2]: p for p in points(some, 1)}
    path = [p for p in tuning if not any(q[3] >= p[3] and q[4] < p[4] for q in tuning)]
    path = [p for p in path if not any(q[3] > p[3] and q[4] == p[4] for q in path)]
    path.sort(key=lambda p: -p[4])
    steps = []
    for point in path:
        if not steps or point[4] <= 0.98 * steps[-1][4]:  # what saves less is left out
            steps.append(point)
    path = steps
    holds = [held_out[p[:2]][3] >= target for p in path]
    passed = holds.index(False) if False in holds else len(path)
    tuned = cheapest(some, K, Need(target))
    assert passed
    assert same_setting(tuned.chosen, some, path[passed - 1])
    assert len(tuned.tested) == min(passed + 1, len(path))
    assert all(same_setting(t, some, p) for t, p in zip(tuned.tested, path, strict=False))
    assert tuned.chosen.precision == held_out[path[passed - 1][:2]][2]
    assert tuned.chosen.cost == held_out[path[passed - 1][:2]][4]
    assert tuned.chosen.tuned_cost == path[passed - 1][4]
    assert (tuned.m_tuning, tuned.m_held_out, tuned.n_settings) == (60, 60, len(GRID))
    assert tuned.n_efforts == len(held_out)


def test_what_is_promised_fails_no_more_often_than_was_said():
    """Many settings just below the target: taking whatever passes would nearly always be wrong."""
    target, rounds, promised, lucky = 0.9, 400, 0, 0
    for seed in range(rounds):
        rng = np.random.default_rng(seed)
        one = invented([target] * 20, range(1, 21), rng)
        found = rng.random((20, 200, K)) < target - 1e-9
        bits = pack_bits(found)
        evaluation = replace(one.evaluation, ranks=None, found=bits)
        promised += (
            cheapest([replace(one, evaluation=evaluation)], K, Need(target)).chosen is not None
        )
        held_out = evaluation.curve((K,), 1).histograms[K]
        lucky += bool((lower_bound(held_out, 0.95) >= target).any())
    assert lucky > rounds / 3
    assert promised <= rounds * 0.05 + 3 * np.sqrt(rounds * 0.05 * 0.95)


def at_other_costs(one, rng):
    """The same, but the two halves of the queries do not cost the same."""
    costs = one.evaluation.costs["candidates"]
    changed = {"candidates": costs * rng.uniform(0.9, 1.1, costs.shape)}
    return replace(one, evaluation=replace(one.evaluation, costs=changed, read_off={}))


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.6, 0.8, 0.9, 0.97]))
def test_laws_of_the_answer(seed, target):
    rng = np.random.default_rng(seed)
    some = [
        invented(np.sort(rng.uniform(0.3, 1, 6)), np.sort(rng.uniform(10, 2000, 6)), rng, label=s)
        for s in range(4)
    ]
    tuned = cheapest([at_other_costs(one, rng) for one in some], K, Need(target))
    *safer, last = tuned.tested
    assert all(trial.verdict == "holds" and trial.lower >= target for trial in safer)
    costs = [trial.tuned_cost for trial in tuned.tested]
    assert costs == sorted(costs, reverse=True)
    if tuned.chosen is None:
        assert not safer
        assert last.lower < target
        assert tuned.best.lower < target
        assert tuned.close_call is None
    else:
        assert tuned.chosen.setting in [trial.setting for trial in tuned.tested]
        assert tuned.chosen.lower >= target
    shown = [trial.setting for trial in tuned.runners_up]
    assert len(set(shown)) == len(shown) <= 8
    assert [t.cost for t in tuned.runners_up] == sorted(t.cost for t in tuned.runners_up)
    passed = [trial.setting for trial in safer]
    if tuned.close_call is not None:
        assert tuned.close_call.setting in shown
        assert tuned.close_call.setting not in passed
        assert tuned.close_call.verdict in ("cannot tell", "not tested")
        assert tuned.close_call.cost < tuned.chosen.cost
        assert tuned.close_call.interval[1] >= target
        assert tuned.queries_needed is None or tuned.queries_needed > 200
    for trial in tuned.runners_up:
        low, high = trial.interval
        assert low <= trial.precision <= high
        if trial.verdict == "holds":
            assert low >= target
            assert trial.setting in passed or trial.cost >= tuned.chosen.cost
        elif trial.verdict == "does not hold":
            assert high < target
        elif trial.verdict == "not tested":
            assert low >= target
            assert trial.cost < (np.inf if tuned.chosen is None else tuned.chosen.cost)
        else:
            assert trial.setting not in passed


def with_other_half(one, rng):
    """The same tuning queries; on the held-out ones something else is found."""
    ranks = one.evaluation.ranks.copy()
    ranks[1::2] = rng.integers(0, len(one.evaluation.efforts) + 1, ranks[1::2].shape)
    return replace(one, evaluation=replace(one.evaluation, ranks=ranks, read_off={}))


def test_held_out_queries_decide_where_to_stop_and_nothing_else():
    some = [one for one in tried() if one.evaluation.ranks is not None]
    others = [with_other_half(one, np.random.default_rng(1)) for one in some]
    first, second = (cheapest(each, K, Need(0.6)).tested for each in (some, others))
    assert len(second) < len(first)
    both = zip(first, second, strict=False)
    assert all(a.setting == b.setting and a.tuned_cost == b.tuned_cost for a, b in both)
    near, also = (further(each, K, Need(0.6), 900, 6) for each in (some, others))
    assert near == also
