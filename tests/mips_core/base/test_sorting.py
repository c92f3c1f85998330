"""Sorting and selecting inside kernels, against Python's sort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.kernels import order_of
from mips_core.base.sorting import kth_largest, merged_order

# Few different values, so that many tie; signs, a zero of each sign, infinities.
TIED = st.lists(st.sampled_from([3.5, 1.0, 0.0, -0.0, -2.0, 1e-300, np.inf, -np.inf]), min_size=1)


@given(scores=TIED, seed=st.integers(0, 99))
def test_the_one_strict_order_is_by_score_descending_then_by_id(scores, seed):
    ids = np.random.default_rng(seed).permutation(len(scores))
    expected = sorted(range(len(scores)), key=lambda at: (-scores[at], ids[at]))
    assert merged_order(np.array(scores), ids).tolist() == expected
    assert order_of(np.array(scores), ids).tolist() == expected


@given(values=TIED | st.lists(st.floats(-9, 9, width=32), min_size=1), part=st.floats(0, 1))
def test_the_kth_largest_is_the_kth_of_the_sorted(values, part):
    place = round(part * (len(values) - 1))
    assert kth_largest(np.array(values), place + 1) == sorted(values, reverse=True)[place]


@pytest.mark.parametrize("arranged", [np.sort, lambda v: np.sort(v)[::-1], np.zeros_like])
def test_the_kth_largest_of_what_is_sorted_already(arranged):
    values = arranged(np.random.default_rng(0).normal(size=999))
    for k in (1, 2, 500, 998, 999):
        assert kth_largest(values.copy(), k) == np.sort(values)[999 - k]


@pytest.mark.parametrize("count", [2, 3, 299, 300, 301, 1025])
def test_long_rows_are_in_the_one_strict_order(count):
    rng = np.random.default_rng(count)
    scores, ids = rng.integers(0, 9, count).astype(np.float64), rng.permutation(count)
    expected = np.lexsort((ids, -scores))
    assert (merged_order(scores, ids) == expected).all()
    assert (order_of(scores, ids) == expected).all()
