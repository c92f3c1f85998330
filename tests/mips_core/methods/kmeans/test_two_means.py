"""Two clusters: what is guessed in float32 equals sums in order in float64."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.clustering.cluster_sums import VANISHED
from mips_core.methods.kmeans.two_means import _longest, _rough_dot, _slack, two_means
from tests import oracle
from tests.mips_core.methods.hard_vectors import SEEDS, SHAPES, vectors


def in_order(x, y):
    """x.y in float64, summed in order."""
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += float(a) * float(b)
    return total


def two_means_oracle(rows, labels, rounds):
    """Centroids and gaps after these rounds; sums of float64, in order."""
    sums = np.zeros((2, rows.shape[1]))
    for x, label in zip(rows, labels, strict=True):
        sums[label] += x.astype(float)
    centroids = np.zeros(sums.shape, np.float32)
    for _ in range(rounds):
        for side in range(2):
            length = math.sqrt(in_order(sums[side], sums[side]))
            if length >= VANISHED:
                centroids[side] = sums[side] / length
        gaps = [in_order(x, centroids[0]) - in_order(x, centroids[1]) for x in rows]
        moved = [i for i, gap in enumerate(gaps) if int(gap < 0) != labels[i]]
        for i in moved:
            sums[labels[i]] -= rows[i].astype(float)
            labels[i] = 1 - labels[i]
            sums[labels[i]] += rows[i].astype(float)
        if not moved or len(set(labels)) == 1:
            break
    return centroids, gaps


@given(SEEDS, st.sampled_from(SHAPES), st.integers(2, 30), st.integers(1, 6))
def test_two_means_parts_items_as_exact_sums_do(seed, shape, n, rounds):
    rng = np.random.default_rng(seed)
    rows = vectors(shape, rng, n, 3)
    halves = rng.permutation(n) % 2
    centroids, gaps = two_means(rows, np.arange(n), halves.copy(), rounds)
    expected = two_means_oracle(rows, halves.tolist(), rounds)
    np.testing.assert_array_equal(centroids, expected[0])
    np.testing.assert_array_equal(gaps, expected[1])


@given(SEEDS, st.sampled_from(SHAPES), st.integers(1, 60))
def test_a_rough_gap_is_within_its_slack(seed, shape, d):
    rng = np.random.default_rng(seed)
    rows, centroids = vectors(shape, rng, 10, d), vectors(shape, rng, 2, d)
    apart = centroids[0] - centroids[1]
    for x in rows:
        gap = in_order(x, centroids[0]) - in_order(x, centroids[1])
        slack = _slack(apart, _longest(x[None], np.array([0])))
        assert abs(float(_rough_dot(x, apart)) - gap) <= slack


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(1, 12))
def test_two_means_is_algorithm_1(seed, n, rounds):
    rng = np.random.default_rng(seed)
    rows = (rng.normal(size=(60, 3)) + 1).astype(np.float32) / 8
    members = np.sort(rng.choice(60, n, replace=False))
    halves = rng.permutation(n) % 2
    labels, centroids, _ = oracle.spherical_kmeans(rows[members], halves, rounds)
    found, gaps = two_means(rows, members, halves.copy(), rounds)
    if len(centroids) == 2:
        np.testing.assert_allclose(found, centroids, atol=1e-6)
        np.testing.assert_array_equal(gaps < 0, np.array(labels) == 1)
    else:  # one cluster lost all its members and was dropped
        assert len(set(gaps < 0)) == 1
