"""Answers and misses by item and by group against brute force from candidates alone."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mips_core import INDEXES, DataError, Dataset, ParamError, evaluate, rng_for, truth_of
from mips_core.groups.clusters import GroupLevel, describe
from mips_core.studies.misses import (
    answer_counts,
    boundary,
    health,
    missed,
    nearness_to_boundary,
    times_missed,
)
from tests import oracle

K = 5


def data(n=200, d=4, m=23, exclude=False):
    rng = np.random.default_rng(8)
    X, Q = rng.normal(size=(n, d)) * rng.lognormal(0, 0.4, (n, 1)), rng.normal(size=(m, d))
    X[20:24] = X[7]
    rows = np.arange(m) * 3 - 1 if exclude else None
    return Dataset(X, X[rows] if exclude else Q, query_rows=rows)


@pytest.fixture(params=INDEXES)
def index(request):
    return INDEXES[request.param]()


def built(index, dataset):
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    return searcher, describe(searcher, index, dataset)


def middle(searcher):
    efforts = list(searcher.efforts())
    return efforts[min(2, len(efforts) - 1)]


def grouped(of):
    """A level of groups `of` (n,), as far as misses look at it."""
    of = np.asarray(of, np.int32)
    sizes = np.bincount(of).astype(np.int32)
    numbers = np.arange(len(sizes))
    names = [f"group {g}" for g in numbers]
    return GroupLevel(
        "some groups",
        ("group", "groups"),
        of,
        sizes,
        names,
        numbers.astype(np.int32),
        np.zeros(len(sizes), np.uint8),
        None,
        None,
    )


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
    found = health(searcher, index, dataset, truth, K, effort, level)
    assert found.missed.tolist() == lost.tolist()
    assert found.opened.tolist() == opened.tolist()
    for group in range(len(level.sizes)):
        inside = level.of == group
        assert found.sizes[group] == inside.sum()
        assert found.answers[group] == answers[inside].sum()
        assert found.misses[group] == misses[inside].sum()
        if answers[inside].sum():
            rate = 1 - misses[inside].sum() / answers[inside].sum()
            assert found.hit_rate[group] == pytest.approx(rate)
        else:
            assert math.isnan(found.hit_rate[group])
    assert found.opened_share == pytest.approx(opened / dataset.m)
    assert found.answers_share.sum() == pytest.approx(1)
    assert found.misses_share.sum() == pytest.approx(float(misses.any()))


def test_a_radius_is_the_mean_distance_from_the_mean():
    dataset = data()
    index = INDEXES["flat-kmeans"]()
    searcher, levels = built(index, dataset)
    rows = dataset.items * np.float32(2)
    found = health(searcher, index, dataset, truth_of(dataset), K, 1, levels[-1], rows)
    plain = health(searcher, index, dataset, truth_of(dataset), K, 1, levels[-1])
    for group, radius in enumerate(found.radii):
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
    found = health(searcher, index, dataset, truth_of(dataset), K, 1, gap)
    assert math.isnan(found.radii[1])
    assert found.opened[1] == found.answers[1] == 0
    for order in (found.largest, found.smallest, found.most_misses, found.most_opened):
        assert 1 not in order
        assert len(order) == len(level.sizes) - 1


def test_orders_are_strict():
    dataset = data()
    index = INDEXES["flat-kmeans"]()
    searcher, (level,) = built(index, dataset)
    found = health(searcher, index, dataset, truth_of(dataset), K, 2, level)
    groups = range(len(level.sizes))
    assert found.largest.tolist() == sorted(groups, key=lambda g: (-found.sizes[g], g))
    assert found.smallest.tolist() == sorted(groups, key=lambda g: (found.sizes[g], g))
    assert found.most_opened.tolist() == sorted(groups, key=lambda g: (-found.opened[g], g))
    assert found.most_misses.tolist() == sorted(
        groups, key=lambda g: (-found.misses[g], found.answers[g], g)
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
    assert none.hit_rate.tolist() == [1.0]
    assert replace(none, misses=np.array([1])).in_words() == "One true answer is missed."


def test_more_answers_than_items_are_all_there_are():
    dataset = data(n=30)
    index = INDEXES["flat-kmeans"]()
    searcher, (level,) = built(index, dataset)
    truth = truth_of(dataset)
    found = health(searcher, index, dataset, truth, 100, 2, level)
    assert found.K == 30
    assert found.missed.shape == (dataset.m, 30)
    assert answer_counts(truth, 100).tolist() == [dataset.m] * 30
    assert found.answers.tolist() == (dataset.m * level.sizes).tolist()


def test_what_was_not_measured_is_refused():
    dataset = data()
    flat, ball = INDEXES["flat-kmeans"](), INDEXES["ip-tree"]()
    searcher, (level,) = built(flat, dataset)
    truth = truth_of(dataset)
    evaluation = evaluate(flat, searcher, truth, 0)
    with pytest.raises(ParamError, match=r"Effort 99 was not measured.*Efforts go from 1 to 14"):
        times_missed(evaluation, K, 99)
    with pytest.raises(ParamError, match="K is 0, outside 1 to 100"):
        times_missed(evaluation, 0, 1)
    with pytest.raises(ParamError, match="K is 101, outside 1 to 100"):
        answer_counts(truth, 101)
    with pytest.raises(ParamError, match="Effort 99 is not offered"):
        health(searcher, flat, dataset, truth, K, 99, level)
    alone = evaluate(ball, built(ball, dataset)[0], truth, 0, K=K)
    with pytest.raises(ParamError, match="measured at K = 5 alone, not 4"):
        times_missed(alone, 4, 1)
    other = data(n=50)
    with pytest.raises(DataError, match=r"Flat k-means was built on 200 items, .* has 50"):
        health(searcher, flat, other, truth_of(other), K, 1, level)


def test_nearness_to_a_boundary_is_half_way_between_two_means():
    angles = np.radians([-10, 0, 10, 80, 90, 100, 45, 30])
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    rows *= np.float32([1, 2, 3, 4, 5, 6, 7, 8])[:, None]  # lengths do not matter
    level = grouped([0, 0, 0, 1, 1, 1, 2, 2])
    level = replace(level, sizes=np.array([3, 3, 2], np.int32))
    near = nearness_to_boundary(rows, level, np.arange(8))

    def chord(degrees):
        return 2 * math.sin(math.radians(abs(degrees)) / 2)

    means = [0, 90, 37.5]
    for item, degrees in enumerate((-10, 0, 10, 80, 90, 100, 45, 30)):
        own = level.of[item]
        a = chord(degrees - means[own])
        b = min(chord(degrees - mean) for g, mean in enumerate(means) if g != own)
        assert near[item] == pytest.approx(a / (a + b), abs=2e-3)
    halves = grouped([0, 1])
    between = np.float32([[1, 0], [0, 1]])
    assert nearness_to_boundary(between, halves, np.array([1, 0])).tolist() == [0.0, 0.0]
    assert np.isnan(nearness_to_boundary(between, grouped([0, 0]), np.arange(2))).all()


def test_items_that_cannot_be_told_apart_lie_on_the_boundary():
    same = np.tile(np.float32([1.0, 2.0]), (4, 1))
    near = nearness_to_boundary(same, grouped([0, 0, 1, 1]), np.arange(4))
    assert near.tolist() == [0.5] * 4
    zero = np.float32([[0, 0], [1, 0], [0, 1]])
    assert nearness_to_boundary(zero, grouped([0, 0, 1]), np.array([0])).tolist() == [0.5]


def spread(m, k, edge, rng):
    """Items between two directions, the answers (m, k) drawn from them, missed by `edge`(near)."""
    angles = rng.uniform(0, np.pi / 2, 400)
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    level = grouped(angles > np.pi / 4)
    ids = np.stack([rng.choice(400, k, replace=False) for _ in range(m)])
    near = nearness_to_boundary(rows, level, np.arange(400))[ids]
    return rows, level, ids, rng.random((m, k)) < edge(near)


@pytest.mark.parametrize("k", [1, 10])
def test_a_clear_difference_is_told_either_way(k):
    rng = np.random.default_rng(0)
    closer = boundary(*spread(200, k, lambda near: near, rng))
    assert 0 < closer.low < closer.missed - closer.found < closer.high
    assert closer.in_words() == "Missed items are closer to a boundary than found ones."
    farther = boundary(*spread(200, k, lambda near: 0.5 - near, rng))
    assert farther.high < 0
    assert farther.in_words() == (
        "Missed items are not closer to a boundary than found ones, but farther from it."
    )


def test_the_interval_allows_for_answers_that_share_a_query_or_an_item():
    rng = np.random.default_rng(4)
    rows, level, ids, lost = spread(60, 4, lambda near: near, rng)
    ids = np.stack([rng.permutation(50)[:4] for _ in range(60)])  # few items: they come again
    found = boundary(rows, level, ids, lost)
    near = nearness_to_boundary(rows, level, np.arange(400))[ids]
    mean = {True: near[lost].mean(), False: near[~lost].mean()}
    sign = {True: 1 / lost.sum(), False: -1 / (~lost).sum()}
    pulls = [
        (i, int(ids[i, j]), sign[bool(lost[i, j])] * (near[i, j] - mean[bool(lost[i, j])]))
        for i in range(60)
        for j in range(4)
    ]
    variance = [
        sum(a[2] * b[2] for a in pulls for b in pulls if shared(a, b))
        for shared in (
            lambda a, b: a[0] == b[0] or a[1] == b[1],
            lambda a, b: a[0] == b[0],
            lambda a, b: a[1] == b[1],
        )
    ]
    counts = [len(set(ids[mask])) for mask in (lost, ~lost)]
    counts += [int(mask.any(axis=1).sum()) for mask in (lost, ~lost)]
    half = stats.t.ppf(0.975, min(counts) - 1) * math.sqrt(max(variance))
    assert found.missed == pytest.approx(mean[True])
    assert found.found == pytest.approx(mean[False])
    assert found.high - found.low == pytest.approx(2 * half)
    assert found.high + found.low == pytest.approx(2 * (mean[True] - mean[False]))


def test_without_a_difference_none_is_told_more_often_than_by_luck():
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows, level, ids, _ = spread(40, 5, lambda near: near, rng)
        found = boundary(rows, level, ids, rng.random(ids.shape) < 0.4)
        told += found.low > 0 or found.high < 0
    assert told <= 8  # 5% are 3; more than 8 come once in 140 runs


def test_too_few_misses_tell_nothing():
    rng = np.random.default_rng(0)
    rows, level, ids, _ = spread(60, 5, lambda near: near, rng)
    few = np.zeros(ids.shape, bool)
    few[:10, 0] = True
    found = boundary(rows, level, ids, few)
    assert found.low is found.high is None
    assert found.in_words() == (
        "60 queries do not tell whether missed items are closer to a boundary than found ones."
    )
    one = boundary(rows, level, ids[:1], few[:1])
    assert one.in_words().startswith("1 query does not tell")
    assert boundary(rows, level, ids, np.zeros(ids.shape, bool)) is None
    assert boundary(rows, level, ids, np.ones(ids.shape, bool)) is None
    assert boundary(rows, grouped(np.zeros(400)), ids, few) is None
