"""Numbers read off sums of builds: curves, means, and the same with a group or a build left out.

Of a method the best settings are taken at every speedup. They are chosen on the groups of queries
of even number and read off those of odd number, and the other way round: what is read is the mean
of both halves, and no query has a say in the choice that it is scored at.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from math import exp, log, nan
from typing import Any, NamedTuple

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.studies.paper.sums import Sums

HALVES = (0, 1)


class LeftOut(NamedTuple):
    """A group of queries, or one build of the method `name`; None is nothing."""

    group: int | None = None
    name: str | None = None
    build: int | None = None


NOTHING = LeftOut()


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The `sums` of all methods by name, with something left out; `used` notes what was looked at.

    Curves are remembered: a build left out changes those of its own method alone.
    """

    sums: Mapping[str, Sums]
    ks: tuple[int, ...]
    left_out: LeftOut = NOTHING
    known: dict[Hashable, Any] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def without(self, left_out: LeftOut) -> "View":
        """The same sums without a group or a build."""
        return View(self.sums, self.ks, left_out, self.known, self.used)

    def means(self, name: str, half: int | None = None) -> tuple[Floats, Floats]:
        """(p, c) mean share found, (p,) mean cost of a query: of all groups, or of one half."""
        out = self.left_out if self.left_out.name in (None, name) else NOTHING
        self.used.add(name)
        key = (name, half, out)
        if key not in self.known:
            self.known[key] = _means(self.sums[name], half, out)
        means: tuple[Floats, Floats] = self.known[key]
        return means

    def has(self, *names: str) -> bool:
        """Whether all of these methods were measured."""
        return all(name in self.sums for name in names)

    def precision(self, name: str, K: int, speedup: float) -> float:
        """Mean precision@K at a speedup; NaN where the method has none so high."""
        return sum(curve.precision(speedup) for curve in self._curves(name, K)) / len(HALVES)

    def log_speedup(self, name: str, K: int, precision: float) -> float:
        """Log of the speedup at a precision@K: 0, that of exact search, where it is not reached."""
        return sum(curve.log_speedup(precision) for curve in self._curves(name, K)) / len(HALVES)

    def fastest(self, name: str, K: int) -> float:
        """The largest speedup of a method."""
        return exp(min(curve.x[-1] for curve in self._curves(name, K)))

    def share(self, name: str, point: int, column: int) -> float:
        """Mean share found at one point, in one column."""
        return float(self.means(name)[0][point, column])

    def _curves(self, name: str, K: int) -> list["_Curve"]:
        out = self.left_out if self.left_out.name in (None, name) else NOTHING
        self.used.add(name)
        key = ("curves", name, K, out)
        if key not in self.known:
            column, n = self.ks.index(K), self.sums[name].n
            halves = [self.means(name, half) for half in HALVES]
            self.known[key] = [
                _curve(choosing, scoring, column, n) for choosing, scoring in (halves, halves[::-1])
            ]
        curves: list[_Curve] = self.known[key]
        return curves


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """Settings that none beats: x (p,) ascending logs of speedups, y (p,) precision, falling."""

    x: Floats
    y: Floats

    def precision(self, speedup: float) -> float:
        """By interpolation in the log; below the least speedup, that of the least."""
        at = log(speedup)
        return nan if at > self.x[-1] else float(np.interp(at, self.x, self.y))

    def log_speedup(self, precision: float) -> float:
        """The largest with this precision, by interpolation; 0 where there is none above it."""
        enough = np.flatnonzero(self.y >= precision)
        if not len(enough):
            return 0.0
        i = int(enough[-1])
        x = float(self.x[i])
        if i + 1 < len(self.x):
            fall = float(self.y[i] - self.y[i + 1])
            x += float(self.x[i + 1] - self.x[i]) * float(self.y[i] - precision) / fall
        return max(x, 0.0)


def _curve(
    choosing: tuple[Floats, Floats], scoring: tuple[Floats, Floats], column: int, n: int
) -> _Curve:
    """Settings that are on the frontier of one half, as the other half scores them."""
    (chosen, chosen_cost), (scored, scored_cost) = choosing, scoring
    order = np.lexsort((-chosen[:, column], chosen_cost))
    rising = chosen[order, column]
    best = order[rising > np.maximum.accumulate(np.append(-1.0, rising))[:-1]]
    x = np.log(n / np.maximum(scored_cost[best], 1e-9))
    ascending = np.argsort(x, kind="stable")
    y = scored[best, column][ascending]
    return _Curve(x[ascending], np.maximum.accumulate(y[::-1])[::-1])


def _means(sums: Sums, half: int | None, out: LeftOut) -> tuple[Floats, Floats]:
    groups = np.arange(len(sums.queries))
    kept = groups[(groups != out.group) & ((half is None) | (groups % len(HALVES) == half))]
    builds = [at for at in range(sums.builds) if at != out.build]
    queries = float(sums.queries[kept].sum()) * len(builds)
    hits = sums.hits[builds][:, kept].sum(axis=(0, 1)) / (queries * sums.most)
    return hits, sums.costs[builds][:, kept].sum(axis=(0, 1)) / queries
