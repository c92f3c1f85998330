"""Runs: what is kept of an evaluation, and what comparing two or more may say."""

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import Dataset, ParamError, evaluate, rng_for, truth_of
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.curve import Curve
from mips_core.methods.baselines.exact_search import ExactSearch
from mips_core.methods.baselines.largest_norm import LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.comparison import difference
from mips_core.studies.runs import (
    Run,
    RunData,
    common_speedup,
    difference_of,
    differing,
    groups_of,
    measure_runs,
    unique_name,
)
from mips_core.studies.runs.reaching import at_precision, at_speedup
from mips_core.studies.runs.run import MAX_NAME
from mips_core.studies.runs.wording import in_words

KS = (1, 10)
FEW = (FlatKMeans(n_clusters=12), FlatKMeans(n_clusters=40), LargestNorm())
DATA = RunData("made", 1000, 8, 4, "inner product", "items", "queries")


@pytest.fixture(scope="module")
def dataset():
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(500, 8)) * rng.lognormal(size=(500, 1))).astype(np.float32)
    return with_queries(Dataset(X, name="small"), QueryRecipe(count=120))


@pytest.fixture(scope="module")
def runs(dataset):
    return measure_runs(FEW, dataset, ks=KS)


def made(name, costs, precisions, hits=None, m=4, data=DATA):
    """A run of K = 1 with these mean costs and shares of m queries that are right."""
    right = np.round(np.array(precisions) * m).astype(np.int64)
    curve = Curve(
        FlatKMeans(n_clusters=4),
        0,
        data.n,
        m,
        np.arange(1, len(costs) + 1),
        {"candidates": np.array(costs, float)},
        {1: np.stack([m - right, right], axis=1)},
        {1: right / m},
    )
    found = {} if hits is None else {1: np.array(hits, np.uint8)}
    return Run(name, "", "2026-11-28T22:44:57Z", replace(data, m=m), curve, found)


def test_a_run_has_the_numbers_of_its_evaluation(dataset):
    truth, index = truth_of(dataset), FEW[0]
    searcher = index.searcher(index.build(dataset.items, rng_for(3)))
    evaluation = evaluate(index, searcher, truth, 3)
    when = datetime(2026, 11, 28, 22, 44, 57, tzinfo=UTC)
    run = Run.of(evaluation, dataset, KS, when=when, groups=groups_of(index, searcher))
    assert (run.name, run.kept) == ("Flat k-means, 12 clusters, seed 3", "2026-11-28T22:44:57Z")
    assert (run.index, run.seed, run.ks) == (index, 3, KS)
    assert (run.data.n, run.data.d, run.data.m) == (dataset.n, dataset.d, truth.m)
    assert run.data.fingerprint == dataset.fingerprint
    for K in KS:
        np.testing.assert_array_equal(run.curve.precision(K), evaluation.curve((K,)).precision(K))
        for at in range(len(evaluation.efforts)):
            np.testing.assert_array_equal(run.hits[K][at], evaluation.hits(K, at))
    sizes = np.bincount(searcher.groups()[-1])
    sizes = sizes[sizes > 0]
    assert (run.groups.count, run.groups.smallest, run.groups.largest) == (
        *(len(sizes), sizes.min()),
        sizes.max(),
    )
    assert run.groups.median == np.median(sizes)


def test_hits_that_would_be_too_many_numbers_are_left_out(dataset, monkeypatch):
    monkeypatch.setattr("mips_core.studies.runs.run.MAX_RUN_HITS", 100)
    (run,) = measure_runs(FEW[:1], dataset, ks=KS)
    assert run.hits == {}
    assert run.ks == KS


def test_an_index_that_depends_on_k_has_a_run_for_each(dataset):
    runs = measure_runs([IPTree()], dataset, ks=KS)
    assert [run.ks for run in runs] == [(1,), (10,)]
    assert len({run.name for run in runs}) == 2


@pytest.mark.parametrize(("name", "note"), [("", ""), (" ", ""), ("x" * 81, ""), ("x", "y" * 2001)])
def test_a_name_or_note_that_cannot_be_is_refused(runs, name, note):
    with pytest.raises(ParamError):
        replace(runs[0], name=name, note=note)


@given(st.lists(st.sampled_from(["a", "a (2)", "x" * MAX_NAME]), max_size=8))
def test_names_are_made_unique_and_stay_short(names):
    taken = []
    for name in names:
        taken.append(unique_name(name, taken))
    assert len(set(taken)) == len(taken)
    assert all(len(name) <= MAX_NAME for name in taken)


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


def test_a_clear_difference_is_named_with_its_interval():
    good = made("good", [100], [1.0], [[1] * 200], m=200)
    bad = made("bad", [100], [0.0], [[0] * 200], m=200)
    said = in_words(difference_of([bad, good], 1, 10, 0.5))
    assert said[0].startswith("At about 10×, “good” keeps 100.0 points more than “bad”")
    assert "200 queries" in said[0]
    assert "“bad” does not reach it, its best is 0.0%" in said[1]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (replace(DATA, fingerprint="others"), "different data"),
        (replace(DATA, query_fingerprint="others"), "different queries"),
    ],
)
def test_other_data_or_queries_stand_side_by_side_without_a_winner(other, said):
    runs = [made("a", [100, 50], [1, 0.5]), made("b", [90, 40], [1, 0.5], data=other)]
    compared = difference_of(runs, 1, 10, 0.9)
    assert compared.settled == ()
    (sentence,) = in_words(compared)
    assert said in sentence
    assert "no winner is named" in sentence
    assert None not in compared.at_speedup  # but their numbers are there


def test_a_k_that_not_all_were_measured_at_is_said_first(runs):
    compared = difference_of([runs[0], made("one", [100], [1])], 10, 5, 0.9)
    assert compared.at_speedup[1] is None
    assert "Not all of them were measured at K = 10, some only at 1." in in_words(compared)[0]
    none = difference_of([made("a", [9], [1]), made("b", [9], [1])], 7, 5, 0.9)
    assert "None of them was measured at K = 7, only at 1." in in_words(none)[0]


def test_a_speedup_that_is_not_reached_is_said_with_the_nearest(runs):
    compared = difference_of([*runs[:2], measure_like_exact(runs[0])], 10, 5, 0.9)
    assert compared.settled == ()
    assert "“exact” has no effort near it, the nearest is 1.0×" in in_words(compared)[0]


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


def test_a_precision_that_none_has_is_said_with_the_best():
    runs = [made("a", [100], [0.5]), made("b", [100], [0.25])]
    assert (
        "no run has it; the best is 50.0%, of “a”" in in_words(difference_of(runs, 1, 10, 0.9))[1]
    )


def test_the_speedup_at_a_precision_inverts_the_interval():
    run = made("a", [500, 250, 100, 50], [1, 0.9, 0.6, 0.1], m=400)
    low, high = run.curve.interval(1).T
    one = at_precision(run, 1, 0.6)
    assert one.speedup == 10
    assert one.low == max(run.curve.speedup[low >= 0.6])
    assert one.high == max(run.curve.speedup[high >= 0.6])
    assert one.low <= one.speedup <= one.high
    assert at_precision(run, 1, 1.0).low is None  # no number of hits makes it sure
    assert at_precision(made("b", [100], [0.5]), 1, 0.9).speedup is None


@settings(max_examples=40)
@given(
    st.lists(st.floats(1, 5000), min_size=1, max_size=6),
    st.floats(0.1, 1000),
    st.floats(0.01, 1),
)
def test_every_run_says_what_it_reaches_without_an_error(costs, speedup, precision):
    shares = np.linspace(1, 0, len(costs) + 1)[:-1]
    run = made("a", sorted(costs, reverse=True), shares, m=50)
    at, saved = at_speedup(run, 1, speedup), at_precision(run, 1, precision)
    assert at.low <= at.precision <= at.high
    assert saved.speedup is not None  # it finds all at its last effort
    assert saved.high >= saved.speedup
    assert saved.low is None or saved.low <= saved.speedup


def test_the_usual_speedup_is_one_that_all_have(runs):
    speedup = common_speedup(runs, 10)
    assert difference_of(runs, 10, speedup, 0.9).reached
    assert common_speedup([runs[0], measure_like_exact(runs[0])], 10) == 1
    apart = made("a", [1000], [1]), made("b", [10], [1])
    assert common_speedup(apart, 1) == 30  # none: the usual one


def test_only_settings_that_differ_are_rows(runs):
    found = differing(runs[:2])
    assert [(row.name, row.values) for row in found.rows] == [("Clusters", ("12", "40"))]
    assert found.same_in_words() == (
        "Equal in all: data, metric, queries, K, method, other parameters, seed and versions."
    )
    methods = differing(runs[1:])
    assert {"Method", "Clusters"} <= {row.name for row in methods.rows}
    assert {row.name: row.values for row in methods.rows}["Clusters"] == ("40", "–")


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


def test_one_query_and_one_item_can_be_kept_and_compared():
    dataset = with_queries(
        Dataset(np.array([[1.0, 2.0]], np.float32), name="one"), QueryRecipe(count=1)
    )
    runs = measure_runs([FlatKMeans(), LargestNorm()], dataset, ks=(1, 10))
    compared = difference_of(runs, 10, common_speedup(runs, 10), 0.9)
    assert "1 query" in " ".join(in_words(compared)) or not compared.reached
