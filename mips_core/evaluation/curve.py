"""A curve: what one built index finds at every effort, and what each effort costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.params import plain_values
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.methods.indexes import Index


@dataclass(frozen=True, eq=False)
class Curve:
    """One index, built with one seed, asked at p efforts for m queries.

    costs {part: (p,)} mean inner products a query; histograms {K: (p, K'+1)} queries that found h
    of K' answers, K' = K unless fewer items exist; tolerant {K: (p,)} precision that counts ties
    with the K-th answer as right.
    """

    index: Index
    seed: int
    n: int
    m: int
    efforts: Ids
    costs: Mapping[str, Floats]
    histograms: Mapping[int, Ids]
    tolerant: Mapping[int, Floats]
    read_off: dict[tuple[str, int], Floats] = field(default_factory=dict, repr=False)

    @cached_property
    def mean_cost(self) -> Floats:
        """(p,) mean inner products a query."""
        return sum(self.costs.values(), np.zeros(len(self.efforts)))

    @cached_property
    def speedup(self) -> Floats:
        """(p,) n / mean cost: the ratio of total costs, as in the paper; may be below 1."""
        return self.n / self.mean_cost

    def precision(self, K: int) -> Floats:
        """(p,) mean precision@K under the strict order."""
        return self._once("precision", K, mean_precision)

    def interval(self, K: int) -> Floats:
        """(p, 2) 95% interval of the mean precision@K over queries."""
        return self._once("interval", K, precision_interval)

    def _once(self, name: str, K: int, make: Callable[[Ids], Floats]) -> Floats:
        if (name, K) not in self.read_off:
            self.read_off[name, K] = make(self.histograms[K])
        return self.read_off[name, K]

    def missed_all(self, K: int) -> Ids:
        """(p,) queries that found none of their K answers."""
        return self.histograms[K][:, 0]

    def as_dict(self) -> dict[str, Any]:
        """The curve as plain values for JSON: index, seed, and a point per effort."""
        return {
            "index": {"key": self.index.key, **plain_values(self.index)},
            "seed": self.seed,
            "points": [self._point(at) for at in range(len(self.efforts))],
        }

    def _point(self, at: int) -> dict[str, Any]:
        return {
            "effort": int(self.efforts[at]),
            "speedup": float(self.speedup[at]),
            "mean_cost": float(self.mean_cost[at]),
            "cost": {part: float(cost[at]) for part, cost in self.costs.items()},
            "precision": {str(K): float(self.precision(K)[at]) for K in self.histograms},
            "interval": {str(K): self.interval(K)[at].tolist() for K in self.histograms},
            "precision_with_ties": {str(K): float(v[at]) for K, v in self.tolerant.items()},
            "missed_all": {str(K): int(self.missed_all(K)[at]) for K in self.histograms},
        }


@dataclass(frozen=True, slots=True)
class Point:
    """One setting on a frontier: a position in a list of curves, and one in its efforts."""

    curve: int
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """All points of some curves at one K, one after another."""

    curves: Sequence[Curve]
    starts: Ids  # (curves,) where the points of each begin
    speedup: Floats  # (points,)
    precision: Floats  # (points,)

    def point(self, at: int) -> Point:
        """Which of its curve's points the one at position `at` is."""
        curve = int(np.searchsorted(self.starts, at, side="right")) - 1
        return Point(curve, int(at - self.starts[curve]))


def points_of(curves: Sequence[Curve], K: int) -> Points:
    """The points of those that were measured at K."""
    sizes = [len(curve.efforts) if K in curve.histograms else 0 for curve in curves]
    measured = [curve for curve, size in zip(curves, sizes, strict=True) if size]
    return Points(
        curves,
        np.cumsum([0, *sizes[:-1]]),
        np.concatenate([np.empty(0), *(curve.speedup for curve in measured)]),
        np.concatenate([np.empty(0), *(curve.precision(K) for curve in measured)]),
    )


def frontier(curves: Sequence[Curve], K: int) -> list[Point]:
    """The settings that no other beats in both precision@K and cost, by rising speedup.

    Curves that were not measured at K are left out.
    """
    points = points_of(curves, K)
    order = np.lexsort((-points.precision, -points.speedup))
    rising = points.precision[order]
    best = np.maximum.accumulate(np.append(-1.0, rising))[:-1]  # of all that are cheaper
    return [points.point(at) for at in order[rising > best][::-1]]
