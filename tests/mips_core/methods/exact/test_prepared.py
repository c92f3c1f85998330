"""Exact search by falling norm and in blocks, against the definition; the bounds it relies on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.threads import limited
from mips_core.methods.exact import exact_top_k_scores, prepare, prepared, top_k
from mips_core.methods.exact.prepared import is_skewed, norm_bounds, prepare_in_place

SHAPES = {
    "even": lambda rng, n: np.ones(n),
    "skewed": lambda rng, n: rng.lognormal(sigma=2, size=n),
    "one huge": lambda rng, n: np.where(np.arange(n) == n // 2, 1e9, 1.0),
    "many zero": lambda rng, n: rng.integers(0, 2, n) * rng.lognormal(size=n),
}


def definition(X, Q, K):
    """ids and scores (m, K): float64 sums over the dimensions in order, ties by number."""
    scores = np.zeros((len(Q), len(X)))
    for x, q in zip(X.T.astype(np.float64), Q.T.astype(np.float64), strict=True):
        scores += q[:, None] * x
    ids = np.argsort(-scores, axis=1, kind="stable")[:, :K]
    return ids, np.take_along_axis(scores, ids, axis=1)


def same(found, expected):
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@st.composite
def problems(draw):
    n, d, m = draw(st.sampled_from([1, 7, 300, 2600])), draw(st.integers(1, 9)), 3
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    X = rng.normal(size=(n, d)) * draw(st.sampled_from(list(SHAPES.values())))(rng, n)[:, None]
    X[rng.integers(0, n, n // 5)] = X[0]
    if draw(st.booleans()):
        X = np.abs(X)  # so that all scores of the negated queries are negative
    X = (X * 10.0 ** draw(st.sampled_from([-38, -20, 0, 4]))).astype(np.float32)
    Q = np.abs(rng.normal(size=(m, d))) * [[1], [-1], [draw(st.sampled_from([0, 1e-30]))]]
    return X, Q.astype(np.float32), draw(st.sampled_from([1, 2, 10, 100, n]))


@given(problems())
def test_all_ways_give_the_definition(problem):
    X, Q, k = problem
    expected = definition(X, Q, min(k, len(X)))
    same(exact_top_k_scores(X, Q, k), expected)
    same(exact_top_k_scores(X, Q, k, prepared=prepare(X)), expected)
    alone = exact_top_k_scores(X, Q[1:2], k, prepared=prepare(X))
    same(alone, [part[1:2] for part in expected])


def test_blocks_and_threads_do_not_change_a_bit(monkeypatch):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(3000, 7)) * rng.lognormal(size=(3000, 1))).astype(np.float32)
    Q = rng.normal(size=(40, 7)).astype(np.float32)
    expected = definition(X, Q, 10)
    for queries, most in ((40, 1), (7, 1), (7, 2)):
        monkeypatch.setattr(top_k, "QUERY_BLOCK", queries)
        for items in (prepare(X), prepare_in_place(X)):
            with limited(most):
                same(exact_top_k_scores(X, Q, 10, prepared=items), expected)


def test_lists_of_many_answers_are_made_for_fewer_queries_at_once(monkeypatch):
    monkeypatch.setattr(top_k, "LISTED", 2000)
    rng = np.random.default_rng(0)
    X, Q = (rng.normal(size=(rows, 4)).astype(np.float32) for rows in (400, 5))
    same(exact_top_k_scores(X, Q, 390), definition(X, Q, 390))


def test_skewed_norms_are_visited_by_falling_norm_and_not_to_the_end(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 5)) * np.geomspace(1e-4, 1, 9000)[:, None]
    X = X.astype(np.float32)
    items = prepare(X)
    np.testing.assert_array_equal(items.head, X[items.order])
    assert (np.diff(items.norms) <= 0).all()
    assert items.nbytes > X.nbytes
    met = []
    kernel = top_k.add_tile
    monkeypatch.setattr(top_k, "add_tile", lambda *args: met.append(args[0].size) or kernel(*args))
    exact_top_k_scores(X, X[:4], 5, prepared=items)
    assert sum(met) < 4 * 9000 / 2
    even = prepare(np.ones((9000, 5), np.float32))
    assert even.order is None
    assert even.nbytes == 2 * 4 * 9000


@pytest.mark.parametrize("copied", [0, 1, 700, 3000])
def test_however_many_of_the_longest_items_are_copied_the_answers_are_the_same(copied, monkeypatch):
    monkeypatch.setattr(prepared, "HEAD_BYTES", copied * 7 * 4 + 5)
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(3000, 7)) * rng.lognormal(size=(3000, 1))).astype(np.float32)
    X[::50] = X[0]
    Q = rng.normal(size=(9, 7)).astype(np.float32)
    Q[4] = 0  # everything ties
    items = prepare(X)
    assert len(items.head) == copied
    np.testing.assert_array_equal(items.visited(600, 800), X[items.order[600:800]])
    for K in (1, 10, 3000):
        same(exact_top_k_scores(X, Q, K, prepared=items), definition(X, Q, K))


def test_only_rows_that_are_long_enough_are_within_reach():
    X = np.array([[4], [1], [0.1], [0.1], [0.1], [0.1], [0.1]], np.float32)
    items = prepare(X)
    assert items.within_reach(np.array([5, 3, 0.5, -1], np.float32)).tolist() == [0, 1, 2, 7]


@pytest.mark.parametrize("scale", [1e-42, 1e-30, 1.0, 1e13])
def test_no_score_is_further_off_than_its_bound(scale):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(400, 60)) * rng.lognormal(size=(400, 1)) * scale).astype(np.float32)
    q = rng.normal(size=60).astype(np.float32)
    items = prepare_in_place(X)
    exact_norms = np.linalg.norm(X.astype(np.float64), axis=1)
    assert (items.norms >= exact_norms).all()
    np.testing.assert_allclose(items.norms, exact_norms, rtol=3e-6, atol=2e-38)
    unit = q / np.linalg.norm(q.astype(np.float64))
    off = (X @ unit.astype(np.float32)).astype(np.float64) - X.astype(np.float64) @ unit
    assert (np.abs(off) <= items.errors).all()


def test_one_item_or_equal_ones_are_not_skewed():
    for X in (np.ones((1, 2)), np.zeros((5, 2)), np.ones((5, 2))):
        assert not is_skewed(norm_bounds(X.astype(np.float32)))
