"""Answers of a built index: the best candidates by the one strict order, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.errors import DataError, ParamError
from mips_core.methods.exact import exact_top_k
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.search import answers_among, best_candidates, block_size, search
from mips_core.methods.searcher import Candidates
from tests import oracle


@given(st.integers(0, 2**31), st.integers(1, 6), st.booleans())
def test_answers_given_the_true_ones_are_the_best_candidates(seed, K, own):
    """Items of few values, so that many tie; with every query's own row left out, or not."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(30, 3)).astype(np.float32)
    Q = rng.integers(-2, 3, size=(5, 3)).astype(np.float32)
    exclude = rng.integers(0, 30, 5) if own else None
    rows = [np.flatnonzero(rng.random(30) < share) for share in (0, 0.1, 0.3, 0.6, 1)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    found = Candidates(starts, np.concatenate(rows).astype(np.int64), {})
    ids, scores = best_candidates(X, Q, found, K, exclude)
    true = exact_top_k(X, Q, 12, exclude)
    np.testing.assert_array_equal(answers_among(true, X, Q, found, K, exclude), ids)
    for i, row in enumerate(rows):
        near = [item for item in row if exclude is None or item != exclude[i]]
        expected = oracle.ranking(X, Q[i], near)[:K]
        assert ids[i].tolist() == expected + [-1] * (K - len(expected))
        assert scores[i, : len(expected)].tolist() == [oracle.dot(X[j], Q[i]) for j in expected]


def test_what_cannot_be_asked_is_refused():
    X = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    index = FlatKMeans(n_clusters=4)
    searcher = index.searcher(index.build(X, rng_for(0)))
    for K in (0, 101):
        with pytest.raises(ParamError, match=f"K is {K}, outside 1 to 100"):
            search(searcher, X, X, K, 1)
    with pytest.raises(ParamError, match=r"Effort 5 is not offered. Efforts go from 1 to 4"):
        search(searcher, X, X, 1, 5)
    with pytest.raises(DataError, match="The index holds 40 items, X has 39"):
        search(searcher, X[1:], X, 1, 1)
    with pytest.raises(DataError, match="The queries have 2 dimensions, the items 3"):
        search(searcher, X, X[:, :2], 1, 1)


@pytest.mark.parametrize(("n", "queries"), [(1, 256), (32_768, 256), (65_536, 128), (10**9, 1)])
def test_a_block_of_queries_stays_within_its_memory(n, queries):
    assert block_size(n) == queries
