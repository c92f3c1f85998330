"""Answers are those of the definition, whatever lists hold and however scores tie."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.indexes import ListSearcher
from mips_core.serving.fast_search import retriever_of
from mips_core.serving.fast_search.codes import STEP, code_product, encode, encode_query, width
from mips_core.serving.fast_search.lists import FEW
from mips_core.serving.fast_search.shortlist import rounding_bound
from tests import oracle


@dataclass(frozen=True)
class Drawn(ListSearcher):
    """Opens what was drawn: `chosen` (m, p) lists, -1 for none, of query q[0] in its row."""

    labels: np.ndarray
    chosen: np.ndarray
    Q: np.ndarray

    @property
    def n(self):
        return len(self.labels)

    def efforts(self):
        return [1]

    def groups(self):
        return [self.labels]

    def trace(self, q, effort, K):
        raise NotImplementedError

    def lists(self):
        sizes = np.bincount(self.labels, minlength=self.chosen.max(initial=0) + 1)
        return np.concatenate([[0], np.cumsum(sizes)]), np.argsort(self.labels, kind="stable")

    def opened(self, Q, effort):
        rows = [np.flatnonzero((q == self.Q).all(axis=1))[0] for q in Q]
        return self.chosen[rows], {"centroids": np.zeros(len(Q), np.int64)}

    def among(self, i):
        """The items that query i may get."""
        return np.flatnonzero(np.isin(self.labels, self.chosen[i]))


@st.composite
def problems(draw, most_queries=FEW + 3):
    """Items on a coarse grid, of very different lengths, in lists; queries and what they open."""
    n, d, m = (draw(st.integers(1, most)) for most in (60, 5, most_queries))
    lists, p = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    levels = draw(st.sampled_from([1, 2, 50]))
    X, Q = (rng.integers(-levels, levels + 1, size=(rows, d)) / levels for rows in (n, m))
    X[rng.integers(0, n, n // 4)] = X[0]
    X *= 10.0 ** rng.integers(-draw(st.sampled_from([0, 0, 3, 12])), 1, size=(n, 1))
    X[rng.integers(0, n)] *= draw(st.sampled_from([1, 1, 1e9]))
    X *= draw(st.sampled_from([1e-38, 1e-30, 1, 1e5]))
    Q *= 10.0 ** rng.integers(-3, 4, size=(m, 1))
    labels = rng.integers(0, lists, n)
    orders = np.argsort(rng.random((m, lists)), axis=1)[:, :p]
    chosen = np.where(rng.random(orders.shape) < 0.2, -1, orders)
    Q = Q.astype(np.float32)
    same = [np.flatnonzero((q == Q).all(axis=1))[0] for q in Q]  # equal queries open equal lists
    return X.astype(np.float32), Q, Drawn(labels, chosen[same], Q), draw(st.integers(1, n + 3))


@given(problems(), st.booleans())
def test_is_the_definition(problem, codes):
    X, Q, searcher, K = problem
    ids, scores = retriever_of(searcher, X, codes=codes).search(Q, K, 1)
    for i, q in enumerate(Q):
        expected = oracle.ranking(X, q, searcher.among(i))[:K]
        values = [oracle.dot(X[j], q) for j in expected]
        none = K - len(expected)
        np.testing.assert_array_equal(ids[i], expected + [-1] * none)
        np.testing.assert_array_equal(scores[i], values + [-np.inf] * none)


@given(problems(), st.booleans())
def test_one_query_gets_what_it_gets_among_others(problem, codes):
    X, Q, searcher, K = problem
    retriever = retriever_of(searcher, X, codes=codes)
    together = retriever.search(np.concatenate([Q] * (FEW + 1)), K, 1)
    alone = retriever.search(Q[:1], K, 1)
    for one, all_of_them in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one[0], all_of_them[0])
        np.testing.assert_array_equal(all_of_them[0], all_of_them[-len(Q)])


@given(problems(1))
def test_what_codes_lose_stays_within_the_bound(problem):
    X, Q, searcher, _ = problem
    q = np.float64(Q[0]) / max(np.linalg.norm(np.float64(Q[0])), 1e-300)
    starts, members = searcher.lists()
    rows = np.ascontiguousarray(X[members])
    codes = np.full((len(rows), width(X.shape[1])), 99, np.int8)
    scales = np.empty(len(rows), np.float32)
    errors = np.zeros(len(starts) - 1, np.float32)
    encode(starts, rows, codes, scales, errors)
    code = np.full(codes.shape[1], 99, np.int16)
    step, lost = encode_query(q.astype(np.float32), code)
    assert lost < 1e-3
    relative, absolute = rounding_bound(X.shape[1])
    for which in range(len(starts) - 1):
        bound = relative + errors[which] + lost * (1 + errors[which])
        for at in range(starts[which], starts[which + 1]):
            exact = code_product(codes[at], code)
            assert exact == int(codes[at].astype(int) @ code.astype(int))
            score = float(exact) * float(scales[at]) * step
            length = np.linalg.norm(np.float64(rows[at]))
            assert abs(oracle.dot(rows[at], q) - score) <= bound * length + absolute


def test_codes_are_as_wide_as_whole_steps():
    assert [width(d) for d in (1, STEP - 1, STEP, STEP + 1, 100)] == [32, 32, 32, 64, 128]


@pytest.mark.parametrize("d", [1, 100, 5000])
def test_products_of_codes_fit_into_32_bits(d):
    code = np.empty(width(d), np.int16)
    encode_query(np.full(d, d**-0.5, np.float32), code)
    lowest = np.full(len(code), -127, np.int8)
    assert code_product(lowest, code) == -127 * int(code.astype(int).sum())
