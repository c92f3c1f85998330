"""Contrasts and their intervals against their definitions."""

import math

import numpy as np
import pytest
from scipy import stats

from mips_core.studies.misses.contrasts import Quarters, contrast


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
