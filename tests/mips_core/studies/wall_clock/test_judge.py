"""Right answers by the definition, ties and own rows included."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import Dataset, truth_of
from mips_core.methods.exact import exact_top_k
from mips_core.studies.wall_clock.entrants import product_top_k
from mips_core.studies.wall_clock.judge import judge_of
from tests.mips_core.studies.wall_clock.clock_cases import dataset

FEW = pytest.mark.parametrize("exclude", [False, True])


# How good answers are


@given(st.integers(0, 10_000), st.integers(1, 12), st.booleans())
def test_an_answer_is_right_where_its_score_is_not_below_the_kth_true_one(seed, K, exclude):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (12, 2)).astype(np.float32)
    X[0, 0] = 1
    rows = rng.integers(0, 12, 6)
    Q = rng.permutation(np.argwhere(np.ones((3, 3))) + 1)[:6].astype(np.float32)
    data = Dataset(X, Q, query_rows=rows if exclude else None)
    judge = judge_of(data, truth_of(data), K)
    ids = np.array([rng.permutation(np.r_[:12, -1, -1])[: judge.wanted] for _ in Q])
    for i, hits in enumerate(judge.hits(ids, slice(None))):
        scores = X @ Q[i]
        allowed = [j for j in range(12) if not (exclude and j == rows[i])]
        least = sorted(scores[allowed])[-judge.K]
        answers = [j for j in ids[i] if j in allowed][: judge.K]
        assert hits == sum(scores[j] >= least for j in answers)


@FEW
def test_exact_answers_are_all_right(exclude):
    data = dataset(exclude=exclude)
    judge = judge_of(data, truth_of(data), 10)
    for search in (exact_top_k, product_top_k):
        precision, (low, high) = judge.score(
            lambda Q, search=search: search(data.items, Q, judge.wanted)
        )
        assert precision == high == 1
        assert 0.8 < low < 1


def test_without_its_own_row_a_query_is_asked_for_one_answer_more():
    assert [
        (judge.K, judge.wanted)
        for exclude in (False, True)
        for data in [dataset(n=8, m=3, exclude=exclude)]
        for K in (3, 50)
        for judge in [judge_of(data, truth_of(data), K)]
    ] == [(3, 3), (8, 8), (3, 4), (7, 8)]
