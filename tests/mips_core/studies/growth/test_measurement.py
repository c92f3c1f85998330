"""Samples within each other, measured as by hand."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, evaluate, rng_for, truth_of
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.setting import Setting
from mips_core.studies.growth import in_words, measure_scaling
from mips_core.studies.growth.measurement import FRACTIONS, sampled, samples_of
from tests.mips_core.studies.growth.growth_cases import FLAT, data


def test_samples_lie_within_each_other_and_are_drawn_by_the_seed():
    dataset = data()
    samples = samples_of(dataset, 3, FRACTIONS)
    assert [len(rows) for rows in samples] == [200, 400, 800, 1_600]
    for small, large in pairwise(samples):
        assert set(small) < set(large)
        assert (np.diff(large) > 0).all()
    assert all(map(np.array_equal, samples, samples_of(dataset, 3, FRACTIONS)))
    assert not np.array_equal(samples[0], samples_of(dataset, 4, FRACTIONS)[0])


def test_a_query_is_kept_from_its_own_row_where_the_sample_holds_it():
    dataset = data(exclude_self=True)
    rows = samples_of(dataset, 0, FRACTIONS)[1]
    part = sampled(dataset, rows)
    held = np.isin(dataset.query_rows, rows)
    assert 0 < held.sum() < len(held)
    assert (part.query_rows[~held] == -1).all()
    np.testing.assert_array_equal(part.items[part.query_rows[held]], dataset.queries[held])
    np.testing.assert_array_equal(part.queries, dataset.queries)
    again = sampled(part, np.arange(100))  # of rows of which some are not there
    assert (again.query_rows[~held] == -1).all()


@pytest.mark.parametrize("key", ["flat-kmeans", "ip-tree"])
def test_a_size_is_measured_as_by_hand(key):
    dataset, index = data(exclude_self=True), INDEXES[key]()
    measured = measure_scaling(dataset, Setting(index, 5, 1), 10, 0.9)
    for rows, point in zip(samples_of(dataset, 5, FRACTIONS), measured.sizes, strict=True):
        part = sampled(dataset, rows)
        searcher = index.searcher(index.build(part.items, rng_for(5)))
        whole = evaluate(index, searcher, truth_of(part), 5, K=10)
        choose, score = (whole.curve((10,), fold) for fold in folds_of(dataset.m))
        enough = np.flatnonzero(choose.precision(10) >= 0.9)
        at = enough[np.argmin(choose.mean_cost[enough])]
        assert point.setting.effort == whole.efforts[at]
        assert (point.n, point.m, point.reached) == (len(rows), 30, True)
        assert point.cost == score.mean_cost[at]
        assert point.precision == score.precision(10)[at]
        assert point.interval == tuple(score.interval(10)[at])
        assert 0 < point.seconds < 60
        assert 0 < point.wall_seconds < 60
        assert point.bytes > 0


def test_exact_search_grows_like_n():
    measured = measure_scaling(data(), Setting(INDEXES["exact"](), 0, 1), 5, 1.0)
    assert [point.cost for point in measured.sizes] == [200, 400, 800, 1_600]
    assert measured.exponents["cost"] == (pytest.approx(1), pytest.approx(0, abs=1e-9))
    advice = measured.at(10**6)
    assert advice.inner_products.value == pytest.approx(10**6)
    assert advice.speedup.value == pytest.approx(1)
    assert "as many as exact search" in in_words(advice)
    assert "less than 1 kB" in in_words(advice)


def test_the_same_seed_measures_the_same_and_progress_has_what_there_is():
    fractions, partials = [], []

    def report(fraction, message, partial=None):
        fractions.append(fraction)
        partials.append(partial)

    setting = Setting(FLAT(n_clusters=40), 0, 1)
    once = measure_scaling(data(), setting, 10, 0.9, progress=report)
    again = measure_scaling(data(), setting, 10, 0.9)

    def timeless(scaling):
        return [replace(point, seconds=0.0, wall_seconds=0.0) for point in scaling.sizes]

    assert timeless(once) == timeless(again)
    held = [len(partial.sizes) for partial in partials]
    assert held == sorted(held)
    assert set(held) == {0, 1, 2, 3, 4}
    assert partials[-1] == once
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1


def test_it_can_be_cancelled():
    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        measure_scaling(data(), Setting(FLAT(), 0, 1), 10, 0.9, progress=stop)


def test_one_query_and_equal_items_are_measured_too():
    dataset = Dataset(np.ones((1_000, 3)), np.ones((1, 3)))
    measured = measure_scaling(dataset, Setting(FLAT(), 0, 1), 100, 0.5)
    assert [(point.n, point.m) for point in measured.sizes] == [
        (125, 1),
        (250, 1),
        (500, 1),
        (1_000, 1),
    ]
    assert measured.at(2_000).n == 2_000


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"dataset": data(999)}, "made holds 999 items: too few"),
        ({"dataset": replace(data(), queries=np.empty((0, 6)), query_labels=None)}, "no queries"),
        ({"K": 0}, "K is 0, outside 1 to 100"),
        ({"precision": 1.5}, "The precision is 1.5"),
        ({"precision": float("nan")}, "The precision is nan"),
        ({"fractions": (0.5, 2)}, "A fraction is outside 0 to 1"),
        ({"fractions": ()}, "A fraction is outside 0 to 1"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else value[:9],
)
def test_what_cannot_be_measured_is_said(asked, words):
    known = {"dataset": data(), "setting": Setting(FLAT(), 0, 1), "K": 10, "precision": 0.9}
    with pytest.raises((DataError, ParamError), match=words) as caught:
        measure_scaling(**known | asked)
    assert caught.value.remedy
