"""What is particular to IP-trees: how balls are split, what a descent visits, and exactness."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.errors import ParamError
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.methods.search import search
from mips_core.methods.trees.ip import IPTree
from tests import oracle
from tests.mips_core.methods.trees.balls import clustered


def exact_rows(index, X, Q, K):
    """Answers at the last effort, which never stops a search early."""
    searcher = index.searcher(index.build(X, rng_for(0)))
    return search(searcher, X, Q, K, searcher.efforts()[-1])[0]


def test_worked_example():
    X = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    tree = IPTree(leaf_size=3).build(X, rng_for(0))
    np.testing.assert_allclose(tree.balls.centres[0], [2 / 3, 2 / 3])
    assert tree.balls.radii[0] == pytest.approx(0.7454, abs=1e-4)
    q = np.array([[2, 1]], np.float32)
    bound = q @ tree.balls.centres[0] + np.linalg.norm(q) * tree.balls.radii[0]
    assert bound == pytest.approx(3.6667, abs=1e-4)
    found = IPTree(leaf_size=3).searcher(tree).candidates(q, 1, 1)
    assert found.cost == [1 + 3]


@given(st.integers(0, 2**31), st.integers(1, 60), st.integers(1, 6), st.integers(1, 70))
def test_the_last_effort_is_exact_under_ties(seed, n, leaf_size, K):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, 2)).astype(np.float32)
    Q = rng.integers(-2, 3, size=(3, 2)).astype(np.float32)  # zero queries too: every item ties
    found = exact_rows(IPTree(leaf_size=leaf_size), X, Q, K)
    for q, row in zip(Q, found, strict=True):
        expected = oracle.ranking(X, q)[:K]
        assert list(row[: len(expected)]) == expected


@pytest.mark.parametrize("magnitude", [1e-6, 1.0, 1e6])
def test_rounding_leaves_no_answer_out(magnitude):
    """Items far from zero and close together: bounds differ in their last bits alone."""
    rng = np.random.default_rng(5)
    X = magnitude * (1000 + 1e-4 * rng.integers(-3, 4, size=(200, 40)))
    Q = rng.normal(size=(10, 40)).astype(np.float32)
    X = X.astype(np.float32)
    for q, row in zip(Q, exact_rows(IPTree(leaf_size=1), X, Q, 5), strict=True):
        assert list(row) == oracle.ranking(X, q)[:5]


def test_search_in_few_dimensions_is_exact_and_costs_less_than_all_items():
    X = clustered(3000, 3, 30, 0.05, seed=1)
    rows = np.arange(0, 3000, 60)
    own = Dataset(X, X[rows], query_rows=rows)  # no query may find itself
    for dataset in (Dataset(X, clustered(50, 3, 30, 0.3, seed=2)), own):
        truth = truth_of(dataset)
        index = IPTree()
        searcher = index.searcher(index.build(X, rng_for(0)))
        for K in (1, 10):
            curve = evaluate(index, searcher, truth, 0, K=K).curve((K,))
            assert curve.precision(K)[-1] == 1
            assert curve.mean_cost[-1] < 0.3 * len(X)
            assert (np.diff(curve.precision(K)) >= 0).all()
            assert (np.diff(curve.mean_cost) >= 0).all()


def test_it_is_evaluated_for_one_k_at_a_time(items, queries):
    index = IPTree()
    searcher = index.searcher(index.build(items, rng_for(0)))
    truth = truth_of(Dataset(items, queries))
    with pytest.raises(ParamError, match="needs K"):
        evaluate(index, searcher, truth, 0)
    evaluation = evaluate(index, searcher, truth, 0, K=1)
    with pytest.raises(ParamError, match="at K = 1 alone"):
        evaluation.curve((10,))


def test_groups_are_nested_and_end_in_the_leaves():
    X = clustered(2000, 3, 20, 0.2, seed=3)
    groups = IPTree().searcher(IPTree().build(X, rng_for(0))).groups()
    assert len(groups) == 4  # at most 250, 31 and 3 items, or a leaf; leaves
    for coarse, fine in pairwise(groups):
        pairs = set(zip(coarse.tolist(), fine.tolist(), strict=True))
        assert len(pairs) == len(set(fine.tolist())) == fine.max() + 1
    assert np.bincount(groups[0]).max() <= 250
    assert np.bincount(groups[-1]).max() <= 20
