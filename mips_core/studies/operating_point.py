"""The setting of a method that meets a speedup or a precision, chosen on one half of the queries.

Every method is held to the same speedup before precisions are compared
(Auvolat et al. 2015, section 5.4), or to the same precision before speedups are. What is chosen
here is scored on the other half (`evaluate.folds_of`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.evaluation.curve import Points, points_of
from mips_core.evaluation.evaluate import Evaluation, folds_of
from mips_core.evaluation.setting import Setting

NEAR = (0.9, 1.2)  # times the speedup asked for: what counts as having it


@dataclass(frozen=True, slots=True)
class Solved:
    """What was chosen, with its speedup and precision@K on the queries it was chosen on."""

    setting: Setting
    speedup: float
    precision: float
    reached: bool  # whether it has what was asked for; else it is the nearest there is


def at_speedup(evaluations: Sequence[Evaluation], K: int, speedup: float) -> Solved:
    """Of settings with NEAR times `speedup`, the most precise; else the nearest in ratio.

    `evaluations`: one or more, of the same queries, all measured at K. Ties go to the larger
    speedup, then to what comes first.
    """
    return at_speedups(evaluations, K, [speedup])[0]


def at_speedups(
    evaluations: Sequence[Evaluation], K: int, speedups: Sequence[float]
) -> list[Solved]:
    """`at_speedup` for each of `speedups`; what is measured is read off once for all of them."""
    points = _points(evaluations, K)
    return [_at_speedup(points, speedup) for speedup in speedups]


def _at_speedup(points: Points, speedup: float) -> Solved:
    low, high = (factor * speedup for factor in NEAR)
    near = np.flatnonzero((points.speedup >= low) & (points.speedup <= high))
    if len(near):
        return _solved(points, _best(near, points.precision, points.speedup), reached=True)
    distance = np.abs(np.log(points.speedup / speedup))
    closest = np.flatnonzero(distance <= distance.min() * (1 + 1e-9))  # but for how logs round
    at = min(closest.tolist(), key=lambda at: abs(log(points.speedup[at] / speedup)))
    return _solved(points, at, reached=False)


def at_precision(evaluations: Sequence[Evaluation], K: int, precision: float) -> Solved:
    """Of settings with at least `precision`, that of largest speedup; else the most precise.

    As `at_speedup`; ties go to the more precise, or to the larger speedup.
    """
    points = _points(evaluations, K)
    enough = np.flatnonzero(points.precision >= precision)
    if len(enough):
        return _solved(points, _best(enough, points.speedup, points.precision), reached=True)
    every = np.arange(len(points.speedup))
    return _solved(points, _best(every, points.precision, points.speedup), reached=False)


def _points(evaluations: Sequence[Evaluation], K: int) -> Points:
    """Every effort of every evaluation, on the queries to choose on."""
    return points_of([e.curve((K,), folds_of(e.truth.m)[0]) for e in evaluations], K)


def _best(among: Ids, first: Floats, second: Floats) -> int:
    """Of the positions `among`, one of the largest `first`, then `second`, then the lowest."""
    among = among[first[among] == first[among].max()]
    return int(among[np.argmax(second[among])])


def _solved(points: Points, at: int, *, reached: bool) -> Solved:
    point = points.point(at)
    curve = points.curves[point.curve]
    setting = Setting(curve.index, curve.seed, int(curve.efforts[point.at]))
    return Solved(setting, float(points.speedup[at]), float(points.precision[at]), reached)
