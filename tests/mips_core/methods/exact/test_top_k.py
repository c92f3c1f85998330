"""Exact top-K against the definition: order, ties, exclusion, odd shapes."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import DataError, ParamError
from mips_core.methods.exact import exact_top_k, exact_top_k_scores, top_k
from tests import oracle


@st.composite
def problems(draw):
    """Items and queries on a coarse grid, so that equal scores abound."""
    n, d, m = draw(st.integers(1, 40)), draw(st.integers(1, 5)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    levels = draw(st.sampled_from([1, 2, 50]))
    X, Q = (rng.integers(-levels, levels + 1, size=(rows, d)) / levels for rows in (n, m))
    scale = 10.0 ** draw(st.sampled_from([-36, -30, -6, 0, 6, 14]))
    return (X * scale).astype(np.float32), Q.astype(np.float32), draw(st.integers(1, 50))


@given(problems())
def test_is_the_definition(problem):
    X, Q, k = problem
    expected = [oracle.ranking(X, q)[:k] for q in Q]
    np.testing.assert_array_equal(exact_top_k(X, Q, k), expected)


@given(problems(), st.integers(0, 39))
def test_an_excluded_item_is_passed_over(problem, banned):
    X, Q, k = problem
    exclude = np.full(len(Q), banned if banned < len(X) else -1)
    left = len(X) - 1
    expected = [[i for i in oracle.ranking(X, q) if i != exclude[0]][: min(k, left)] for q in Q]
    np.testing.assert_array_equal(exact_top_k(X, Q, k, exclude), expected)


def test_more_items_than_a_tile_and_near_ties_across_tiles():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 30)).astype(np.float32)
    X[[7, 1500, 2600, 4999]] = X[3]  # the same row in four tiles
    Q = np.concatenate([X[3:4] * 2, rng.normal(size=(60, 30))]).astype(np.float32)
    scores = Q.astype(np.float64) @ X.T.astype(np.float64)
    expected = np.argsort(-scores, axis=1, kind="stable")[:, :100]
    ids, found = exact_top_k_scores(X, Q, 100)
    assert set(ids[0, :5]) == {3, 7, 1500, 2600, 4999}
    np.testing.assert_array_equal(ids[0, :5], np.sort(ids[0, :5]))
    np.testing.assert_array_equal(ids[1:], expected[1:])
    np.testing.assert_allclose(found, np.take_along_axis(scores, ids, 1), rtol=1e-12)


def test_duplicates_only_are_ranked_by_number():
    X = np.ones((3000, 4), np.float32)
    np.testing.assert_array_equal(exact_top_k(X, X[:2], 5), [range(5)] * 2)


def test_one_huge_norm_does_not_hide_the_order_of_the_rest():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 6)).astype(np.float32)
    X[1234] *= 1e9
    Q = -X[[1234, 5]]
    Q[0] /= 1e9
    expected = [oracle.ranking(X, q)[:7] for q in Q]
    np.testing.assert_array_equal(exact_top_k(X, Q, 7), expected)


def test_what_cannot_be_asked_is_refused():
    X = np.ones((3, 2), np.float32)
    with pytest.raises(ParamError, match="k is 0"):
        exact_top_k(X, X, 0)
    with pytest.raises(DataError, match="3 dimensions, the items 2"):
        exact_top_k(X, np.ones((1, 3), np.float32), 1)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_number_is_refused_and_other_types_are_taken(bad):
    X = np.arange(12.0).reshape(4, 3)
    Q = np.ones((1, 3))
    np.testing.assert_array_equal(exact_top_k(X, Q.tolist(), 2, [3]), [[2, 1]])
    Q[0, 0] = bad
    with pytest.raises(DataError, match="row 0, column 0"):
        exact_top_k(X, Q, 2)
    with pytest.raises(DataError, match="no items"):
        exact_top_k(X[:0], X, 2)


def test_many_equal_best_items_beside_others():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 5)).astype(np.float32)
    X[::5] = X[np.argmax(np.linalg.norm(X, axis=1))]
    Q = np.concatenate([X[:1], -X[:2]])
    expected = [oracle.ranking(X, q)[:9] for q in Q]
    np.testing.assert_array_equal(exact_top_k(X, Q, 9), expected)


@given(problems(), st.sampled_from([1, 7, 64, 2**20]), st.none() | st.integers(0, 39))
def test_float16_items_are_answered_as_their_float32_copy_whatever_the_parts(problem, part, banned):
    X, Q, k = problem
    half = (X / (np.abs(X).max() or 1)).astype(np.float16)
    exclude = None if banned is None else np.full(len(Q), banned if banned < len(X) else -1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(top_k, "PART", part)
        found = exact_top_k_scores(half, Q, k, exclude)
    expected = exact_top_k_scores(half.astype(np.float32), Q, k, exclude)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_float16_items_are_never_float32_as_a_whole(monkeypatch):
    monkeypatch.setattr(top_k, "PART", 2**15)
    X = np.random.default_rng(0).normal(size=(60_000, 20)).astype(np.float16)
    Q = X[:5].astype(np.float32)
    exact_top_k_scores(X[:3_000], Q, 20)  # compiled
    tracemalloc.start()
    exact_top_k_scores(X, Q, 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes  # half of a float32 copy
