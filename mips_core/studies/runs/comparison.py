"""Runs held against each other: at one speedup, at one precision, and whether that is luck.

Nothing is chosen by the precision it is then said to have: an effort is taken by its cost alone.
How much is saved at a precision is told by inverting a test: an effort fits where the target lies
in the interval of its mean precision.

The run that finds most at a speedup is held against each other one. Where both kept what each query
found, the difference is paired (`studies.comparison`); else its interval is made of both runs'
own, by adding squares (Newcombe, "Interval estimation for the difference between independent
proportions", 1998, method 10), which is wider than it need be for the same queries. Picking the
best of r runs is paid for: each interval is at 1 - 0.05 / c, with c = r (r - 1) / 2 pairs
(Bonferroni).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, log

import numpy as np

from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_RUNS_TOGETHER
from mips_core.base.text import counted
from mips_core.evaluation.intervals import CONFIDENCE, precision_interval
from mips_core.studies.comparison import difference
from mips_core.studies.noise import SPEEDUPS
from mips_core.studies.operating_point import NEAR
from mips_core.studies.runs.run import Run
from mips_core.studies.runs.settings import SettingDifferences, differing

LADDER = (1, *SPEEDUPS, 300, 500, 1000)
USUAL_SPEEDUP = 30.0  # of the paper's comparison (Auvolat et al. 2015, section 5.4)


@dataclass(frozen=True, slots=True)
class AtSpeedup:
    """The effort of a run whose speedup is the nearest in ratio, the smaller on ties.

    `at` is its position in the efforts; reached: whether its speedup is within NEAR of what was
    wanted. low and high end the 95% interval of the precision over queries; costs {part: inner
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
        points = [at_speedup(run, K, step) for run in runs]
        if all(one is not None and one.reached for one in points):
            return float(step)
    return USUAL_SPEEDUP


@dataclass(frozen=True, slots=True)
class Settled:
    """Precision of the run that finds most less that of another, both by number, in shares of 1.

    low and high end its interval of `confidence` over queries; `paired` query by query.
    """

    best: int
    other: int
    mean: float
    low: float
    high: float
    confidence: float
    paired: bool

    @property
    def told_apart(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0


@dataclass(frozen=True, slots=True, eq=False)
class RunsCompared:
    """Two runs or more, at about `speedup` and at `precision`, for K answers.

    unlike: why they cannot be held against each other, a reason a sentence; empty where they can.
    at_speedup and at_precision: one of each run, None where it was not measured at K. settled: the
    run that finds most against every other, empty where no winner may be named.
    """

    runs: tuple[Run, ...]
    K: int
    speedup: float
    precision: float
    unlike: tuple[str, ...]
    differing: SettingDifferences
    at_speedup: tuple[AtSpeedup | None, ...]
    at_precision: tuple[AtPrecision | None, ...]
    settled: tuple[Settled, ...]

    @property
    def reached(self) -> bool:
        """Whether every run has about the speedup."""
        return all(one is not None and one.reached for one in self.at_speedup)


def difference_of(runs: Sequence[Run], K: int, speedup: float, precision: float) -> RunsCompared:
    """`runs` held against each other. Raises ParamError for too few or many, or out of range."""
    _check(runs, speedup, precision)
    at = tuple(at_speedup(run, K, speedup) for run in runs)
    unlike = _unlike(runs, K)
    reached = [one for one in at if one is not None and one.reached]
    fair = not unlike and len(reached) == len(runs)
    return RunsCompared(
        runs=tuple(runs),
        K=K,
        speedup=speedup,
        precision=precision,
        unlike=unlike,
        differing=differing(runs),
        at_speedup=at,
        at_precision=tuple(at_precision(run, K, precision) for run in runs),
        settled=_settled(runs, K, reached) if fair else (),
    )


def _check(runs: Sequence[Run], speedup: float, precision: float) -> None:
    if not 2 <= len(runs) <= MAX_RUNS_TOGETHER:
        raise ParamError(
            f"{counted(len(runs), 'run', 'runs')} cannot be held against each other.",
            f"Choose 2 to {MAX_RUNS_TOGETHER}.",
        )
    if not 0 < speedup < inf:  # not so for NaN either
        raise ParamError(f"The speedup is {speedup:g}.", "Give a number above 0.")
    if not 0 <= precision <= 1:
        raise ParamError(f"The precision is {precision:g}.", "Give a share from 0 to 1.")


def _unlike(runs: Sequence[Run], K: int) -> tuple[str, ...]:
    """Why no winner may be named among `runs`: a sentence for each reason."""
    reasons = []
    if len({run.data.fingerprint for run in runs}) > 1:
        reasons.append("They were measured on different data.")
    elif len({(run.data.query_fingerprint, run.data.m) for run in runs}) > 1:
        reasons.append("They were asked different queries.")
    lacking = [run for run in runs if K not in run.ks]
    if lacking:
        *some, last = sorted({k for run in lacking for k in run.ks})
        others = f"{', '.join(map(str, some))} and {last}" if some else str(last)
        none = len(lacking) == len(runs)
        which, only = (
            ("None of them was", "only") if none else ("Not all of them were", "some only")
        )
        reasons.append(f"{which} measured at K = {K}, {only} at {others}.")
    return tuple(reasons)


def _settled(runs: Sequence[Run], K: int, at: Sequence[AtSpeedup]) -> tuple[Settled, ...]:
    """The run of highest precision, the first on ties, against each of the others, in order."""
    confidence = 1 - (1 - CONFIDENCE) / (len(runs) * (len(runs) - 1) / 2)
    best = max(range(len(runs)), key=lambda number: at[number].precision)
    return tuple(
        _pair(runs, K, at, best, other, confidence) for other in range(len(runs)) if other != best
    )


def _pair(
    runs: Sequence[Run], K: int, at: Sequence[AtSpeedup], best: int, other: int, confidence: float
) -> Settled:
    first, second = runs[best], runs[other]
    if K in first.hits and K in second.hits:
        K_used = first.curve.histograms[K].shape[1] - 1
        hits = [first.hits[K][at[best].at]], [second.hits[K][at[other].at]]
        apart = difference(*hits, K_used, confidence)
        return Settled(best, other, apart.mean, apart.low, apart.high, confidence, paired=True)
    mean = at[best].precision - at[other].precision
    (low1, high1), (low2, high2) = (
        precision_interval(runs[number].curve.histograms[K][at[number].at][None], confidence)[0]
        for number in (best, other)
    )
    low = mean - hypot(at[best].precision - low1, high2 - at[other].precision)
    high = mean + hypot(high1 - at[best].precision, at[other].precision - low2)
    return Settled(best, other, mean, max(low, -1.0), min(high, 1.0), confidence, paired=False)
