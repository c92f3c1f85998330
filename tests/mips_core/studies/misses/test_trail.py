"""When items are found and groups opened, and the steps of a walk, by candidates alone."""

import re
from itertools import pairwise

import numpy as np
import pytest

from mips_core import Dataset, ParamError
from mips_core.groups.typed_queries.one_query import question_of_query
from mips_core.studies.misses import walk
from tests import oracle
from tests.mips_core.studies.misses.search_cases import SPECS, K, SearchCase, questions, smooth


def test_flat_clusters_open_in_the_order_of_their_scores():
    X, Q = smooth()
    case = SearchCase(SPECS["flat-kmeans"], Dataset(X, Q))
    followed = case.followed()
    tree = case.searcher.tree
    lifted = tree.lift.queries(Q[:1])[0]
    assert followed.order.tolist() == oracle.ranking(tree.levels[0].centroids, lifted)
    assert followed.order_at.tolist() == list(range(len(followed.order)))


def test_groups_are_opened_as_a_whole_where_an_index_says_so(index):
    X, Q = smooth()
    case = SearchCase(index, Dataset(X, Q))
    found, of = case.followed(), case.levels[-1].of
    if not index.opens_groups:
        assert len(found.order) == len(found.order_at) == 0
        return
    assert len(set(found.order.tolist())) == len(found.order) > 0
    assert found.order_at.tolist() == sorted(found.order_at)
    copied = index.key == "top-down-kmeans" or getattr(index, "copies", 1) > 1
    for group in range(len(case.levels[-1].sizes)):
        inside = found.opened[of == group]
        place = np.flatnonzero(found.order == group)
        if len(place):
            assert found.order_at[place[0]] == inside.max() < len(case.efforts)
            assert copied or inside.min() == inside.max()
        else:
            assert inside.max() == len(case.efforts)


def test_clusters_opened_at_one_effort_come_in_the_order_of_their_scores():
    X, Q = smooth(n=2000)
    case = SearchCase(SPECS["hierarchical-kmeans"], Dataset(X, Q))
    found, tree = case.followed(), case.searcher.tree
    assert len(np.unique(found.order_at)) < len(found.order)  # a ladder leaves efforts out
    ranking = oracle.ranking(tree.levels[-1].centroids, tree.lift.queries(Q[:1])[0])
    rank = {group: place for place, group in enumerate(ranking)}
    keys = [(at, rank[group]) for at, group in zip(found.order_at, found.order, strict=True)]
    assert keys == sorted(keys)


def test_leaves_opened_at_one_effort_come_in_the_order_of_the_visit():
    X, Q = smooth(n=1000, d=16)
    case = SearchCase(SPECS["ip-tree"], Dataset(X, Q))
    followed = case.followed()
    assert len(np.unique(followed.order_at)) < len(followed.order)
    steps = case.searcher.trace(case.question.query, case.efforts[-1], K)
    visits = case.levels[-1].of[steps[-1].kept]
    assert followed.order.tolist() == list(dict.fromkeys(visits.tolist()))


def test_the_query_s_own_leaf_comes_first_in_a_tree_of_medians():
    X, Q = smooth()
    dataset = Dataset(X, Q)
    for query in range(dataset.m):
        case = SearchCase(SPECS["pca-tree"], dataset, question_of_query(dataset, query, K))
        assert case.followed().order[0] == case.searcher.leaves(Q[[query]])[0]


@pytest.mark.parametrize("exclude", [False, True])
def test_a_walk_sums_to_the_ledger_and_ends_in_the_candidates(index, exclude):
    for dataset, question in questions(exclude, "inner product"):
        case = SearchCase(index, dataset, question)
        for effort in case.efforts[:: max(len(case.efforts) // 4, 1)]:
            steps = walk(case.searcher, index, question, effort, len(case.true.ids), case.levels)
            assert sum(step.spent for step in steps) == case.ask(effort).cost
            assert set(steps[-1].kept.tolist()) == case.candidates(effort)
            for step in steps:
                assert step.label
                if step.level >= 0:
                    assert set(step.kept.tolist()) <= set(step.scored.tolist())
                    assert step.scored.max() < len(case.levels[step.level].sizes)


def test_a_walk_goes_down_the_levels_of_a_beam():
    X, Q = smooth()
    case = SearchCase(SPECS["hierarchical-3"], Dataset(X, Q))
    steps = walk(case.searcher, case.index, case.question, 2, K, case.levels)
    assert [step.level for step in steps] == [0, 1, 2, -1]
    for above, below in pairwise(steps[:3]):
        held_by = case.levels[below.level].parents[below.scored]
        assert set(held_by.tolist()) <= set(above.kept.tolist())
    items = np.flatnonzero(np.isin(case.levels[2].of, steps[2].kept))
    assert set(items.tolist()) == set(steps[3].kept.tolist())
    top, last = len(steps[0].scored), len(items)
    assert steps[0].label == f"Level 1: {top} clusters scored, 2 kept"
    assert steps[3].label == f"{last} items scored"


def test_a_walk_of_several_clusterings_tells_them_apart():
    X, Q = smooth()
    case = SearchCase(SPECS["multi-kmeans"], Dataset(X, Q))
    steps = walk(case.searcher, case.index, case.question, 1, K, case.levels)
    assert [step.level for step in steps] == [0, 1, 2, -1]
    opened = [np.isin(case.levels[s.level].of, s.kept) for s in steps[:3]]
    assert set(np.flatnonzero(np.any(opened, axis=0))) == set(steps[3].kept)
    assert re.fullmatch(r"Clustering 2 of 3: \d+ clusters scored, 1 kept", steps[1].label)


def test_a_walk_at_an_effort_that_is_not_offered_is_refused():
    X, Q = smooth()
    case = SearchCase(SPECS["flat-kmeans"], Dataset(X, Q))
    with pytest.raises(ParamError, match=r"Effort 0 is not offered"):
        walk(case.searcher, case.index, case.question, 0, K, case.levels)
