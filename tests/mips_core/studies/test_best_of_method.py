"""The best of a method: each half of the queries chooses what the other is scored at."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core.evaluation.builder import Builder
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import INDEXES
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.best_of_method import STEP, best_of_method
from tests.mips_core.evaluation.random_data import random_dataset

K = 10


@pytest.fixture(scope="module")
def evaluations():
    dataset = random_dataset(m=401)
    indexes = [*(FlatKMeans(n_clusters=k) for k in (5, 12, 30)),
               *(INDEXES["srp-hash"](n_bits=b, n_tables=8) for b in (4, 6, 8))]  # fmt: skip
    return Builder(dataset.items, truth_of(dataset), K).evaluations(indexes, 0)


def by_hand(evaluations):
    """Speedup and precision of each step, from the definition, before neighbours are averaged."""

    def every(fold):
        return {(e.index, effort): (curve.speedup[at], curve.precision(K)[at], curve.mean_cost[at])
                for e in evaluations for curve in [e.curve((K,), fold)]
                for at, effort in enumerate(curve.efforts.tolist())}  # fmt: skip

    n, halves = evaluations[0].truth.n, [every(0), every(1)]
    m = [201, 200]
    fastest = min(max(speedup for speedup, *_ in half.values()) for half in halves)
    steps = [s for s in STEP ** np.arange(-60.0, 80.0) if s < fastest] + [fastest]
    points = []
    for step in steps:
        chosen = []
        for half in halves:
            enough = {name: v for name, v in half.items() if v[0] >= step}
            chosen.append(max(enough, key=lambda name: (enough[name][1], enough[name][0])))
        scores = [(m[1 - i], halves[1 - i][name]) for i, name in enumerate(chosen)]
        found = sum(count * value[1] for count, value in scores) / sum(m)
        cost = sum(count * value[2] for count, value in scores) / sum(m)
        points.append((n / cost, found))
    return points


def test_every_step_is_what_each_half_chose_for_the_other(evaluations):
    points, drawn = by_hand(evaluations), best_of_method(evaluations, K)
    alone = [p for p in drawn if len(p.settings) <= 2]
    assert len(alone) > 5
    for point in alone:
        gaps = [abs(point.speedup - s) + abs(point.precision - v) for s, v in points]
        assert min(gaps) < 1e-9
    whole = sum(p.precision for p in drawn)
    assert whole > 0
    assert drawn[0].precision == pytest.approx(max(v for _, v in points))


def test_it_goes_up_in_speedup_and_down_in_precision(evaluations):
    points = best_of_method(evaluations, K)
    speedups, precisions = ([getattr(p, name) for p in points] for name in ("speedup", "precision"))
    assert speedups == sorted(set(speedups))
    assert precisions == sorted(set(precisions), reverse=True)
    assert all(p.low <= p.precision <= p.high for p in points)
    assert all(p.speedup == pytest.approx(evaluations[0].truth.n / p.cost) for p in points)


def test_too_few_queries_choose_and_score(evaluations):
    few = []
    for e in evaluations:
        truth = replace(e.truth, queries=e.truth.queries[:9], ids=e.truth.ids[:9],
                        scores=e.truth.scores[:9], origins=e.truth.origins[:9])  # fmt: skip
        ranks = None if e.ranks is None else e.ranks[:9]
        bits = None if e.found is None else e.found[:, :9]
        few.append(replace(e, truth=truth, ranks=ranks, found=bits, read_off={}))
    for point in best_of_method(few, K):
        assert len(point.settings) == 1
        (setting,) = point.settings
        (curve,) = (e.curve((K,)) for e in few if e.index == setting.index)
        at = curve.efforts.tolist().index(setting.effort)
        assert point.precision == pytest.approx(curve.precision(K)[at])
