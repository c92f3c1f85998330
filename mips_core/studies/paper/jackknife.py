"""How sure a number is, over queries and over builds: the jackknife, each left out in turn.

Queries are left out a group at a time, builds one at a time and of each method by itself (Tukey
1958; delete-a-group: Kott 2001). Queries and builds are crossed random effects, whose variances add
(Cornfield and Tukey 1956); the interval is Student's with the degrees of freedom of Satterthwaite
(1946). A build's mean varies with the queries too, and that is not taken off: intervals are
somewhat too wide, never too narrow for it. No interval has zero width: two queries more, one won by
each side, are supposed (as in `comparison.paired`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

from mips_core.evaluation.intervals import CONFIDENCE
from mips_core.studies.paper.view import LeftOut, View

Statistic = Callable[[View], float]


def precision_of(name: str, K: int, speedup: float) -> Statistic:
    """Precision@K of a method at a speedup."""
    return lambda view: view.precision(name, K, speedup)


def share_of(name: str, point: int, column: int) -> Statistic:
    """The share found at one point of a method, in one column."""
    return lambda view: view.share(name, point, column)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, the ends of its 95% interval, and the chance of one so far from 0 if it were 0.

    df: degrees of freedom of Student's distribution.
    """

    value: float
    low: float
    high: float
    p: float
    df: float


def estimate(view: View, statistic: Statistic) -> Estimate | None:
    """`statistic` with its interval; None where it cannot be read, or not without a group."""
    view = View(view.sums, view.ks, known=view.known)
    value = statistic(view)
    names = sorted(view.used)
    if not isfinite(value) or not names:
        return None
    groups = len(view.sums[names[0]].queries)
    parts = [[statistic(view.without(LeftOut(group=g))) for g in range(groups)]]
    for name in names:
        builds = view.sums[name].builds
        if builds > 1:
            parts.append(
                [statistic(view.without(LeftOut(name=name, build=s))) for s in range(builds)]
            )
    if not all(isfinite(each) for part in parts for each in part):
        return None
    m = max(float(view.sums[name].queries.sum()) for name in names)
    variances = [_variance(part) for part in parts]
    variances[0] += (1 / (m + 2)) ** 2
    squares = sum(v**2 / (len(part) - 1) for v, part in zip(variances, parts, strict=True))
    return _interval(value, sum(variances), sum(variances) ** 2 / squares)


def _variance(left_out: list[float]) -> float:
    values = np.array(left_out)
    S = len(values)
    return float((S - 1) / S * np.square(values - values.mean()).sum())


def _interval(value: float, variance: float, df: float) -> Estimate:
    from scipy.special import stdtr, stdtrit  # slow to import, and not needed by a first curve

    error = sqrt(variance)
    half = float(stdtrit(df, (1 + CONFIDENCE) / 2)) * error
    p = 2 * float(stdtr(df, -abs(value) / error))
    return Estimate(value, value - half, value + half, min(p, 1.0), df)
