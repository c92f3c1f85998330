"""What every effort returns, against asking at each effort alone and the definition of a loss."""

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, rng_for
from mips_core.data.metrics import searched_by, shown
from mips_core.groups.clusters import describe
from mips_core.groups.typed_queries import question_of_vector
from mips_core.groups.typed_queries.one_query import (
    question_of_item,
    question_of_query,
    true_answers,
)
from mips_core.studies.misses import answers_by_effort, follow, located, walk
from tests import oracle
from tests.mips_core.evaluation.asked_alone import ask
from tests.mips_core.studies.misses.search_cases import SPECS, smooth

K = 4


def built(index, dataset):
    return index.searcher(index.build(dataset.items, rng_for(0)))


def questions(dataset):
    """Of a query, of an item that is left out with two others, and one that wants all."""
    yield question_of_query(dataset, 0, K)
    yield question_of_vector(dataset, np.linspace(-1, 1, 5), 9, (0, 7, 250))
    yield question_of_item(dataset, 20, dataset.n, exclude_self=True)


@pytest.mark.parametrize("metric", ["inner product", "euclidean"])
@pytest.mark.parametrize("index", SPECS.values(), ids=SPECS)
def test_every_effort_returns_what_a_search_at_it_alone_returns(index, metric):
    X, Q = smooth()
    dataset = searched_by(Dataset(X, Q, query_rows=np.array([3, -1, 7, 200])), metric)
    searcher = built(index, dataset)
    for question in questions(dataset):
        true = true_answers(dataset.items, question)
        answers = answers_by_effort(searcher, dataset, question, true)
        assert answers.efforts.tolist() == list(searcher.efforts())
        for at in {
            0,
            1 % len(answers.efforts),
            len(answers.efforts) // 2,
            len(answers.efforts) - 1,
        }:
            alone = ask(searcher, dataset.items, question, true, int(answers.efforts[at]))
            many = len(alone.returned.ids)
            assert answers.returned[at].tolist()[:many] == alone.returned.ids.tolist()
            assert answers.scores[at].tolist()[:many] == alone.returned.scores.tolist()
            assert set(answers.returned[at, many:]) <= {-1}
            assert answers.found[at].tolist() == alone.found.tolist()
            assert answers.right[at, :many].tolist() == alone.right.tolist()
            assert not answers.right[at, many:].any()
            assert answers.cost[at] == alone.cost
            assert answers.speedup[at] == alone.speedup
            assert answers.precision[at] == alone.precision
            assert answers.precision_with_ties[at] == alone.precision_with_ties


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
@pytest.mark.parametrize("key", ["flat-kmeans", "hierarchical-kmeans", "srp-hash", "ip-tree"])
def test_what_is_lost_is_told_from_both_lists(key, metric):
    X, Q = smooth()
    dataset = searched_by(Dataset(X, Q), metric)
    searcher = built(INDEXES[key](), dataset)
    question = question_of_query(dataset, 1, 12)
    true = true_answers(dataset.items, question)
    answers = answers_by_effort(searcher, dataset, question, true)
    worse = -1 if metric == "euclidean" else 1
    values = worse * shown(dataset, question.query[None], oracle_scores(dataset, question))[0]
    missed = 0
    for at in range(len(answers.efforts)):
        returned = [item for item in answers.returned[at] if item >= 0]
        others = [item for item in returned if item not in true.ids]
        for place, item in enumerate(true.ids):
            if answers.found[at, place]:
                assert (answers.instead[at, place], answers.losses[at, place]) == (-1, 0)
            elif others:
                other = others.pop(0)
                assert answers.instead[at, place] == other
                assert answers.losses[at, place] == pytest.approx(values[item] - values[other])
                missed += 1
            else:
                assert answers.instead[at, place] == -1
                assert np.isnan(answers.losses[at, place])
        assert not others
        if len(returned) == len(true.ids):
            whole = values[true.ids].sum() - values[returned].sum()
            assert answers.loss[at] == pytest.approx(whole, abs=1e-6)
    assert missed
    assert (answers.loss >= -1e-9).all()
    assert (answers.total is None) == (metric == "euclidean" or values[true.ids].min() <= 0)


def oracle_scores(dataset, question):
    return np.array([[oracle.dot(x, question.query) for x in dataset.items]])


@pytest.mark.parametrize("index", SPECS.values(), ids=SPECS)
def test_a_diagnosis_agrees_with_candidates_alone(index):
    """Where a missed answer lies, the rank of its group, what finds it: all from candidates()."""
    X, Q = smooth()
    dataset = Dataset(X, Q)
    searcher, question = built(index, dataset), question_of_query(dataset, 2, 15)
    true, q = true_answers(dataset.items, question), question.query[None]
    levels = describe(searcher, index, dataset)
    followed = follow(searcher, index, dataset, question, true, levels)
    places = located(followed, levels[-1])
    held = [set(searcher.candidates(q, effort, 15).ids) for effort in searcher.efforts()]
    whole = [
        sorted(set(range(len(levels[-1].sizes))) - {int(levels[-1].of[i]) for i in range(300)
               if i not in candidates})
        for candidates in held
    ]  # fmt: skip
    for item, group, rank, effort in zip(
        true.ids, places.groups, places.ranks, places.efforts, strict=True
    ):
        first = next((at for at, candidates in enumerate(held) if item in candidates), None)
        assert effort == (-1 if first is None else searcher.efforts()[first])
        assert item in np.flatnonzero(searcher.groups()[-1] == group)
        if index.opens_groups and rank:
            since = next(at for at, groups in enumerate(whole) if group in groups)
            earlier = {g for groups in whole[:since] for g in groups if levels[-1].sizes[g]}
            assert len(earlier) < rank
    steps = walk(searcher, index, question, searcher.efforts()[0], 15, levels)
    by_part = {}
    for step in steps:
        by_part[step.part] = by_part.get(step.part, 0) + step.spent
    costs = searcher.candidates(q, searcher.efforts()[0], 15).costs
    assert by_part == {part: cost[0] for part, cost in costs.items() if part in by_part}
    assert sum(by_part.values()) == sum(cost[0] for cost in costs.values())
