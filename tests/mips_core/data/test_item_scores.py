"""Items of float16 score and rank as their float32 copy, however few are converted at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.kernels import score_rows
from mips_core.data import item_scores
from mips_core.groups.typed_queries.one_query import Question, true_answers


def some(seed, n, d):
    """Half floats of any exponent, some rows twice, and a query."""
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * 2.0 ** rng.integers(-20, 12, (n, 1))).astype(np.float16)
    X[n // 2 :: 3] = X[0]
    return X, rng.normal(size=d).astype(np.float32)


@given(st.integers(0, 999), st.integers(1, 40), st.integers(1, 9), st.data())
def test_scores_and_the_best_are_those_of_the_float32_copy(seed, n, d, data):
    X, q = some(seed, n, d)
    whole = X.astype(np.float32)
    ids = np.array(data.draw(st.lists(st.integers(0, n - 1), max_size=30)), np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_scores, "CONVERTED", data.draw(st.sampled_from([1, 20, 2**20])))
        scores = item_scores.item_scores(X, q, ids)
        np.testing.assert_array_equal(scores, score_rows(whole, q, ids))
        np.testing.assert_array_equal(item_scores.item_scores(whole, q, ids), scores)
        left_out = tuple(set(ids[:2].tolist()))
        question = Question(q, data.draw(st.integers(1, 5)), left_out, 0.0)
        one, other = true_answers(X, question), true_answers(whole, question)
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.scores, other.scores)
