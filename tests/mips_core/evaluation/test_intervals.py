"""Intervals of a mean precision: how often they hold it, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom, binom

from mips_core.base.errors import ParamError
from mips_core.evaluation.intervals import lower_bound, precision_interval
from mips_core.evaluation.precision import mean_precision

SAMPLES = 2000


def independent(K, p):
    return binom.pmf(np.arange(K + 1), K, p)


def spread_by(concentration):
    """Queries differ: their own precisions follow a beta distribution."""

    def law(K, p):
        a, b = concentration * p, concentration * (1 - p)
        return betabinom.pmf(np.arange(K + 1), K, a, b)

    return law


def all_or_nothing(K, p):
    return np.r_[1 - p, np.zeros(K - 1), p]


def mostly_perfect(K, p):
    perfect = 0.9 * p
    rest = (1 - perfect) * spread_by(1)(K, (p - perfect) / (1 - perfect))
    rest[K] += perfect
    return rest


LAWS = {
    "independent": independent,
    "a + b = 8": spread_by(8),
    "a + b = 2": spread_by(2),
    "a + b = 1/2": spread_by(0.5),
    "all or nothing": all_or_nothing,
    "mostly perfect": mostly_perfect,
}


def samples_of(law, K, p, m, count=SAMPLES):
    """(count, K+1) histograms of m queries each, and the true mean."""
    chances = law(K, p) / law(K, p).sum()
    rng = np.random.default_rng(K + m)
    return rng.multinomial(m, chances, size=count), chances @ np.arange(K + 1) / K


@pytest.mark.parametrize(
    ("name", "K"),  # of one answer there is only one law
    [("independent", 1), *((name, K) for name in LAWS for K in (10, 100))],
)
@pytest.mark.parametrize("m", [2000, 250, 100, 20, 5])
def test_intervals_hold_the_true_mean_as_often_as_they_say(name, K, m):
    for p in (0.5, 0.8, 0.95, 0.99):
        histograms, true = samples_of(LAWS[name], K, p, m)
        low, high = precision_interval(histograms).T
        held = np.mean((low <= true) & (true <= high))
        if m == 2000 and p < 0.99:
            assert 0.93 <= held <= 0.97, p
        else:
            assert held >= 0.9, p
        assert np.mean(lower_bound(histograms) <= true) >= (0.93 if m >= 100 else 0.92), p
        assert (high > low).all()
        assert low.min() >= 0
        assert high.max() <= 1


def some_histogram(m, K, seed, shape):
    rng = np.random.default_rng(seed)
    hits = rng.binomial(K, rng.beta(shape, 1, size=m))
    return np.bincount(hits, minlength=K + 1)[None]


histograms = st.builds(
    some_histogram,
    m=st.integers(1, 300),
    K=st.integers(1, 100),
    seed=st.integers(0, 2**31),
    shape=st.sampled_from([0.05, 1.0, 20.0, 1000.0]),
)
confidences = st.floats(0.001, 0.999)


@given(histograms, confidences, confidences)
def test_more_confidence_is_a_wider_interval_around_the_mean(histogram, one, other):
    less, more = sorted((one, other))
    (mean,) = mean_precision(histogram)
    inner, outer = precision_interval(histogram, less)[0], precision_interval(histogram, more)[0]
    assert 0 <= outer[0] <= inner[0] <= mean <= inner[1] <= outer[1] <= 1
    assert inner[0] < inner[1]
    assert lower_bound(histogram, more) <= lower_bound(histogram, less)


@given(histograms, confidences)
def test_misses_are_as_sure_as_hits(histogram, confidence):
    low, high = precision_interval(histogram, confidence)[0]
    mirrored = precision_interval(histogram[:, ::-1], confidence)[0]
    np.testing.assert_allclose(mirrored, [1 - high, 1 - low], atol=1e-12)


@given(histograms, st.floats(0.51, 0.999))
def test_one_side_of_an_interval_leaves_out_half_as_much(histogram, confidence):
    one_sided = lower_bound(histogram, confidence)
    np.testing.assert_allclose(
        one_sided, precision_interval(histogram, 2 * confidence - 1)[:, 0], atol=1e-12
    )
    np.testing.assert_allclose(lower_bound(histogram, 0.5), mean_precision(histogram), atol=1e-12)


@given(st.integers(1, 500), st.data())
def test_one_answer_a_query_gives_the_interval_of_wilson(m, data):
    found = data.draw(st.integers(0, m))
    ends = precision_interval(np.array([[m - found, found]]))[0]
    # Its ends are the means from which what was found is 1.96 standard errors away.
    np.testing.assert_allclose(
        (found / m - ends) ** 2, 1.959964**2 * ends * (1 - ends) / m, rtol=1e-4, atol=1e-12
    )


@pytest.mark.parametrize("K", [1, 10, 100])
def test_without_a_miss_a_query_is_one_trial(K):
    histogram = np.zeros((1, K + 1), int)
    histogram[0, K] = 500
    assert lower_bound(histogram, 0.95)[0] == pytest.approx(500 / (500 + 1.644854**2), rel=1e-6)


def test_a_single_miss_does_not_make_much_surer_than_none():
    perfect, one_miss = np.zeros((2, 101), int)
    perfect[100], one_miss[[99, 100]] = 100, (1, 99)
    bounds = lower_bound(np.stack([perfect, one_miss]))
    assert 1 - bounds[1] > (1 - bounds[0]) / 2


@given(histograms)
def test_more_of_the_same_queries_make_it_surer(histogram):
    once, twice = (precision_interval(times * histogram)[0] for times in (1, 4))
    assert np.ptp(twice) < np.ptp(once)


@pytest.mark.parametrize("bad", [-0.1, 0.0, 1.0, 95.0, float("nan")])
def test_what_is_no_confidence_is_refused(bad):
    histogram = np.array([[1, 2]])
    for asked in (precision_interval, lower_bound):
        with pytest.raises(ParamError, match=r"confidence is .* above 0 and below 1"):
            asked(histogram, bad)


@given(st.integers(1, 300), st.integers(1, 20), st.integers(0, 2**31))
def test_intervals_hold_the_mean_and_never_vanish(m, K, seed):
    rng = np.random.default_rng(seed)
    hits = rng.binomial(K, rng.beta(5, 1, size=m))
    histogram = np.bincount(hits, minlength=K + 1)[None]
    low, high = precision_interval(histogram)[0]
    assert 0 <= low <= hits.mean() / K <= high <= 1
    assert high > low


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_intervals_are_honest_at_the_ends(share):
    histogram = np.zeros((1, 11), int)
    histogram[0, int(share * 10)] = 500
    low, high = precision_interval(histogram)[0]
    assert high - low == pytest.approx(1.96**2 / (500 + 1.96**2), rel=1e-3)


@pytest.mark.parametrize(("K", "true"), [(1, 0.8), (10, 0.8), (100, 0.95)])
def test_intervals_cover_as_often_as_they_say(K, true):
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        shares = rng.beta(8 * true, 8 * (1 - true), size=2000) if K > 1 else true
        hits = rng.binomial(K, shares, size=2000)
        low, high = precision_interval(np.bincount(hits, minlength=K + 1)[None])[0]
        covered += low <= true <= high
    assert 930 <= covered <= 970
