"""One query's answers against the curve over all queries, the public search and the definition."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, NestedSearcher, evaluate, rng_for, search, truth_of
from mips_core.data.metrics import conversion, searched_by
from mips_core.groups.typed_queries.one_query import (
    NEVER,
    question_of_item,
    question_of_query,
    true_answers,
)
from tests import oracle
from tests.mips_core.evaluation.asked_alone import ask

K = 4


def coarse(n=60, d=3, m=6):
    """Few levels, so that rows repeat and scores tie."""
    rng = np.random.default_rng(5)
    X, Q = (rng.integers(-2, 3, size=(rows, d)).astype(np.float32) for rows in (n, m))
    X[0], Q[:, 0], Q[:, 1] = 2, 1, np.arange(m) - 2  # no two queries are equal
    return X, Q


def asked(dataset, searcher, effort, K=K):
    """The answers to every query of a data set."""
    found = []
    for number in range(dataset.m):
        question = question_of_query(dataset, number, K)
        true = true_answers(dataset.items, question)
        found.append(ask(searcher, dataset.items, question, true, effort))
    return found


def some(efforts):
    """Up to six of them, the first and the last among them."""
    every = list(efforts)
    return [every[i] for i in sorted({round(i) for i in np.linspace(0, len(every) - 1, 6)})]


@pytest.mark.parametrize(
    ("exclude", "metric"),
    [(False, "inner product"), (True, "inner product"), (True, "euclidean")],
)
@pytest.mark.parametrize("key", INDEXES)
def test_all_queries_together_are_the_curve(key, exclude, metric):
    X, Q = coarse()
    rows = np.array([0, 3, -1, 7, 59, 20]) if exclude else None
    dataset = searched_by(Dataset(X, Q, query_rows=rows), metric)
    index = INDEXES[key]().explicit(dataset.n)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0, K=K)
    curve = evaluation.curve((K,))
    for at, effort in some(enumerate(searcher.efforts())):
        answers = asked(dataset, searcher, effort)
        assert np.mean([a.precision for a in answers]) == pytest.approx(curve.precision(K)[at])
        with_ties = np.mean([a.precision_with_ties for a in answers])
        assert with_ties == pytest.approx(curve.tolerant[K][at])
        assert np.mean([a.cost for a in answers]) == pytest.approx(curve.mean_cost[at])
        for part, cost in curve.costs.items():
            assert np.mean([a.costs[part][0] for a in answers]) == pytest.approx(cost[at])
        assert dataset.n / np.mean([a.cost for a in answers]) == pytest.approx(curve.speedup[at])


@pytest.mark.parametrize("key", INDEXES)
def test_what_is_returned_is_what_a_search_returns(key):
    X, Q = coarse()
    index = INDEXES[key]().explicit(len(X))
    searcher = index.searcher(index.build(X, rng_for(0)))
    for effort in some(searcher.efforts()):
        ids, scores = search(searcher, X, Q, K, effort)
        for i, answers in enumerate(asked(Dataset(X, Q), searcher, effort)):
            kept = ids[i] >= 0
            assert answers.returned.ids.tolist() == ids[i][kept].tolist()
            assert answers.returned.scores.tolist() == scores[i][kept].tolist()
            assert answers.true.ids.tolist() == oracle.ranking(X, Q[i])[:K]
            assert set(answers.true.ids[answers.found]) <= set(answers.returned.ids)


@pytest.mark.parametrize("key", INDEXES)
def test_an_answer_is_found_from_its_effort_on(key):
    X, Q = coarse()
    index = INDEXES[key]().explicit(len(X))
    searcher = index.searcher(index.build(X, rng_for(0)))
    for effort in some(searcher.efforts()):
        for answers in asked(Dataset(X, Q), searcher, effort):
            if isinstance(searcher, NestedSearcher):
                since = answers.found_from
                expected = (since != NEVER) & (since <= effort)
                assert answers.found.tolist() == expected.tolist()
            else:
                assert answers.found_from is None


def test_the_own_row_is_neither_true_nor_returned():
    X, _ = coarse()
    exact = INDEXES["exact"]()
    searcher = exact.searcher(exact.build(X, rng_for(0)))
    dataset = Dataset(X, X[:5], query_rows=np.arange(5))
    for i, answers in enumerate(asked(dataset, searcher, 1, K=100)):
        expected = [j for j in oracle.ranking(X, X[i]) if j != i]
        assert answers.true.ids.tolist() == answers.returned.ids.tolist() == expected
        assert answers.precision == answers.precision_with_ties == 1.0
        assert answers.speedup == 1.0


@pytest.mark.parametrize("key", INDEXES)
def test_one_item_can_be_asked_for(key):
    X = np.array([[3.0, 4.0]], np.float32)
    index = INDEXES[key]().explicit(1)
    searcher = index.searcher(index.build(X, rng_for(0)))
    (answers,) = asked(Dataset(X, X), searcher, searcher.efforts()[-1], K=1)
    assert answers.true.scores.tolist() == [25.0]
    assert answers.cost > 0
    assert answers.precision in (0.0, 1.0)


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
def test_an_item_asks_as_its_vector_would(metric):
    X = np.random.default_rng(1).normal(5, 1, size=(30, 4)).astype(np.float32)
    dataset = searched_by(Dataset(X, X[:2]), metric)
    expected = conversion(X, metric).queries(X[7:8])[0]
    question = question_of_item(dataset, 7, 1, exclude_self=False)
    assert question.query == pytest.approx(expected, rel=1e-6)
    if metric != "inner product":
        assert true_answers(dataset.items, question).ids.tolist() == [7]
    question = question_of_item(dataset, 7, 29, exclude_self=True)
    assert set(true_answers(dataset.items, question).ids) == {*range(30)} - {7}


def test_a_class_asks_with_its_weights_and_leaves_its_item_as_it_is():
    X = np.array([[1.0, 2.0, 9.0], [3.0, 4.0, 8.0]], np.float32)
    layer = replace(Dataset(X), logits=True)
    question = question_of_item(layer, 1, 2, exclude_self=False)
    assert question.query.tolist() == [3.0, 4.0, 1.0]
    assert layer.items.tolist() == X.tolist()
