"""The setting of a method that meets a speedup or a precision, chosen on one half of the queries.

Every method is held to the same speedup before precisions are compared
(Auvolat et al. 2015, section 5.4), or to the same precision before speedups are. What is chosen
here is scored on the other half (`evaluate.folds_of`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

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
    points = _points(evaluations, K)
    low, high = (factor * speedup for factor in NEAR)
    near = [point for point in points if low <= point.speedup <= high]
    if near:
        best = max(near, key=lambda point: (point.precision, point.speedup))
        return replace(best, reached=True)
    return min(points, key=lambda point: abs(log(point.speedup / speedup)))


def at_precision(evaluations: Sequence[Evaluation], K: int, precision: float) -> Solved:
    """Of settings with at least `precision`, that of largest speedup; else the most precise.

    As `at_speedup`; ties go to the more precise, or to the larger speedup.
    """
    points = _points(evaluations, K)
    enough = [point for point in points if point.precision >= precision]
    if enough:
        best = max(enough, key=lambda point: (point.speedup, point.precision))
        return replace(best, reached=True)
    return max(points, key=lambda point: (point.precision, point.speedup))


def _points(evaluations: Sequence[Evaluation], K: int) -> list[Solved]:
    """Every effort of every evaluation, on the queries to choose on; none reaches anything yet."""
    return [
        Solved(
            Setting(evaluation.index, evaluation.seed, effort), speedup, precision, reached=False
        )
        for evaluation in evaluations
        for curve in [evaluation.curve((K,), folds_of(evaluation.truth.m)[0])]
        for effort, speedup, precision in zip(
            curve.efforts.tolist(), curve.speedup.tolist(), curve.precision(K).tolist(), strict=True
        )
    ]
