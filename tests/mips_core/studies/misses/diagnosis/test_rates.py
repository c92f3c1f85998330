"""Classes, their hit rates and intervals, and contrasts, against their definitions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from mips_core.base.errors import ParamError
from mips_core.evaluation.intervals import precision_interval, rate_interval
from mips_core.studies.misses.diagnosis.causes import (
    Cause,
    Contrast,
    Quarters,
    contrast,
    share_of_longest,
)
from mips_core.studies.misses.diagnosis.rates import deciles, item_deciles, popularity, rates_of

COUNTS = st.lists(st.integers(0, 5), min_size=1, max_size=12)


@given(COUNTS)
def test_an_interval_is_that_of_a_precision_where_queries_are_alike(hits):
    hits = np.array(hits)
    expected = precision_interval(np.bincount(hits, minlength=6)[None])
    found = rate_interval(hits[:, None], np.full((len(hits), 1), 5))
    assert found == pytest.approx(expected, abs=1e-12)


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
    found = deciles(values, "items")
    if len(set(values)) == 1:
        assert found.names == ()
        return
    assert set(found.of) == set(range(len(found.names)))
    assert len(found.edges) == len(found.names) + 1 <= 11
    for value, g in zip(values, found.of, strict=True):
        assert {int(o) for o, v in zip(found.of, values, strict=True) if v == value} == {int(g)}
        assert float(found.edges[g]) <= value <= float(found.edges[g + 1])
    assert (np.diff(found.of[np.argsort(values, kind="stable")]) >= 0).all()


def test_tenths_are_of_equal_size_and_told_apart():
    values = 1000 + np.random.default_rng(0).permutation(500) / 100
    found = deciles(values, "items")
    assert np.bincount(found.of).tolist() == pytest.approx([50] * 10, abs=1)
    assert len(set(found.edges)) == 11
    assert found.edges[0].startswith("1,000")
    unit = 1 + np.array([0, 6e-8, -6e-8, 1.2e-7])  # what float32 makes of 1
    assert deciles(unit, "items").names == ()
    assert Quarters.of(unit) is None


@given(st.lists(st.integers(1, 4000), min_size=1, max_size=30))
def test_popularity_goes_by_thirds_of_decades(counts):
    found = popularity(np.array(counts))
    for count, g in zip(counts, found.of, strict=True):
        ends = [int(end.replace(",", "")) for end in found.names[g].split("–")]
        assert ends[0] <= count <= ends[-1]
    assert found.of.max() == len(found.names) - 1
    assert list(found.names[:4]) == ["1", "2–3", "4–10", "11–30"][: len(found.names)]


def test_answers_that_crowd_into_few_items_are_parted_themselves():
    norms, even = np.arange(1.0, 101), np.arange(100).reshape(20, 5)
    crowded = 90 + even % 10
    assert item_deciles(norms, even).parted == "items"
    assert share_of_longest(norms, even) == 0.1
    found = item_deciles(norms, crowded)
    assert (found.parted, found.of.shape) == ("true answers", crowded.shape)
    assert np.bincount(found.of.ravel()).tolist() == [10] * 10
    assert share_of_longest(norms, crowded) == 1
    one = item_deciles(norms, np.full((20, 5), 99))
    assert (one.parted, set(one.of.ravel())) == ("items", {9})
    assert share_of_longest(np.ones(100), even) == 0


def test_rates_are_counted_by_class_and_by_query():
    classes = popularity(np.array([[1, 2], [1, 1], [9, 3]]))
    missed = np.array([[True, False], [False, False], [True, True]])
    found = rates_of(classes, missed)
    assert found.answers.tolist() == [3, 2, 1]
    assert found.found.tolist() == [2, 1, 0]
    assert found.queries.tolist() == [2, 2, 1]
    assert found.rate == pytest.approx([2 / 3, 1 / 2, 0])
    by_query = rates_of(
        deciles(np.array([1.0, 2, 3]), "queries")._replace(of=np.array([[0], [1], [1]])), missed
    )
    assert by_query.answers.tolist()[:2] == [2, 4]
    assert rates_of(deciles(np.ones(3), "items"), missed) is None


def drawn(rng, m=60, k=4, items=50):
    ids = np.stack([rng.permutation(items)[:k] for _ in range(m)])
    return ids, rng.random(items)[ids]


def test_a_contrast_allows_for_answers_that_share_a_query_or_an_item():
    rng = np.random.default_rng(4)
    ids, values = drawn(rng, items=150)
    missed = rng.random(ids.shape) < values
    quarters = Quarters.of(values)
    found = contrast(quarters, ids, missed)
    rate = {side: 1 - missed[mask].mean() for side, mask in sides(quarters)}
    pulls = [
        (i, int(ids[i, j]), sign * (1 - missed[i, j] - rate[side]) / mask.sum())
        for (side, mask), sign in zip(sides(quarters), (-1, 1), strict=True)
        for i, j in np.argwhere(mask)
    ]
    variance = [
        sum(a[2] * b[2] for a in pulls for b in pulls if shared(a, b))
        for shared in (
            lambda a, b: a[0] == b[0] or a[1] == b[1],
            lambda a, b: a[0] == b[0],
            lambda a, b: a[1] == b[1],
        )
    ]
    used = quarters.lowest | quarters.highest
    masks = [used & missed, used & ~missed]
    fewest = min(
        [len(set(ids[mask])) for mask in masks] + [int(mask.any(axis=1).sum()) for mask in masks]
    )
    half = stats.t.ppf(0.975, fewest - 1) * math.sqrt(max(variance))
    assert (found.lowest, found.highest) == pytest.approx((rate["lowest"], rate["highest"]))
    assert found.interval == pytest.approx((found.difference - half, found.difference + half))
    assert found.sure
    assert found.difference < 0


def sides(quarters):
    return ("lowest", quarters.lowest), ("highest", quarters.highest)


def test_without_a_cause_none_is_told_more_often_than_by_luck():
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        ids, values = drawn(rng, items=400)
        told += contrast(Quarters.of(values), ids, rng.random(ids.shape) < 0.4).sure
    assert told <= 8  # 5% are 3; more than 8 come once in 140 runs


def test_too_few_or_equal_values_tell_nothing():
    ids, values = drawn(np.random.default_rng(0))
    few = np.zeros(ids.shape, bool)
    few[:10, 0] = True
    assert contrast(Quarters.of(values), ids, few).interval is None
    assert contrast(Quarters.of(values), ids, np.zeros(ids.shape, bool)) is None
    assert contrast(Quarters.of(values), ids, np.ones(ids.shape, bool)) is None
    assert Quarters.of(np.ones((5, 2))) is None
    assert Quarters.of(np.array([[0.0, 0, 0, 1]])) is None  # three of four are the lowest


def cause(by_norm=None, by_nearness=None, m=60, longest=0.2, measure="norm"):
    return Cause(m, longest, measure, "clusters", by_norm, by_nearness).in_words()


def test_sentences_are_as_sure_as_their_intervals():
    near, norm = Contrast(0.95, 0.7, (-0.3, -0.2)), Contrast(0.9, 0.85, (-0.09, -0.01))
    assert cause(norm, near) == (
        "Misses gather at boundaries between clusters: 70.0% are found of the quarter of true "
        "answers nearest to a boundary, 95.0% of that farthest from one (25.0 points, 95% interval "
        "20.0 to 30.0). The norm matters less: 85.0% are found of the quarter of true answers of "
        "largest norm, 90.0% of that of smallest."
    )
    flat, wide = Contrast(0.9, 0.91, (-0.02, 0.04)), Contrast(0.5, 0.8, (-0.1, 0.7))
    assert " The norm does not explain them: " in cause(flat, near)
    assert " Whether the norm matters too cannot be told: " in cause(wide, near)
    assert cause(Contrast(0.5, 0.9, (0.3, 0.5)), flat).startswith(
        "Misses gather in items of small norm: 90.0% are found of the quarter of true answers of "
        "largest norm, 50.0% of that of smallest (40.0 points, 95% interval 30.0 to 50.0). "
        "Nearness to a boundary does not explain them: "
    )
    assert cause(Contrast(0.9, 0.5, (-0.5, -0.3))).startswith("Misses gather in items of large n")
    far = Contrast(0.5, 0.9, (0.3, 0.5))
    assert cause(None, far).startswith("Misses gather away from boundaries: ")
    assert cause(flat, replace(flat)).startswith(
        "Neither nearness to a boundary nor the norm explains the "
    )
    assert cause(flat).startswith("The norm does not explain the misses: 91.0% are found of ")
    told = "60 queries do not tell whether nearness to a boundary or the norm explains the misses: "
    assert cause(flat, wide).startswith(told)
    unknown = Contrast(0.1, 0.4, None)
    assert cause(unknown, m=1, measure="distance from the centre").startswith(
        "1 query does not tell whether the distance from the centre explains the misses: "
    )
    assert cause() == ""
    few = Cause(60, 0.725, "norm", "clusters", None, None)
    told = "72.5% of the true answers are in the tenth of the items of largest norm."
    assert few.where_answers_are() == told
    assert replace(few, longest=0.5).where_answers_are() == ""
