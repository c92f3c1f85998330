"""Counts by group against brute force from candidates alone; what they say."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import INDEXES, evaluate, truth_of
from mips_core.studies.misses import answer_counts, health, times_missed
from mips_core.studies.misses.efforts import missed
from tests import oracle
from tests.mips_core.studies.misses.level_cases import K, built, data, middle


@pytest.fixture(params=INDEXES)
def index(request):
    return INDEXES[request.param]()


@pytest.mark.parametrize("exclude", [False, True])
def test_answers_and_misses_are_those_of_the_definition(index, exclude):
    dataset = data(exclude=exclude)
    searcher, levels = built(index, dataset)
    truth = truth_of(dataset)
    effort, level = middle(searcher), levels[-1]
    answers, misses = np.zeros(dataset.n, int), np.zeros(dataset.n, int)
    opened = np.zeros(len(level.sizes), int)
    lost = np.zeros((dataset.m, K), bool)
    for i, q in enumerate(dataset.queries):
        banned = {int(dataset.query_rows[i])} if exclude else set()
        best = [j for j in oracle.ranking(dataset.items, q) if j not in banned][:K]
        listed = searcher.candidates(q[None], effort, K + exclude).ids
        opened[list({int(level.of[j]) for j in listed})] += 1
        answers[best] += 1
        for place, item in enumerate(best):
            if item not in listed:
                misses[item] += 1
                lost[i, place] = True
    evaluation = evaluate(index, searcher, truth, 0, K=K)
    assert answer_counts(truth, K).tolist() == answers.tolist()
    assert times_missed(evaluation, K, effort).tolist() == misses.tolist()
    assert missed(evaluation, K, effort).tolist() == lost.tolist()
    group_health = health(searcher, index, dataset, truth, K, effort, level)
    assert group_health.missed.tolist() == lost.tolist()
    assert group_health.opened.tolist() == opened.tolist()
    for group in range(len(level.sizes)):
        inside = level.of == group
        assert group_health.sizes[group] == inside.sum()
        assert group_health.answers[group] == answers[inside].sum()
        assert group_health.misses[group] == misses[inside].sum()
    assert group_health.opened_share == pytest.approx(opened / dataset.m)
    assert group_health.answers_share.sum() == pytest.approx(1)
    assert group_health.misses_share.sum() == pytest.approx(float(misses.any()))


def test_a_radius_is_the_mean_distance_from_the_mean():
    dataset = data()
    index = INDEXES["flat-kmeans"]()
    searcher, levels = built(index, dataset)
    rows = dataset.items * np.float32(2)
    group_health = health(searcher, index, dataset, truth_of(dataset), K, 1, levels[-1], rows)
    plain = health(searcher, index, dataset, truth_of(dataset), K, 1, levels[-1])
    for group, radius in enumerate(group_health.radii):
        inside = rows[levels[-1].of == group].astype(float)
        expected = np.mean([math.dist(row, inside.mean(axis=0)) for row in inside])
        assert radius == pytest.approx(expected)
        assert radius == pytest.approx(2 * plain.radii[group])


def test_a_group_without_items_is_never_listed():
    dataset = data()
    index = INDEXES["flat-kmeans"]()
    searcher, (level,) = built(index, dataset)
    of = np.where(level.of == 1, 0, level.of)
    gap = replace(level, of=of, sizes=np.bincount(of, minlength=len(level.sizes)).astype(np.int32))
    group_health = health(searcher, index, dataset, truth_of(dataset), K, 1, gap)
    assert math.isnan(group_health.radii[1])
    assert group_health.opened[1] == group_health.answers[1] == 0
    for order in (
        group_health.largest,
        group_health.smallest,
        group_health.most_misses,
        group_health.most_opened,
    ):
        assert 1 not in order
        assert len(order) == len(level.sizes) - 1


def test_orders_are_strict():
    dataset = data()
    index = INDEXES["flat-kmeans"]()
    searcher, (level,) = built(index, dataset)
    group_health = health(searcher, index, dataset, truth_of(dataset), K, 2, level)
    groups = range(len(level.sizes))
    assert group_health.largest.tolist() == sorted(
        groups, key=lambda g: (-group_health.sizes[g], g)
    )
    assert group_health.smallest.tolist() == sorted(
        groups, key=lambda g: (group_health.sizes[g], g)
    )
    assert group_health.most_opened.tolist() == sorted(
        groups, key=lambda g: (-group_health.opened[g], g)
    )
    assert group_health.most_misses.tolist() == sorted(
        groups, key=lambda g: (-group_health.misses[g], group_health.answers[g], g)
    )


@cache
def healthy():
    """Exact search, which misses nothing."""
    dataset, index = data(), INDEXES["exact"]()
    searcher, (level,) = built(index, dataset)
    return health(searcher, index, dataset, truth_of(dataset), K, 1, level)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12).filter(lambda c: sum(c) > 1))
def test_the_sentence_names_the_fewest_groups_with_half_of_the_misses(counts):
    some = np.array(counts)
    said = replace(
        healthy(),
        nouns=("cluster", "clusters"),
        sizes=np.ones(len(some), np.int32),
        answers=some,
        misses=some,
    ).in_words()
    share, _, few, _, live = said.replace(" of all misses lie in ", " ; ").rstrip(".").split()[:5]
    worst = sorted(counts, reverse=True)
    few, total = int(few), sum(counts)
    assert 2 * sum(worst[:few]) >= total > 2 * sum(worst[: few - 1])
    assert float(share.rstrip("%")) == pytest.approx(100 * sum(worst[:few]) / total, abs=0.06)
    assert int(live) == len(counts)
    assert said.endswith("1 cluster." if len(counts) == 1 else "clusters.")


def test_few_misses_are_said_as_they_are():
    none = healthy()
    assert none.in_words() == "Nothing is missed."
    assert none.misses_share.tolist() == [0.0]
    assert replace(none, misses=np.array([1])).in_words() == "One true answer is missed."


def test_more_answers_than_items_are_all_there_are():
    dataset = data(n=30)
    index = INDEXES["flat-kmeans"]()
    searcher, (level,) = built(index, dataset)
    truth = truth_of(dataset)
    group_health = health(searcher, index, dataset, truth, 100, 2, level)
    assert group_health.K == 30
    assert group_health.missed.shape == (dataset.m, 30)
    assert answer_counts(truth, 100).tolist() == [dataset.m] * 30
    assert group_health.answers.tolist() == (dataset.m * level.sizes).tolist()
