"""Contrasts and their intervals against their definitions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mips_core.studies.misses import boundary
from mips_core.studies.misses.contrasts import Quarters, contrast, nearness_to_boundary
from tests.mips_core.studies.misses.level_cases import grouped


def drawn(rng, m=60, k=4, items=50):
    ids = np.stack([rng.permutation(items)[:k] for _ in range(m)])
    return ids, rng.random(items)[ids]


def test_a_contrast_allows_for_answers_that_share_a_query_or_an_item():
    rng = np.random.default_rng(4)
    ids, values = drawn(rng, items=150)
    missed = rng.random(ids.shape) < values
    quarters = Quarters.of(values)
    apart = contrast(quarters, ids, missed)
    rate = {side: 1 - missed[mask].mean() for side, mask in sides(quarters)}
    pulls = [
        (i, int(ids[i, j]), sign * (1 - missed[i, j] - rate[side]) / mask.sum())
        for (side, mask), sign in zip(sides(quarters), (-1, 1), strict=True)
        for i, j in np.argwhere(mask)
    ]
    variance = [
        sum(a[2] * b[2] for a in pulls for b in pulls if shared(a, b))
        for shared in (
            lambda a, b: a[0] == b[0] or a[1] == b[1],
            lambda a, b: a[0] == b[0],
            lambda a, b: a[1] == b[1],
        )
    ]
    used = quarters.lowest | quarters.highest
    masks = [used & missed, used & ~missed]
    fewest = min(
        [len(set(ids[mask])) for mask in masks] + [int(mask.any(axis=1).sum()) for mask in masks]
    )
    half = stats.t.ppf(0.975, fewest - 1) * math.sqrt(max(variance))
    assert (apart.lowest, apart.highest) == pytest.approx((rate["lowest"], rate["highest"]))
    assert apart.interval == pytest.approx((apart.difference - half, apart.difference + half))
    assert apart.sure
    assert apart.difference < 0


def sides(quarters):
    return ("lowest", quarters.lowest), ("highest", quarters.highest)


def test_without_a_cause_none_is_told_more_often_than_by_luck():
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        ids, values = drawn(rng, items=400)
        told += contrast(Quarters.of(values), ids, rng.random(ids.shape) < 0.4).sure
    assert told <= 8  # 5% are 3; more than 8 come once in 140 runs


def test_too_few_or_equal_values_tell_nothing():
    ids, values = drawn(np.random.default_rng(0))
    few = np.zeros(ids.shape, bool)
    few[:10, 0] = True
    assert contrast(Quarters.of(values), ids, few).interval is None
    assert contrast(Quarters.of(values), ids, np.zeros(ids.shape, bool)) is None
    assert contrast(Quarters.of(values), ids, np.ones(ids.shape, bool)) is None
    assert Quarters.of(np.ones((5, 2))) is None
    assert Quarters.of(np.array([[0.0, 0, 0, 1]])) is None  # three of four are the lowest


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
    nearness = boundary(rows, level, ids, lost)
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
    assert nearness.missed == pytest.approx(mean[True])
    assert nearness.found == pytest.approx(mean[False])
    assert nearness.high - nearness.low == pytest.approx(2 * half)
    assert nearness.high + nearness.low == pytest.approx(2 * (mean[True] - mean[False]))


def test_without_a_difference_none_is_told_more_often_than_by_luck():
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows, level, ids, _ = spread(40, 5, lambda near: near, rng)
        nearness = boundary(rows, level, ids, rng.random(ids.shape) < 0.4)
        told += nearness.low > 0 or nearness.high < 0
    assert told <= 8  # 5% are 3; more than 8 come once in 140 runs


def test_too_few_misses_tell_nothing():
    rng = np.random.default_rng(0)
    rows, level, ids, _ = spread(60, 5, lambda near: near, rng)
    few = np.zeros(ids.shape, bool)
    few[:10, 0] = True
    nearness = boundary(rows, level, ids, few)
    assert nearness.low is nearness.high is None
    assert nearness.in_words() == (
        "60 queries do not tell whether missed items are closer to a boundary than found ones."
    )
    one = boundary(rows, level, ids[:1], few[:1])
    assert one.in_words().startswith("1 query does not tell")
    assert boundary(rows, level, ids, np.zeros(ids.shape, bool)) is None
    assert boundary(rows, level, ids, np.ones(ids.shape, bool)) is None
    assert boundary(rows, grouped(np.zeros(400)), ids, few) is None
