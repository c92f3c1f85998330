"""Sums of clusters after any moves."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.clustering.cluster_sums import FIXED_POINT, ClusterSums


@given(st.integers(0, 2**31), st.integers(1, 5), st.integers(0, 40))
def test_sums_after_any_moves_are_those_of_the_members(seed, k, n):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.9, 1.9, (n, 3)).astype(np.float32)
    X[::2] = rng.integers(-9, 9, X[::2].shape) / (2 * FIXED_POINT)  # halves of the last bit, too
    sums = ClusterSums(k, 3)
    old = np.full(n, -1)
    for _ in range(3):
        new = rng.integers(0, k, n)
        assert sums.move(X, old, new) == np.count_nonzero(old != new)
        old = new
    fixed = np.rint(X.astype(np.float64) * FIXED_POINT).astype(np.int64)
    for c in range(k):
        np.testing.assert_array_equal(sums.totals[c], fixed[old == c].sum(axis=0))
        assert sums.counts[c] == np.count_nonzero(old == c)
