"""The best of a method at every step of speedup, scored on no query that had a say in the choice.

Each half of the queries chooses the setting that the other half is scored at, and both scores are
pooled (cross-fitting; Chernozhukov et al. 2018): a curve rests on all queries, and on none that
chose what it is scored by. What finds more at a higher speedup would be chosen at a lower one too,
so the best never rises with the speedup; where the scores of two steps say otherwise, they are
averaged (isotonic regression; Barlow et al. 1972). With too few queries to part, all choose and
score (`evaluate.folds_of`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.evaluation.evaluate import Evaluation, folds_of
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.setting import Setting

STEP = 1.15  # from one speedup to the next


@dataclass(frozen=True, slots=True)
class MeanPoint:
    """What the settings chosen at a step, or at neighbouring ones, find and cost on average.

    settings: each once, first those that the queries of even number chose. cost: mean inner
    products a query; speedup = n / cost. low, high: 95% interval of the precision over queries.
    """

    settings: tuple[Setting, ...]
    speedup: float
    precision: float
    low: float
    high: float
    cost: float


def best_of_method(evaluations: Sequence[Evaluation], K: int) -> list[MeanPoint]:
    """By rising speedup and falling precision@K; one or more evaluations of the same queries."""
    choose, score = folds_of(evaluations[0].truth.m)
    halves = [_Half(evaluations, K, fold) for fold in dict.fromkeys((choose, score))]
    fastest = min(float(half.speedups.max()) for half in halves)
    slowest = min(float(half.speedups.min()) for half in halves)
    powers = range(floor(log(slowest, STEP)), ceil(log(fastest, STEP)) + 1)
    steps = np.array([*(STEP**i for i in powers if STEP**i < fastest), fastest])
    chosen = dict.fromkeys(zip(*(half.choices(steps).tolist() for half in halves), strict=True))
    places = np.array(list(chosen)).T  # (halves, points)
    other = [*zip(halves[::-1], places, strict=True)]  # where each choice is scored
    hits = np.sum([half.hits[at] for half, at in other], axis=0)
    spent = np.sum([half.spent[at] for half, at in other], axis=0)
    settings = [[half.setting(i) for half, i in zip(halves, at, strict=True)] for at in chosen]
    return _falling(settings, hits, spent / sum(half.m for half in halves), evaluations[0].truth.n)


class _Half:
    """Every effort of every evaluation on the queries of one fold, p in all."""

    def __init__(self, evaluations: Sequence[Evaluation], K: int, fold: int | None) -> None:
        curves = [evaluation.curve((K,), fold) for evaluation in evaluations]
        self.m = curves[0].m
        self.hits: Ids = np.concatenate([curve.histograms[K] for curve in curves])  # (p, K+1)
        self.spent: Floats = np.concatenate([curve.mean_cost for curve in curves]) * self.m
        self.speedups: Floats = np.concatenate([curve.speedup for curve in curves])
        self.precisions: Floats = np.concatenate([curve.precision(K) for curve in curves])
        self._curves = curves
        self._ends: Ids = np.cumsum([len(curve.efforts) for curve in curves])

    def setting(self, i: int) -> Setting:
        """Of the p, that at position i; few are asked for."""
        of = int(np.searchsorted(self._ends, i, side="right"))
        curve = self._curves[of]
        return Setting(curve.index, curve.seed, int(curve.efforts[i - self._ends[of]]))

    def choices(self, steps: Floats) -> Ids:
        """Of what has the speedup of each step or more, the most precise; ties to the fastest."""
        order = np.argsort(-self.speedups, kind="stable")
        precisions = self.precisions[order]
        most = np.maximum.accumulate(precisions)
        better = np.append(True, most[1:] > most[:-1])
        best = np.maximum.accumulate(np.where(better, np.arange(len(order)), 0))
        enough = np.searchsorted(-self.speedups[order], -steps, side="right")
        return order[best[np.maximum(enough, 1) - 1]]


def _falling(
    settings: Sequence[Sequence[Setting]], hits: Ids, costs: Floats, n: int
) -> list[MeanPoint]:
    """The points by rising speedup; neighbours whose precision rises with it are averaged."""
    ends = precision_interval(hits)
    precisions = hits @ np.arange(hits.shape[1]) / (hits.sum(axis=1) * (hits.shape[1] - 1))
    values = np.column_stack([precisions, ends, costs])
    merged: list[tuple[list[Setting], Floats, int]] = []
    for at in np.argsort(-costs, kind="stable"):
        chosen, mean, count = list(settings[at]), values[at], 1
        while merged and mean[0] >= merged[-1][1][0]:
            before, other, others = merged.pop()
            mean = (mean * count + other * others) / (count + others)
            chosen, count = [*before, *chosen], count + others
        merged.append((chosen, mean, count))
    return [
        MeanPoint(tuple(dict.fromkeys(chosen)), n / cost, precision, low, high, cost)
        for chosen, mean, _ in merged
        for precision, low, high, cost in [mean.tolist()]
    ]
