"""Palettes are not spent on a few extremes, and a log scale never begins at 0."""

import numpy as np
import pytest

from mips_core.figures.palette_range import palette_range


def test_a_few_extremes_lie_beyond_the_ends():
    values = np.append(np.linspace(1, 2, 999), 1e6)
    low, high, below, above = palette_range(values)
    assert 1 < low < 1.02
    assert 1.98 < high < 2
    assert (below, above) == (True, True)


def test_few_values_are_shown_whole_and_those_not_known_do_not_count():
    assert palette_range(np.array([3.0, np.nan, 5.0, 90.0])) == (3.0, 90.0, False, False)


def test_a_log_scale_begins_above_zero():
    assert palette_range(np.array([0, 0, 2, 50]), log=True) == (2.0, 50.0, True, False)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("values", [np.zeros(500), np.full(9, np.nan), np.array([])])
def test_nothing_to_tell_apart_is_a_range_all_the_same(values, log):
    low, high, *_ = palette_range(values, log=log)
    assert low == high
    assert np.isfinite(low)
    assert low > 0 or not log


def test_most_values_alike_with_a_few_others():
    values = np.append(np.ones(999), 7.0)
    assert palette_range(values) == (1.0, 7.0, False, False)
