"""Answers are those of the definition, whatever lists hold and however scores tie."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.serving.fast_search import retriever_of
from mips_core.serving.fast_search.retriever import FEW
from tests import oracle
from tests.mips_core.serving.fast_search.drawn_lists import problems


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
