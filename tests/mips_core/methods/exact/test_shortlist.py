"""Shortlists of exact search: thresholds by counting, and what they let through."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.kernels import CLOSE, kth_bound
from mips_core.methods.exact.shortlist import GROUP, SPARE, add_tile, group_size, shortlists

BIG = np.float32(2e9)
numbers = st.floats(-1e9, 1e9, width=32) | st.sampled_from([0.0, 1.0, -1.0, 1e-30])


@given(st.lists(numbers, min_size=1, max_size=80), st.data())
def test_a_bound_is_reached_by_k_values_and_by_few_more(values, data):
    values = np.array(values, np.float32)
    K = data.draw(st.integers(1, len(values)))
    bound = kth_bound(values, K, -BIG, BIG)
    reached, kth = (values >= bound).sum(), np.sort(values)[-K]
    assert reached >= K
    assert reached <= K + K // CLOSE or np.isclose(bound, kth, rtol=1e-6, atol=1e-37)  # ties


@pytest.mark.parametrize("w", [1, 2, 3, 15, 16, 17, 100, 1024])
@pytest.mark.parametrize("K", [1, 5, 40, 100])
def test_a_tile_leaves_the_best_and_hardly_more(w, K):
    rng = np.random.default_rng(w)
    scores = rng.normal(size=(3, 3 * w)).astype(np.float32)
    errors = rng.uniform(0, 0.01, 3 * w).astype(np.float32)
    lists = shortlists(3, K, w).emptied(3)
    asking = np.array([2, 0])
    for first in range(0, 3 * w, w):
        tile = np.ascontiguousarray(scores[asking, first : first + w])
        widest = errors[first : first + w].max()
        add_tile(tile, asking, first, errors, widest, BIG, K, lists)
    assert lists.sizes[1] == 0
    for i in asking:
        listed = lists.listed[i, : lists.sizes[i]]
        lowest = scores[i] - errors
        np.testing.assert_array_equal(lists.lowest[i, : len(listed)], lowest[listed])
        assert len(set(listed.tolist())) == len(listed)
        kth = np.sort(lowest)[-min(K, 3 * w)]
        assert set(np.flatnonzero(scores[i] + errors >= kth)) <= set(listed.tolist())
        assert len(listed) <= max(2 * K + SPARE, K)


def test_near_ties_that_do_not_fit_are_told():
    lists = shortlists(1, 3, 400).emptied(1)
    ties = np.zeros((1, 400), np.float32)
    add_tile(ties, np.arange(1), 0, np.ones(400, np.float32), np.float32(1), BIG, 3, lists)
    assert lists.sizes[0] == -1


def test_groups_are_small_enough_for_twice_k_of_them():
    assert group_size(1024, 10) == GROUP
    assert group_size(1024, 100) == 4
    assert group_size(3, 100) == 2
