"""Tuning: what is promised, on which queries, in which order; budgets; where to look further."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import (
    INDEXES,
    Cancelled,
    DataError,
    Dataset,
    Evaluation,
    ParamError,
    Truth,
    evaluate,
    rng_for,
    truth_of,
)
from mips_core.base.text import rounded
from mips_core.evaluation.builder import Tried
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.intervals import lower_bound
from mips_core.methods.baselines.exact_search import ExactSearch
from mips_core.methods.bits import pack_bits
from mips_core.methods.hashing.srp import SRPHash
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.methods.trees.pca import PCATree
from mips_core.studies.tuning import Budget, Need, cheapest, further, most_precise, tune

K = 10
GRID = (
    *(FlatKMeans(n_clusters=k) for k in (10, 30, 90)),
    HierarchicalKMeans(n_clusters=64),
    SRPHash(n_bits=6, n_tables=16),
)


def dataset(m=120, n=900, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return Dataset(X, rng.normal(size=(m, d)).astype(np.float32))


@cache
def tried(indexes=GRID, m=120):
    data = dataset(m)
    truth = truth_of(data)
    made = []
    for number, index in enumerate(indexes):
        searcher = index.searcher(index.build(data.items, rng_for(0)))
        made.append(Tried(evaluate(index, searcher, truth, 0, K=K), 1.0 + number, 1000 - number))
    return tuple(made)


def invented(precisions, costs, rng, m=200, label=0):
    """One index whose efforts find each answer with these probabilities, at these costs."""
    p = len(precisions)
    draws = rng.random((m, K))
    ranks = np.searchsorted(np.asarray(precisions), draws).astype(np.int32)
    zeros = np.zeros((m, K))
    truth = Truth(
        np.ones((m, 1), np.float32), zeros.astype(int), zeros, np.zeros(m), 10**6, 10**6, 0
    )
    half = np.tile(np.asarray(costs, float) * m / 2, (2, 1))
    index = SRPHash(n_bits=1 + label)
    found = Evaluation(index, 0, truth, np.arange(1, p + 1), ranks, None, {"candidates": half})
    return Tried(found, 1.0, 1000)


def points(some, fold):
    """(tried, position, precision, lower end, cost) of everything, from the definitions."""
    for number, one in enumerate(some):
        curve = one.evaluation.curve((K,), fold)
        for at in range(len(curve.efforts)):
            lower = lower_bound(curve.histograms[K][at : at + 1], 0.95)[0]
            yield number, at, curve.precision(K)[at], lower, curve.mean_cost[at]


def same_setting(trial, some, point):
    evaluation = some[point[0]].evaluation
    return (trial.setting.index, trial.setting.effort) == (
        evaluation.index,
        evaluation.efforts[point[1]],
    )


@pytest.mark.parametrize("target", [0.5, 0.8, 0.9, 0.95])
def test_settings_are_ordered_by_one_half_and_tested_on_the_other(target):
    some = tried()
    tuning = [p for p in points(some, 0) if p[4] < 900]
    held_out = {p[:2]: p for p in points(some, 1)}
    path = [p for p in tuning if not any(q[3] >= p[3] and q[4] < p[4] for q in tuning)]
    path = [p for p in path if not any(q[3] > p[3] and q[4] == p[4] for q in path)]
    path.sort(key=lambda p: -p[4])
    holds = [held_out[p[:2]][3] >= target for p in path]
    passed = holds.index(False) if False in holds else len(path)
    found = cheapest(some, K, Need(target))
    assert passed
    assert same_setting(found.chosen, some, path[passed - 1])
    assert len(found.tested) == min(passed + 1, len(path))
    assert all(same_setting(t, some, p) for t, p in zip(found.tested, path, strict=False))
    assert found.chosen.precision == held_out[path[passed - 1][:2]][2]
    assert found.chosen.cost == held_out[path[passed - 1][:2]][4]
    assert found.chosen.tuned_cost == path[passed - 1][4]
    assert (found.m_tuning, found.m_held_out, found.n_settings) == (60, 60, len(GRID))
    assert found.n_efforts == len(held_out)


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
    found = cheapest([at_other_costs(one, rng) for one in some], K, Need(target))
    *safer, last = found.tested
    assert all(trial.verdict == "holds" and trial.lower >= target for trial in safer)
    costs = [trial.tuned_cost for trial in found.tested]
    assert costs == sorted(costs, reverse=True)
    if found.chosen is None:
        assert not safer
        assert last.lower < target
        assert found.best.lower < target
        assert found.close_call is None
    else:
        assert found.chosen.setting in [trial.setting for trial in found.tested]
        assert found.chosen.lower >= target
    shown = [trial.setting for trial in found.runners_up]
    assert len(set(shown)) == len(shown) <= 8
    assert [t.cost for t in found.runners_up] == sorted(t.cost for t in found.runners_up)
    passed = [trial.setting for trial in safer]
    if found.close_call is not None:
        assert found.close_call.setting in shown
        assert found.close_call.setting not in passed
        assert found.close_call.verdict == "cannot tell"
        assert found.close_call.cost < found.chosen.cost
        assert found.close_call.interval[1] >= target
        assert found.queries_needed is None or found.queries_needed > 200
    for trial in found.runners_up:
        low, high = trial.interval
        assert low <= trial.precision <= high
        if trial.verdict == "holds":
            assert low >= target
            assert trial.setting in passed or trial.cost >= found.chosen.cost
        elif trial.verdict == "does not hold":
            assert high < target
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


def test_settings_that_save_nothing_are_no_answer_but_exact_search_is():
    without = cheapest(tried(), K, Need(1.0))
    assert without.chosen is None
    assert without.queries_needed is None
    assert "Only exact search can promise 1" in without.in_words()
    given_it = cheapest(tried((*GRID, ExactSearch())), K, Need(1.0))
    assert given_it.chosen.setting.index == ExactSearch()
    assert given_it.chosen.interval == (1.0, 1.0)
    assert "as many inner products as exact search (900)" in given_it.in_words()
    assert "which is certain" in given_it.in_words()


@pytest.mark.parametrize("key", [key for key, cls in INDEXES.items() if cls.complete])
def test_what_calls_itself_complete_misses_nothing_at_its_last_effort(key):
    for n in (1, 2, 300):
        data = dataset(m=30, n=n, d=3)
        index = INDEXES[key]()
        searcher = index.searcher(index.build(data.items, rng_for(0)))
        curve = evaluate(index, searcher, truth_of(data), 0, K=K).curve((K,))
        assert curve.precision(K)[-1] == 1.0


def test_an_exact_tree_is_an_answer_where_it_saves():
    data = dataset(n=900, d=2, m=60)
    found = tune(data, [IPTree()], K, Need(1.0), refine=False)
    assert found.chosen.lower == 1.0
    assert found.chosen.cost < 900


def test_out_of_reach_the_best_there_is_is_said():
    found = cheapest(tried((GRID[-1],)), K, Need(0.99))
    assert found.chosen is None
    tuning = [p for p in points(tried((GRID[-1],)), 0) if p[4] < 900]
    most = max(tuning, key=lambda p: (p[2], -p[4]))
    assert same_setting(found.best, tried((GRID[-1],)), most)
    words = found.in_words()
    assert words.startswith("**No setting reaches 0.99 at 95% confidence.** The best is ")
    assert "SRP-hash" in words
    assert words.endswith(
        "More queries would not change that: lower the target, or try other methods."
    )


def test_a_best_above_the_target_says_how_many_queries_would_do():
    rng = np.random.default_rng(0)
    found = cheapest([invented([0.98], [100], rng, m=40)], K, Need(0.95))
    assert found.chosen is None
    assert found.best.precision > 0.95
    assert found.queries_needed > 40
    assert f"take about {rounded(found.queries_needed):,} queries" in found.in_words()


def test_a_close_call_is_said_in_words():
    rng = np.random.default_rng(3)
    some = [invented([0.97], [2000], rng), invented([0.9], [1000], rng, label=1)]
    target = round(some[1].evaluation.curve((K,), 1).precision(K)[0] - 0.005, 3)
    found = cheapest(some, K, Need(target))
    assert found.chosen.setting.index == some[0].evaluation.index
    assert found.close_call.setting.index == some[1].evaluation.index
    assert found.in_words().endswith(
        "SRP-hash, 2 bits, 64 tables, 1 table (1,000 inner products) may reach "
        f"{target:g} too, but 100 held-out queries cannot settle it. "
        f"About {rounded(found.queries_needed):,} queries in all would."
    )


@pytest.mark.parametrize("m", [1, FEWEST_TO_SPLIT - 1])
def test_without_queries_to_hold_out_nothing_is_tuned(m):
    data = dataset(m=m)
    with pytest.raises(DataError, match="Tuning needs 20 queries or more"):
        tune(data, GRID, K, Need(0.9))
    with pytest.raises(DataError, match=f"There (is 1 query|are {m} queries)"):
        cheapest(tried(GRID[:1], m=m), K, Need(0.9))


def test_bad_questions_are_refused_in_words():
    for precision in (0, -1, 1.01):
        with pytest.raises(ParamError, match="precision asked for"):
            Need(precision)
    for confidence in (0.4, 1, 2):
        with pytest.raises(ParamError, match="confidence asked for"):
            Need(0.9, confidence)
    with pytest.raises(ParamError, match="limit of seconds is -1"):
        Budget(seconds=-1)
    with pytest.raises(ParamError, match="limit of inner products is nan"):
        Budget(inner_products=float("nan"))
    with pytest.raises(ParamError, match="No setting was tried"):
        cheapest([], K, Need(0.9))
    with pytest.raises(ParamError, match="K is 101"):
        tune(dataset(), GRID, 101, Need(0.9))
    with pytest.raises(ParamError, match="measured at K = 10 alone"):
        cheapest(tried((IPTree(),)), 5, Need(0.9))


def test_fewer_items_than_answers():
    data = dataset(n=4, m=40)
    found = tune(data, [FlatKMeans(), ExactSearch()], K, Need(0.9))
    assert found.K == 4
    assert "of the true top 4" in found.in_words()


def test_one_item():
    found = tune(dataset(n=1, m=40), [FlatKMeans()], 1, Need(0.9))
    assert found.chosen.precision == 1
    assert "**more** inner products than exact search (2 instead of 1)" in found.in_words()


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
    found = most_precise(some, K, budget)
    tuning = [
        p
        for p in points(some, 0)
        if p[4] <= 0.98 * (budget.inner_products or np.inf)
        and some[p[0]].bytes <= (budget.bytes or np.inf)
        and some[p[0]].seconds <= (budget.seconds or np.inf)
    ]
    best = max(tuning, key=lambda p: (p[2], -p[4]))
    assert same_setting(found.chosen, some, best)
    held_out = next(p for p in points(some, 1) if p[:2] == best[:2])
    assert (found.chosen.precision, found.chosen.cost) == (held_out[2], held_out[4])
    low, high = some[best[0]].evaluation.curve((K,), 1).interval(K)[best[1]]
    sure = found.chosen.setting.effort == max(some[best[0]].evaluation.efforts)
    assert found.chosen.interval == ((1, 1) if sure else pytest.approx((low, high), abs=1e-12))
    assert {t.setting.index.key for t in found.runners_up}.isdisjoint(
        {found.chosen.setting.index.key}
    )
    assert found.why_none == ""


def test_a_setting_may_pass_its_budget_on_other_queries_and_this_is_said():
    rng = np.random.default_rng(0)
    one = invented([0.9], [100], rng)
    uneven = replace(one.evaluation, costs={"candidates": np.array([[9_700.0], [10_300.0]])})
    found = most_precise([replace(one, evaluation=uneven)], K, Budget(inner_products=100))
    assert (found.chosen.cost, found.chosen.verdict) == (103, "does not hold")
    assert found.in_words().endswith("it costs a little more than the 100 allowed.")


def test_a_limit_met_by_a_hair_is_met():
    one = invented([0.9], [99], np.random.default_rng(0))
    found = most_precise([one], K, Budget(inner_products=100))
    assert found.chosen.verdict == "holds"
    assert "(99 instead of 1,000,000)" in found.in_words()


def test_where_nothing_fits_the_least_there_is_is_said():
    nothing = most_precise(tried(), K, Budget(inner_products=2, bytes=10))
    assert nothing.chosen is None
    words = nothing.in_words()
    assert words.startswith("**No setting keeps the budget.** Nothing tried takes at most 2 inner")
    assert "at most 10 bytes of memory; the least is 996 bytes of memory: SRP-hash" in words
    clash = most_precise(tried(), K, Budget(bytes=996, seconds=1))
    assert clash.why_none.startswith("Each limit is kept by some setting, but none keeps all: ")


def test_further_settings_lie_between_those_tried_and_are_new():
    found = further(tried(), K, Need(0.9), 900, 6)
    known = {one.evaluation.index for one in tried()}
    assert 0 < len(found) <= 12
    assert len(set(found)) == len(found)
    assert known.isdisjoint(found)
    assert any(isinstance(i, FlatKMeans) and i.reduction.U != 0.75 for i in found) or any(
        i.reduction.kind == "sphere" for i in found if hasattr(i, "reduction")
    )
    again = further(tried((*GRID, *found[:3])), K, Need(0.9), 900, 6)
    assert not set(found[:3]) & set(again)


def test_a_step_in_the_main_parameter_is_halved_in_ratio():
    some = tried(tuple(FlatKMeans(n_clusters=k) for k in (8, 15, 30, 60, 120, 240)))
    best = cheapest(some, K, Need(0.8)).chosen.setting.index.n_clusters
    found = {index.n_clusters for index in further(some, K, Need(0.8), 900, 6)}
    steps = {8, 15, 30, 60, 120, 240}
    below, above = max(s for s in steps if s < best), min(s for s in steps if s > best)
    assert {round((best * below) ** 0.5), round((best * above) ** 0.5)} <= found


@pytest.mark.parametrize("n", [1, 2, 5])
def test_further_settings_of_small_sets_can_be_built(n):
    data = dataset(n=n, m=24, d=2)
    everything = [cls().explicit(n) for cls in INDEXES.values()]
    found = tune(data, everything, 1, Need(0.9))
    assert found.chosen.precision == 1


def test_a_run_shows_its_best_so_far_and_ends_with_what_all_give():
    seen = []
    indexes = [*GRID, PCATree(boosting=True), PCATree(boosting=False)]
    found = tune(dataset(), indexes, K, Need(0.9), progress=lambda *told: seen.append(told))
    fractions = [told[0] for told in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)
    so_far = [told[2] for told in seen if len(told) > 2 and told[2] is not None]
    assert [each.n_settings for each in so_far] == list(range(1, found.n_settings + 1))
    assert found.n_settings > len(indexes)
    without = tune(dataset(), indexes, K, Need(0.9), refine=False)
    assert without.n_settings == len(indexes)
    assert without.in_words() == so_far[len(indexes) - 1].in_words()


def test_a_run_is_cancelled_between_two_steps():
    def cancel(fraction, message, partial=None):
        if partial is not None:
            raise Cancelled

    with pytest.raises(Cancelled):
        tune(dataset(), GRID, K, Budget(seconds=60), progress=cancel)


def test_one_structure_serves_settings_that_ask_it_differently(monkeypatch):
    built = []
    build = PCATree.build
    monkeypatch.setattr(PCATree, "build", lambda self, *a: built.append(1) or build(self, *a))
    both = [PCATree(boosting=True), PCATree(boosting=False)]
    assert tune(dataset(), both, K, Need(0.5), refine=False).n_settings == 2
    assert len(built) == 1
