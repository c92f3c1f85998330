"""The most precise within a budget, by the definition, on other queries and where nothing fits."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core.studies.tuning import Budget, most_precise
from mips_core.studies.tuning.wording import in_words
from tests.mips_core.studies.tuning.tuning_cases import K, invented, points, same_setting, tried

BUDGETS = [
    Budget(inner_products=300),
    Budget(inner_products=300, bytes=998),
    Budget(seconds=2.5),
    Budget(inner_products=150, bytes=999, seconds=4),
    Budget(),
]


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_most_precise_within_a_budget(budget):
    some = tried()
    within = most_precise(some, K, budget)
    tuning = [
        p
        for p in points(some, 0)
        if p[4] <= 0.98 * (budget.inner_products or np.inf)
        and some[p[0]].bytes <= (budget.bytes or np.inf)
        and some[p[0]].seconds <= (budget.seconds or np.inf)
    ]
    best = max(tuning, key=lambda p: (p[2], -p[4]))
    assert same_setting(within.chosen, some, best)
    held_out = next(p for p in points(some, 1) if p[:2] == best[:2])
    assert (within.chosen.precision, within.chosen.cost) == (held_out[2], held_out[4])
    low, high = some[best[0]].evaluation.curve((K,), 1).interval(K)[best[1]]
    sure = within.chosen.setting.effort == max(some[best[0]].evaluation.efforts)
    assert within.chosen.interval == ((1, 1) if sure else pytest.approx((low, high), abs=1e-12))
    assert {t.setting.index.key for t in within.runners_up}.isdisjoint(
        {within.chosen.setting.index.key}
    )
    assert within.why_none == ""


def test_a_setting_may_pass_its_budget_on_other_queries_and_this_is_said():
    rng = np.random.default_rng(0)
    one = invented([0.9], [100], rng)
    uneven = replace(one.evaluation, costs={"candidates": np.array([[9_700.0], [10_300.0]])})
    within = most_precise([replace(one, evaluation=uneven)], K, Budget(inner_products=100))
    assert (within.chosen.cost, within.chosen.verdict) == (103, "does not hold")
    assert in_words(within).endswith("it costs a little more than the 100 allowed.")


def test_a_limit_met_by_a_hair_is_met():
    one = invented([0.9], [99], np.random.default_rng(0))
    within = most_precise([one], K, Budget(inner_products=100))
    assert within.chosen.verdict == "holds"
    assert "(99 instead of 1,000,000)" in in_words(within)


def test_where_nothing_fits_the_least_there_is_is_said():
    nothing = most_precise(tried(), K, Budget(inner_products=2, bytes=10))
    assert nothing.chosen is None
    words = in_words(nothing)
    assert words.startswith("**No setting keeps the budget.** Nothing tried takes at most 2 inner")
    assert "at most 10 bytes of memory; the least is 996 bytes of memory: SRP-hash" in words
    clash = most_precise(tried(), K, Budget(bytes=996, seconds=1))
    assert clash.why_none.startswith("Each limit is kept by some setting, but none keeps all: ")
