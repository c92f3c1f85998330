"""What a run reaches at a speedup, and how much it saves at a precision; both with intervals.

Nothing is chosen by the precision it is then said to have: an effort is taken by its cost alone.
How much is saved at a precision is told by inverting a test: an effort fits where the target lies
in the interval of its mean precision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from mips_core.evaluation.operating_point import NEAR
from mips_core.studies.noise import SPEEDUPS
from mips_core.studies.runs.run import Run

LADDER = (1, *SPEEDUPS, 300, 500, 1000)
USUAL_SPEEDUP = 30.0  # of the paper's comparison (Auvolat et al. 2015, section 5.4)


@dataclass(frozen=True, slots=True)
class AtSpeedup:
    """The effort of a run whose speedup is the nearest in ratio, the smaller on ties.

    `at` is its position in the efforts; reached: whether its speedup is within NEAR of what was
    asked. low and high end the 95% interval of the precision over queries; costs {part: inner
    products}.
    """

    at: int
    effort: int
    speedup: float
    precision: float
    low: float
    high: float
    costs: dict[str, float]
    reached: bool


@dataclass(frozen=True, slots=True)
class AtPrecision:
    """The largest speedup at which a run has a precision; None where it never has.

    high is the largest at which the target is no higher than the upper end of the interval, low
    the largest at which the lower end reaches it; low is None where no effort is so sure.
    best: the highest mean precision there is.
    """

    speedup: float | None
    low: float | None
    high: float | None
    best: float


def at_speedup(run: Run, K: int, speedup: float) -> AtSpeedup | None:
    """`run` at about `speedup`; None where it was not measured at K."""
    curve = run.curve
    if K not in curve.histograms:
        return None
    at = int(np.abs(np.log(curve.speedup / speedup)).argmin())
    reached = float(curve.speedup[at])
    low, high = curve.interval(K)[at]
    return AtSpeedup(
        at=at,
        effort=int(curve.efforts[at]),
        speedup=reached,
        precision=float(curve.precision(K)[at]),
        low=float(low),
        high=float(high),
        costs={part: float(cost[at]) for part, cost in curve.costs.items()},
        reached=NEAR[0] * speedup <= reached <= NEAR[1] * speedup,
    )


def at_precision(run: Run, K: int, precision: float) -> AtPrecision | None:
    """`run` where it has `precision`; None where it was not measured at K."""
    curve = run.curve
    if K not in curve.histograms:
        return None
    low, high = curve.interval(K).T
    mean = curve.precision(K)

    def fastest(enough: "np.ndarray") -> float | None:
        return float(curve.speedup[enough].max()) if enough.any() else None

    return AtPrecision(
        speedup=fastest(mean >= precision),
        low=fastest(low >= precision),
        high=fastest(high >= precision),
        best=float(mean.max()),
    )


def common_speedup(runs: Sequence[Run], K: int) -> float:
    """Of LADDER, the one nearest to USUAL_SPEEDUP that all `runs` have; that itself if none."""
    ladder = sorted(LADDER, key=lambda step: abs(log(step / USUAL_SPEEDUP)))
    for step in ladder:
        found = [at_speedup(run, K, step) for run in runs]
        if all(one is not None and one.reached for one in found):
            return float(step)
    return USUAL_SPEEDUP
