"""Softmax probabilities: against scipy, and the estimate against its own promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax, logsumexp

from mips_core.base.errors import ParamError
from mips_core.studies import softmax
from mips_core.studies.softmax import probabilities

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3000, 8)).astype(np.float32)
Q = RNG.normal(size=(40, 8)).astype(np.float32)


def logits_of(X, q):
    return X.astype(np.float64) @ q.astype(np.float64)


def top(X, q, K):
    return np.argsort(-logits_of(X, q), kind="stable")[:K]


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 40), st.floats(0, 6), st.integers(0))
def test_the_whole_denominator_is_that_of_scipy(n, d, K, magnitude, seed):
    rng = np.random.default_rng(seed)
    items = (rng.normal(size=(n, d)) * 10**magnitude).astype(np.float32)
    q = rng.normal(size=d).astype(np.float32)
    ids = rng.permutation(n)[:K]
    found = probabilities(items, q, ids)
    logits = logits_of(items, q)
    np.testing.assert_allclose(found.values, np.exp(log_softmax(logits))[ids], rtol=1e-7)
    assert found.log_denominator == pytest.approx(logsumexp(logits), rel=1e-12, abs=1e-12)
    assert (found.sampled, found.standard_error) == (None, 0.0)


def test_blocks_are_joined(monkeypatch):
    whole = probabilities(X, Q[0], np.arange(3000))
    monkeypatch.setattr(softmax, "BLOCK", 7)
    np.testing.assert_allclose(probabilities(X, Q[0], np.arange(3000)).values, whole.values)
    assert whole.values.sum() == pytest.approx(1)


def test_the_estimate_is_unbiased_and_its_error_is_what_it_says():
    q, ids = Q[0], top(X, Q[0], 10)
    true = np.exp(logsumexp(logits_of(X, q)))
    found = [probabilities(X, q, ids, sample=100, seed=seed) for seed in range(2000)]
    sums = np.exp([f.log_denominator for f in found])
    errors = np.array([f.standard_error for f in found]) * sums
    assert abs(sums.mean() - true) < 4 * sums.std() / np.sqrt(2000)
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(sums.std(), rel=0.1)
    assert {f.sampled for f in found} == {100}
    assert max(f.values.sum() for f in found) <= 1


@pytest.mark.parametrize("K", [0, 1, 50, 2999, 3000])
def test_only_others_are_drawn_each_once(K):
    ids = RNG.permutation(3000)[:K]
    for sample in {1, 7, 3000 - K - 1} & set(range(1, 3000)):
        if sample < 3000 - K:
            drawn = softmax._others(ids, 3000 - K, sample, 3)
            assert len(set(drawn) - set(ids)) == sample
            assert 0 <= drawn.min() <= drawn.max() < 3000


def test_a_sample_of_all_others_is_the_whole_and_one_class_tells_no_spread():
    ids = top(X, Q[1], 10)
    assert probabilities(X, Q[1], ids, sample=2990).sampled is None
    assert np.isnan(probabilities(X, Q[1], ids, sample=1).standard_error)
    near = probabilities(X, Q[1], ids, sample=2989)
    whole = probabilities(X, Q[1], ids)
    np.testing.assert_allclose(near.values, whole.values, rtol=1e-3)
    assert near.standard_error < 1e-3


def test_equal_logits_are_estimated_without_error():
    found = probabilities(np.ones((500, 2), np.float32), np.ones(2, np.float32), [3, 4], sample=5)
    np.testing.assert_allclose(found.values, 1 / 500)
    assert found.standard_error == 0


def test_large_logits_found_only_in_the_sample_do_not_overflow():
    items = np.full((50, 1), 5000, np.float32)
    items[0] = -5000
    found = probabilities(items, np.ones(1, np.float32), [0], sample=10)
    assert found.values[0] == 0
    assert found.log_denominator == pytest.approx(5000 + np.log(49))


def test_one_seed_one_estimate():
    a, b, c = (probabilities(X, Q[2], [5], sample=20, seed=seed) for seed in (0, 0, 1))
    assert a.log_denominator == b.log_denominator != c.log_denominator


@pytest.mark.parametrize(
    ("ids", "sample", "words"),
    [([-1], None, "different rows"), ([3000], None, "0 to 2999"), ([4, 4], 5, "different rows"),
     ([4], 0, "sample is 0")],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(ids, sample, words):
    with pytest.raises(ParamError, match=words):
        probabilities(X, Q[0], ids, sample=sample)
