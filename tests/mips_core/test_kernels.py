"""Kernels against their definitions, bit by bit."""

import numpy as np
import pytest

from mips_core.kernels import dot, score_rows


@pytest.mark.parametrize("count", [*range(10), 103])
@pytest.mark.parametrize("d", [1, 7, 50])
def test_scores_have_the_bits_of_one_sum_at_a_time(count, d):
    rng = np.random.default_rng(count)
    X = (rng.normal(size=(60, d)) * 10.0 ** rng.integers(-4, 5, (60, 1))).astype(np.float32)
    q = rng.normal(size=d).astype(np.float32)
    ids = rng.integers(0, 60, count)
    expected = []
    for i in ids:
        total = 0.0
        for j in range(d):  # dimensions in order, in float64
            total += float(X[i, j]) * float(q[j])
        assert dot(X[i], q) == total
        expected.append(total)
    np.testing.assert_array_equal(score_rows(X, q, ids), np.array(expected))
