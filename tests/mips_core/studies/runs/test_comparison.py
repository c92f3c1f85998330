"""Runs held against each other, at a speedup and at a precision."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import ParamError
from mips_core.methods.baselines import ExactSearch
from mips_core.studies.comparison import difference
from mips_core.studies.runs import common_speedup, difference_of
from mips_core.studies.runs.comparison import at_precision, at_speedup
from mips_core.studies.runs.wording import in_words
from tests.mips_core.studies.runs.run_cases import run_made


def test_the_difference_is_the_paired_one_of_the_nearest_efforts(runs):
    speedup = common_speedup(runs, 10)
    compared = difference_of(runs, 10, speedup, 0.9)
    assert compared.reached
    assert [pair.paired for pair in compared.settled] == [True, True]
    for run, one in zip(runs, compared.at_speedup, strict=True):
        ratios = np.abs(np.log(run.curve.speedup / speedup))
        assert ratios[one.at] == ratios.min()
        assert sum(one.costs.values()) == pytest.approx(run.curve.n / one.speedup)
    best = max(range(3), key=lambda number: compared.at_speedup[number].precision)
    for pair in compared.settled:
        assert pair.best == best
        hits = ([runs[n].hits[10][compared.at_speedup[n].at]] for n in (best, pair.other))
        expected = difference(*hits, 10, 1 - 0.05 / 3)
        assert (pair.mean, pair.low, pair.high) == (expected.mean, expected.low, expected.high)
        assert pair.mean == pytest.approx(
            compared.at_speedup[best].precision - compared.at_speedup[pair.other].precision
        )


def test_the_order_of_two_runs_turns_nothing_round(runs):
    speedup = common_speedup(runs[:2], 10)
    there, back = (difference_of(pair, 10, speedup, 0.9) for pair in (runs[:2], runs[1::-1]))
    assert there.at_speedup == back.at_speedup[::-1]
    (one,), (other,) = there.settled, back.settled
    assert (one.best, one.mean, one.low) == (1 - other.best, other.mean, other.low)


def test_without_hits_the_interval_is_unpaired_and_holds_the_mean(runs):
    bare, speedup = [replace(run, hits={}) for run in runs[:2]], common_speedup(runs[:2], 10)
    (paired,), (unpaired,) = (
        difference_of(both, 10, speedup, 0.9).settled for both in (runs[:2], bare)
    )
    assert unpaired.mean == pytest.approx(paired.mean)
    assert not unpaired.paired
    assert unpaired.low <= unpaired.mean <= unpaired.high
    assert "unpaired" in in_words(difference_of(bare, 10, speedup, 0.9))[0]


def test_a_run_against_itself_has_no_winner(runs):
    compared = difference_of([runs[0]] * 2, 10, common_speedup(runs[:1], 10), 0.9)
    assert not compared.settled[0].told_apart
    assert "cannot be told apart" in in_words(compared)[0]
    assert compared.differing.rows == ()


def test_the_speedup_at_a_precision_inverts_the_interval():
    run = run_made("a", [500, 250, 100, 50], [1, 0.9, 0.6, 0.1], m=400)
    low, high = run.curve.interval(1).T
    one = at_precision(run, 1, 0.6)
    assert one.speedup == 10
    assert one.low == max(run.curve.speedup[low >= 0.6])
    assert one.high == max(run.curve.speedup[high >= 0.6])
    assert one.low <= one.speedup <= one.high
    assert at_precision(run, 1, 1.0).low is None  # no number of hits makes it sure
    assert at_precision(run_made("b", [100], [0.5]), 1, 0.9).speedup is None


@settings(max_examples=40)
@given(
    st.lists(st.floats(1, 5000), min_size=1, max_size=6),
    st.floats(0.1, 1000),
    st.floats(0.01, 1),
)
def test_every_run_says_what_it_reaches_without_an_error(costs, speedup, precision):
    shares = np.linspace(1, 0, len(costs) + 1)[:-1]
    run = run_made("a", sorted(costs, reverse=True), shares, m=50)
    at, saved = at_speedup(run, 1, speedup), at_precision(run, 1, precision)
    assert at.low <= at.precision <= at.high
    assert saved.speedup is not None  # it finds all at its last effort
    assert saved.high >= saved.speedup
    assert saved.low is None or saved.low <= saved.speedup


def test_the_usual_speedup_is_one_that_all_have(runs):
    speedup = common_speedup(runs, 10)
    assert difference_of(runs, 10, speedup, 0.9).reached
    assert common_speedup([runs[0], measure_like_exact(runs[0])], 10) == 1
    apart = run_made("a", [1000], [1]), run_made("b", [10], [1])
    assert common_speedup(apart, 1) == 30  # none: the usual one


@pytest.mark.parametrize("count", [0, 1, 21])
def test_too_few_or_too_many_runs_are_refused(runs, count):
    with pytest.raises(ParamError, match="Choose 2 to 20"):
        difference_of([runs[0]] * count, 10, 5, 0.9)


@pytest.mark.parametrize(
    ("speedup", "precision"), [(0, 0.9), (math.nan, 0.9), (math.inf, 0.9), (5, 1.1)]
)
def test_a_speedup_or_precision_that_cannot_be_is_refused(runs, speedup, precision):
    with pytest.raises(ParamError):
        difference_of(runs, 10, speedup, precision)


def measure_like_exact(run):
    curve = replace(
        run.curve,
        index=ExactSearch(),
        efforts=np.array([1]),
        costs={"candidates": np.array([500.0])},
        histograms={K: counts[-1:] for K, counts in run.curve.histograms.items()},
        tolerant={K: tied[-1:] for K, tied in run.curve.tolerant.items()},
        read_off={},
    )
    return replace(run, name="exact", curve=curve, hits={})


def test_the_nearest_speedup_is_nearest_in_ratio_not_in_difference():
    """Of 45× and 10×, 45× is the nearer to 25×: a factor of 1.8, not of 2.5; by 20, not by 15."""
    run = run_made("two efforts", [1000 / 45, 1000 / 10], [0.5, 1.0])
    assert run.curve.speedup.tolist() == pytest.approx([45, 10])
    assert (at_speedup(run, 1, 25.0).at, at_speedup(run, 1, 21.0).at) == (0, 1)


def test_the_common_speedup_is_nearest_to_30_in_ratio_not_in_difference():
    """50× is nearer to 30× than 15× is: by a factor of 1.67, not of 2; by 20, not by 15."""
    run = run_made("without 20 and 30", [1000 / 50, 1000 / 15], [0.5, 1.0])
    assert common_speedup([run], 1) == 50.0
