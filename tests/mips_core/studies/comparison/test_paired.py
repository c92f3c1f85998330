"""The interval of a difference against its definition and by simulation; its sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from mips_core.base.errors import ParamError
from mips_core.studies.comparison import FEWEST_SEEDS, Difference, difference


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
    apart = difference(list(first), list(second), K)
    assert (apart.K, apart.m) == (K, first.shape[1])
    np.testing.assert_allclose(apart.by_seed, (first - second).mean(axis=1) / K)
    assert apart.mean == pytest.approx(np.mean(apart.by_seed))
    assert -1 <= apart.low <= apart.mean <= apart.high <= 1
    assert apart.low < apart.high
    if apart.winner:
        assert len(apart.by_seed) >= FEWEST_SEEDS
        assert apart.low > 0 if apart.winner == "first" else apart.high < 0
        assert apart.queries_needed is None
    elif apart.queries_needed is not None:
        assert apart.queries_needed > apart.m


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
    apart = difference(same, same, 10)
    half = student.ppf(0.975, m + 1) * np.sqrt(2 / (m + 1) / (m + 2))
    assert apart.high == -apart.low == pytest.approx(min(half, 1.0))
    assert (apart.mean, apart.winner, apart.queries_needed) == (0.0, None, None)


@given(st.integers(2, 200), st.integers(0, 2**31))
def test_one_answer_and_one_build_give_the_interval_of_bonett_and_price(m, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.random((2, 1, m)) < rng.random((2, 1, 1))
    won, lost = ((first > second).sum() + 1) / (m + 2), ((second > first).sum() + 1) / (m + 2)
    half = student.ppf(0.975, m + 1) * np.sqrt((won + lost - (won - lost) ** 2) / (m + 1))
    apart = difference(first.astype(int), second.astype(int), 1)
    ends = np.clip([won - lost - half, won - lost + half], -1, 1)
    expected = min(ends[0], apart.mean), max(ends[1], apart.mean)
    np.testing.assert_allclose([apart.low, apart.high], expected, atol=1e-12)


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
    apart = difference(first, second, 10)
    assert (apart.winner, apart.queries_needed) == (None, None)
    assert "builds differ so much that not more queries" in apart.in_words("A", "B", "30×")


def test_fewer_than_three_builds_name_no_winner():
    first, second = np.full((2, 2, 300), [[[9]], [[5]]])
    for builds in (1, 2):
        apart = difference(first[:builds], second[:builds], 10)
        assert apart.low > 0
        assert (apart.winner, apart.queries_needed) == (None, None)
        words = apart.in_words("A", "B", "30×")
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
