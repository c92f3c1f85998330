"""Classes, their hit rates and intervals, against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mips_core.base.errors import ParamError
from mips_core.evaluation.intervals import precision_interval
from mips_core.studies.misses.contrasts import Quarters, share_of_longest
from mips_core.studies.misses.rates import (
    deciles,
    item_deciles,
    popularity,
    rate_interval,
    rates_of,
)

COUNTS = st.lists(st.integers(0, 5), min_size=1, max_size=12)


@given(COUNTS)
def test_an_interval_is_that_of_a_precision_where_queries_are_alike(hits):
    hits = np.array(hits)
    expected = precision_interval(np.bincount(hits, minlength=6)[None])
    interval = rate_interval(hits[:, None], np.full((len(hits), 1), 5))
    assert interval == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_an_interval_holds_its_rate_and_asks_only_who_has_answers(cells):
    hits = np.array([[min(pair), 0] for pair in cells])
    trials = np.array([[max(pair), 0] for pair in cells])
    (low, high), nothing = rate_interval(hits, trials)
    assert np.isnan(nothing).all()
    if trials.any():
        assert 0 <= low <= hits.sum() / trials.sum() <= high <= 1
        assert low < high
        some = trials[:, 0] > 0
        assert rate_interval(hits[some], trials[some])[0] == pytest.approx([low, high])
    else:
        assert np.isnan([low, high]).all()


def test_answers_that_share_a_query_count_for_less():
    trials = np.full((40, 1), 10)
    spread, together = np.repeat([[4], [6]], 20, axis=0), np.repeat([[10], [0]], 20, axis=0)
    narrow, wide = (np.ptp(rate_interval(hits, trials)[0]) for hits in (spread, together))
    assert wide > 2 * narrow
    with pytest.raises(ParamError, match="confidence is 1"):
        rate_interval(trials, trials, confidence=1)


@given(arrays(np.float64, st.integers(1, 60), elements=st.integers(0, 25).map(float)))
def test_tenths_hold_equal_values_together_and_name_where_they_end(values):
    classes = deciles(values, "items")
    if len(set(values)) == 1:
        assert classes.names == ()
        return
    assert set(classes.of) == set(range(len(classes.names)))
    assert len(classes.edges) == len(classes.names) + 1 <= 11
    for value, g in zip(values, classes.of, strict=True):
        assert {int(o) for o, v in zip(classes.of, values, strict=True) if v == value} == {int(g)}
        assert float(classes.edges[g]) <= value <= float(classes.edges[g + 1])
    assert (np.diff(classes.of[np.argsort(values, kind="stable")]) >= 0).all()


def test_tenths_are_of_equal_size_and_told_apart():
    values = 1000 + np.random.default_rng(0).permutation(500) / 100
    classes = deciles(values, "items")
    assert np.bincount(classes.of).tolist() == pytest.approx([50] * 10, abs=1)
    assert len(set(classes.edges)) == 11
    assert classes.edges[0].startswith("1,000")
    unit = 1 + np.array([0, 6e-8, -6e-8, 1.2e-7])  # what float32 makes of 1
    assert deciles(unit, "items").names == ()
    assert Quarters.of(unit) is None


@given(st.lists(st.integers(1, 4000), min_size=1, max_size=30))
def test_popularity_goes_by_thirds_of_decades(counts):
    classes = popularity(np.array(counts))
    for count, g in zip(counts, classes.of, strict=True):
        ends = [int(end.replace(",", "")) for end in classes.names[g].split("–")]
        assert ends[0] <= count <= ends[-1]
    assert classes.of.max() == len(classes.names) - 1
    assert list(classes.names[:4]) == ["1", "2–3", "4–10", "11–30"][: len(classes.names)]


def test_answers_that_crowd_into_few_items_are_parted_themselves():
    norms, even = np.arange(1.0, 101), np.arange(100).reshape(20, 5)
    crowded = 90 + even % 10
    assert item_deciles(norms, even).parted == "items"
    assert share_of_longest(norms, even) == 0.1
    classes = item_deciles(norms, crowded)
    assert (classes.parted, classes.of.shape) == ("true answers", crowded.shape)
    assert np.bincount(classes.of.ravel()).tolist() == [10] * 10
    assert share_of_longest(norms, crowded) == 1
    one = item_deciles(norms, np.full((20, 5), 99))
    assert (one.parted, set(one.of.ravel())) == ("items", {9})
    assert share_of_longest(np.ones(100), even) == 0


def test_rates_are_counted_by_class_and_by_query():
    classes = popularity(np.array([[1, 2], [1, 1], [9, 3]]))
    missed = np.array([[True, False], [False, False], [True, True]])
    rates = rates_of(classes, missed)
    assert rates.answers.tolist() == [3, 2, 1]
    assert rates.found.tolist() == [2, 1, 0]
    assert rates.queries.tolist() == [2, 2, 1]
    assert rates.rate == pytest.approx([2 / 3, 1 / 2, 0])
    by_query = rates_of(
        deciles(np.array([1.0, 2, 3]), "queries")._replace(of=np.array([[0], [1], [1]])), missed
    )
    assert by_query.answers.tolist()[:2] == [2, 4]
    assert rates_of(deciles(np.ones(3), "items"), missed) is None
