"""Codebooks: the nearest codeword, the metric, and what training gains."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.methods.quantization.codebooks import encode, nearest, train
from tests.mips_core.methods.hard_vectors import SEEDS, SHAPES, vectors


@given(SEEDS, st.sampled_from(SHAPES), st.integers(1, 12))
def test_the_nearest_codeword_is_that_of_exact_sums(seed, shape, k):
    rng = np.random.default_rng(seed)
    rows = vectors(shape, rng, 20, 3)
    codewords = rows[rng.integers(0, 20, k)].astype(float)
    W = rng.integers(0, 2, size=(3, 3)).astype(float)
    towards = [[sum(W[a, b] * c[b] for b in range(3)) for a in range(3)] for c in codewords]
    halves = [
        sum(c[a] * t[a] / 2 for a in range(3)) for c, t in zip(codewords, towards, strict=True)
    ]
    for x, label in zip(rows, nearest(rows, codewords, W), strict=True):
        scores = []
        for t, half in zip(towards, halves, strict=True):
            score = -half
            for a in range(3):
                score += float(x[a]) * t[a]
            scores.append(score)
        assert label == scores.index(max(scores))


def distortion(x, c, W):
    """(x - c)' W (x - c)."""
    gap = [float(a) - float(b) for a, b in zip(x, c, strict=True)]
    return sum(gap[a] * float(W[a][b]) * gap[b] for a in range(len(gap)) for b in range(len(gap)))


def total_distortion(rows, books, codes):
    total = 0.0
    for s, part in enumerate(books.subspaces()):
        chosen = books.codewords[part][:, codes[:, s]].T
        for x, c in zip(rows[:, books.dimensions[part]], chosen, strict=True):
            total += distortion(x, c, books.metrics[s])
    return total


@given(st.integers(0, 2**31), st.integers(1, 4), st.integers(2, 12), st.booleans())
def test_the_nearest_codeword_has_least_weighted_distance(seed, w, k, singular):
    rng = np.random.default_rng(seed)
    rows, codewords = rng.normal(size=(9, w)).astype(np.float32), rng.normal(size=(k, w))
    root = rng.normal(size=(1 if singular else w, w))
    W = root.T @ root
    for x, label in zip(rows, nearest(rows, codewords, W), strict=True):
        least = min(distortion(x, c, W) for c in codewords)
        assert distortion(x, codewords[label], W) == pytest.approx(least, abs=1e-9)


def test_equal_codewords_and_a_metric_of_zero_give_the_lowest_number():
    rows, same = np.ones((3, 2), np.float32), np.ones((4, 2))
    assert nearest(rows, same, np.eye(2)).tolist() == [0, 0, 0]
    assert nearest(rows, np.eye(2), np.zeros((2, 2))).tolist() == [0, 0, 0]


def test_the_metric_is_the_second_moment_and_each_dimension_has_its_subspace():
    X = np.random.default_rng(0).normal(size=(50, 11)).astype(np.float32)
    books = train(X, 4, 8, rng_for(0), silent)
    assert sorted(books.dimensions) == list(range(11))
    assert books.dimensions.tolist() != list(range(11))
    assert sorted(np.diff(books.bounds)) == [2, 3, 3, 3]
    for part, W in zip(books.subspaces(), books.metrics, strict=True):
        rows = X[:, books.dimensions[part]].astype(float)
        np.testing.assert_allclose(W, rows.T @ rows / 50, atol=1e-12)


def test_rounds_of_training_lower_the_distortion():
    rng = np.random.default_rng(1)
    X = (rng.normal(size=(300, 6)) * [5, 3, 1, 1, 0.3, 0.1]).astype(np.float32) / 20
    totals = []
    for rounds in range(6):
        books = train(X, 2, 16, rng_for(0), silent, rounds)
        totals.append(total_distortion(X, books, encode(X, books)))
    assert (np.diff(totals) <= 1e-9).all()
    assert totals[-1] < 0.8 * totals[0]
