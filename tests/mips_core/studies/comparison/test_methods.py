"""The difference of two methods: laws, how often it names a winner, how it is measured."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from mips_core import Dataset, evaluate, rng_for, truth_of
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.setting import Setting
from mips_core.methods.baselines.exact_search import ExactSearch
from mips_core.methods.baselines.largest_norm import LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.comparison import (
    FEWEST_SEEDS,
    Difference,
    compare_at_precision,
    compare_at_speedup,
    difference,
    scored,
)


def hits_of_both(rng, S, m, K, *, apart=0.0, builds=0.0, mean=0.8):
    """(2, S, m) hits: queries differ, builds differ by `builds`, the first finds `apart` more."""
    query = rng.beta(4 * mean, 4 * (1 - mean), size=m)
    build = rng.normal(0, builds, size=(2, S, 1)) + np.array([apart / 2, -apart / 2])[:, None, None]
    own = np.clip(query + build, 0, 1)
    return rng.binomial(K, rng.beta(4 * own + 1e-9, 4 * (1 - own) + 1e-9))


@st.composite
def any_hits(draw):
    S, m, K = draw(st.integers(1, 5)), draw(st.integers(1, 60)), draw(st.integers(1, 100))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    low, high = sorted(draw(st.tuples(st.integers(0, K), st.integers(0, K))))
    return rng.integers(low, high + 1, size=(2, S, m)), K


@given(any_hits())
def test_a_difference_is_the_mean_of_its_seeds_within_its_interval(known):
    (first, second), K = known
    found = difference(list(first), list(second), K)
    assert (found.K, found.m) == (K, first.shape[1])
    np.testing.assert_allclose(found.by_seed, (first - second).mean(axis=1) / K)
    assert found.mean == pytest.approx(np.mean(found.by_seed))
    assert -1 <= found.low <= found.mean <= found.high <= 1
    assert found.low < found.high
    if found.winner:
        assert len(found.by_seed) >= FEWEST_SEEDS
        assert found.low > 0 if found.winner == "first" else found.high < 0
        assert found.queries_needed is None
    elif found.queries_needed is not None:
        assert found.queries_needed > found.m


@given(any_hits())
def test_the_other_way_round_it_is_the_opposite(known):
    (first, second), K = known
    one, other = difference(first, second, K), difference(second, first, K)
    np.testing.assert_allclose([one.low, one.high], [-other.high, -other.low], atol=1e-12)
    np.testing.assert_allclose(one.by_seed, np.negative(other.by_seed))
    assert one.winner == {"first": "second", "second": "first", None: None}[other.winner]
    assert one.queries_needed == other.queries_needed


@given(any_hits(), st.integers(2, 5))
def test_shares_count_not_the_number_of_answers(known, times):
    (first, second), K = known
    one, other = difference(first, second, K), difference(times * first, times * second, times * K)
    np.testing.assert_allclose([one.low, one.high], [other.low, other.high], atol=1e-12)


@pytest.mark.parametrize("S", [1, 3])
@pytest.mark.parametrize("m", [1, 5, 500])
def test_no_difference_seen_is_not_sure_to_be_none(S, m):
    same = np.full((S, m), 7)
    found = difference(same, same, 10)
    half = student.ppf(0.975, m + 1) * np.sqrt(2 / (m + 1) / (m + 2))
    assert found.high == -found.low == pytest.approx(min(half, 1.0))
    assert (found.mean, found.winner, found.queries_needed) == (0.0, None, None)


@given(st.integers(2, 200), st.integers(0, 2**31))
def test_one_answer_and_one_build_give_the_interval_of_bonett_and_price(m, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.random((2, 1, m)) < rng.random((2, 1, 1))
    won, lost = ((first > second).sum() + 1) / (m + 2), ((second > first).sum() + 1) / (m + 2)
    half = student.ppf(0.975, m + 1) * np.sqrt((won + lost - (won - lost) ** 2) / (m + 1))
    found = difference(first.astype(int), second.astype(int), 1)
    ends = np.clip([won - lost - half, won - lost + half], -1, 1)
    expected = min(ends[0], found.mean), max(ends[1], found.mean)
    np.testing.assert_allclose([found.low, found.high], expected, atol=1e-12)


@pytest.mark.parametrize(("S", "m", "K"), [(3, 50, 1), (3, 250, 10), (3, 250, 100), (5, 250, 10)])
@pytest.mark.parametrize("builds", [0.0, 0.01, 0.05])
def test_equal_methods_seldom_win_however_much_builds_differ(S, m, K, builds):
    rng = np.random.default_rng(1)
    found = [difference(*hits_of_both(rng, S, m, K, builds=builds), K) for _ in range(300)]
    assert np.mean([one.winner is not None for one in found]) <= 0.07


@pytest.mark.parametrize("builds", [0.0, 0.01, 0.05])
def test_the_interval_holds_the_true_difference(builds):
    rng = np.random.default_rng(2)
    drawn = [hits_of_both(rng, 3, 250, 10, apart=0.05, builds=builds, mean=0.5) for _ in range(300)]
    found = [difference(*hits, 10) for hits in drawn]
    assert np.mean([one.low <= 0.05 <= one.high for one in found]) >= 0.94


def test_luck_that_one_seed_brings_to_both_makes_it_wider_and_never_too_narrow():
    rng = np.random.default_rng(6)
    found = []
    for _ in range(200):
        shares = rng.beta(8, 2, size=250) + rng.normal(0, 0.05, size=(3, 1))
        first, second = rng.binomial(10, np.clip(shares, 0, 1), size=(2, 3, 250))
        found.append(difference(first, second, 10))
    assert np.mean([one.winner is not None for one in found]) <= 0.01
    spread = np.std([one.mean for one in found])
    assert np.median([one.high - one.low for one in found]) > 2 * 1.96 * spread


def test_ignoring_builds_would_name_winners_that_are_none():
    rng = np.random.default_rng(3)
    drawn = [hits_of_both(rng, 3, 1000, 10, builds=0.03) for _ in range(100)]
    one_build = [difference(*hits.reshape(2, 1, -1), 10) for hits in drawn]
    assert np.mean([one.low > 0 or one.high < 0 for one in one_build]) > 0.3
    assert np.mean([difference(*hits, 10).winner is not None for hits in drawn]) < 0.1


def test_as_many_queries_as_it_says_name_a_winner():
    rng = np.random.default_rng(4)
    undecided = [difference(*hits_of_both(rng, 3, 100, 10, apart=0.02), 10) for _ in range(200)]
    usual = [one for one in undecided if one.queries_needed and abs(one.mean - 0.02) < 0.003]
    needed = int(np.median([one.queries_needed for one in usual]))
    assert needed > 100
    asked = [difference(*hits_of_both(rng, 3, needed, 10, apart=0.02), 10) for _ in range(100)]
    assert np.mean([one.winner == "first" for one in asked]) >= 0.7


def test_where_builds_differ_too_much_no_number_of_queries_helps():
    first = np.repeat([[9], [7], [5]], 400, axis=1)
    second = np.repeat([[8], [6], [6]], 400, axis=1)
    found = difference(first, second, 10)
    assert (found.winner, found.queries_needed) == (None, None)
    assert "builds differ so much that not more queries" in found.in_words("A", "B", "30×")


def test_fewer_than_three_builds_name_no_winner():
    first, second = np.full((2, 2, 300), [[[9]], [[5]]])
    for builds in (1, 2):
        found = difference(first[:builds], second[:builds], 10)
        assert found.low > 0
        assert (found.winner, found.queries_needed) == (None, None)
        words = found.in_words("A", "B", "30×")
        assert words.startswith("At 30×, A keeps 40.0 points more than B with 300 queries and")
        assert "a winner is named from 3 builds on" in words
    assert difference([*first, first[0]], [*second, second[0]], 10).winner == "first"


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (
            {"mean": 0.0312, "low": 0.011, "high": 0.05, "winner": "first"},
            "At 30×, A keeps 3.1 points more than B (95% interval 1.1 to 5.0).",
        ),
        (
            {"mean": -0.0312, "low": -0.05, "high": -0.0002, "winner": "second"},
            "At 30×, B keeps 3.1 points more than A (95% interval 0.02 to 5.0).",
        ),
        (
            {"mean": 0.01, "low": -0.01, "high": 0.03, "queries_needed": 2349},
            "At 30×, A and B cannot be told apart with 250 queries; about 2,400 would settle it.",
        ),
        (
            {"mean": 0.0, "low": -0.01, "high": 0.01},
            "At 30×, A and B cannot be told apart with 250 queries; no difference was seen.",
        ),
        (
            {"mean": 1e-5, "low": -0.01, "high": 0.01, "by_seed": (1e-5, 1e-5, 1e-5)},
            "At 30×, A and B cannot be told apart with 250 queries; the difference is too small "
            "for any number of queries to settle it.",
        ),
        (
            {"mean": 0.1, "low": -1.0, "high": 1.0, "m": 1, "queries_needed": 40},
            "At 30×, A and B cannot be told apart with 1 query: with so few, any difference is "
            "possible.",
        ),
        (
            {"mean": 0.0, "low": -0.9, "high": 0.9, "by_seed": (0.0,), "m": 1},
            "At 30×, A and B keep the same share with 1 query and 1 build of each. A build can be "
            "lucky: a winner is named from 3 builds on.",
        ),
    ],
)
def test_what_was_found_is_said_in_words(known, words):
    usual = {"K": 10, "m": 250, "by_seed": (0.0, 0.0, 0.0), "winner": None, "queries_needed": None}
    assert Difference(**{**usual, **known}).in_words("A", "B", "30×") == words


@pytest.mark.parametrize(
    ("first", "second"),
    [([[1, 2]], [[1, 2, 3]]), ([[1, 2]], [[1, 2], [1, 2]]), ([], []), ([[1], [1, 2]], [[1], [1]])],
)
def test_hits_that_do_not_fit_together_are_refused(first, second):
    with pytest.raises(ParamError, match="same builds and queries"):
        difference([np.array(h) for h in first], [np.array(h) for h in second], 10)


def dataset_of(m=60, n=900):
    rng = np.random.default_rng(5)
    X = (rng.normal(size=(n, 6)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return Dataset(X, rng.normal(size=(m, 6)).astype(np.float32))


FLAT = [FlatKMeans(n_clusters=k) for k in (10, 30)]
TREE = [HierarchicalKMeans(n_clusters=64)]


def searched(index, seed, dataset, K=None):
    searcher = index.searcher(index.build(dataset.items, rng_for(seed)))
    return evaluate(index, searcher, truth_of(dataset), seed, K=K)


@pytest.mark.parametrize("m", [60, FEWEST_TO_SPLIT - 1])
def test_what_is_chosen_on_some_queries_is_scored_on_others(m):
    dataset = dataset_of(m)
    found = compare_at_speedup(dataset, FLAT, TREE, 5, 6.0, seeds=(3, 4, 5))
    choosing, scoring = (0, 1) if m >= FEWEST_TO_SPLIT else (None, None)
    assert found.split == (m >= FEWEST_TO_SPLIT)
    assert found.m_choosing == len(range(m)[choosing :: 2 if found.split else 1])
    for solved, one in zip(found.solved, found.scored, strict=True):
        index = solved.setting.index
        curve = searched(index, 3, dataset).curve((5,), choosing)
        at = list(curve.efforts).index(solved.setting.effort)
        assert (solved.speedup, solved.precision) == (curve.speedup[at], curve.precision(5)[at])
        assert one.seeds == (3, 4, 5)
        for number, seed in enumerate(one.seeds):
            curve = searched(index, seed, dataset).curve((5,), scoring)
            at = list(curve.efforts).index(one.efforts[number])
            assert one.speedups[number] == curve.speedup[at]
            assert one.precisions[number] == pytest.approx(curve.precision(5)[at])
            np.testing.assert_allclose(one.intervals[number], curve.interval(5)[at])
    assert found.difference == difference(found.scored[0].hits, found.scored[1].hits, 5)
    again = compare_at_speedup(dataset, FLAT, TREE, 5, 6.0, seeds=(3, 4, 5, 5))
    assert again.difference == found.difference


def test_at_a_precision_the_cheapest_of_each_are_compared():
    found = compare_at_precision(dataset_of(), FLAT, TREE, 5, 0.9)
    assert found.reached
    assert min(one.precision for one in found.solved) >= 0.9
    out_of_reach = compare_at_precision(dataset_of(), [LargestNorm()], [ExactSearch()], 5, 1.0)
    assert out_of_reach.solved[1].reached


def test_a_build_without_the_effort_is_asked_at_the_next_smaller():
    dataset = dataset_of()
    asked = [searched(FlatKMeans(n_clusters=k), seed, dataset) for k, seed in ((30, 0), (8, 1))]
    assert scored(asked, Setting(FLAT[1], 0, 20), 5).efforts == (20, 8)
    assert scored(asked, Setting(FLAT[1], 0, 0), 5).efforts == (1, 1)


def test_candidates_that_depend_on_k_and_more_answers_than_items():
    found = compare_at_speedup(dataset_of(n=7), [IPTree()], [ExactSearch()], 10, 1.0, seeds=(0,))
    assert found.difference.K == 7
    assert [one.precisions for one in found.scored][1] == (1.0,)


def test_progress_rises_to_the_end_and_cancels():
    seen = []

    def note(fraction, message, partial=None):
        seen.append(fraction)

    compare_at_speedup(dataset_of(), FLAT, TREE, 5, 6.0, progress=note)
    assert seen == sorted(seen)
    assert seen[-1] == 1

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        compare_at_speedup(dataset_of(), FLAT, TREE, 5, 6.0, progress=stop)


def test_what_cannot_be_compared_is_told():
    dataset = dataset_of()
    with pytest.raises(ParamError, match="nothing to compare"):
        compare_at_speedup(dataset, FLAT, [], 5, 6.0)
    with pytest.raises(ParamError, match="nothing to compare"):
        compare_at_speedup(dataset, FLAT, TREE, 5, 6.0, seeds=())
    for speedup in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(ParamError, match=f"speedup is {speedup:g}"):
            compare_at_speedup(dataset, FLAT, TREE, 5, speedup)
    with pytest.raises(ParamError, match="precision is 95"):
        compare_at_precision(dataset, FLAT, TREE, 5, 95)
    with pytest.raises(ParamError, match="K is 101"):
        compare_at_speedup(dataset, FLAT, TREE, 101, 6.0)
    with pytest.raises(DataError, match="no queries"):
        compare_at_speedup(Dataset(dataset.items), FLAT, TREE, 5, 6.0)
