"""Kernels against their definitions, bit by bit."""

import numpy as np
import pytest

from mips_core.base.kernels import COUNTED, dot, order_of, queries_of_lists, row_norms, score_rows


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


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 30])
def test_norms_have_the_bits_of_one_sum_at_a_time(n):
    rng = np.random.default_rng(n)
    X = (rng.normal(size=(n, 13)) * 10.0 ** rng.integers(-15, 16, (n, 1))).astype(np.float32)
    expected = [np.sqrt(dot(x, x)) for x in X]
    np.testing.assert_array_equal(row_norms(X), np.array(expected, np.float64))


@pytest.mark.parametrize("count", [0, 1, 40, COUNTED, COUNTED + 1])
def test_the_order_is_strict_where_scores_and_even_ids_repeat(count):
    rng = np.random.default_rng(count)
    scores, ids = rng.integers(0, 5, count).astype(np.float64), rng.integers(0, 30, count)
    expected = sorted(range(count), key=lambda at: (-scores[at], ids[at]))
    assert order_of(scores, ids).tolist() == expected


@pytest.mark.parametrize("p", [0, 1, 6])
def test_each_list_names_the_queries_that_open_it_ascending(p):
    opened = np.random.default_rng(p).integers(-1, 5, (40, 8))[:, :p]  # -1 opens none
    starts, asking = queries_of_lists(opened, 5)
    assert len(asking) == starts[-1] == (opened >= 0).sum()
    for which in range(5):
        expected = np.nonzero(opened == which)[0]  # by query; twice where it is opened twice
        np.testing.assert_array_equal(asking[starts[which] : starts[which + 1]], expected)
