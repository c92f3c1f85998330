"""How a number and a setting grow with n.

A number grows like a power of n: a line of the logarithms by least squares, and how sure it is.
Montgomery, Peck and Vining, Introduction to Linear Regression Analysis (5th edition, 2012): the
line, equations 2.6 and 2.7; the error of its slope, section 2.3; prediction, equation 2.45. How a
method's main parameter follows n is told by its own grids, which hold what suits each n: clusters
grow with it, bits of a key do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt

import numpy as np

from mips_core.base.params import params_of
from mips_core.evaluation.intervals import CONFIDENCE
from mips_core.methods.indexes import Index

MOST = 600.0  # logarithm of what is told apart from infinity
SMALLEST = 1e-9  # stands for 0, which has no logarithm: the bytes of an index that keeps nothing


@dataclass(frozen=True, slots=True)
class Range:
    """What to expect, and the ends of its 95% prediction interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """log value = level + exponent * (log n - center), from `points` sizes, three or more.

    error: standard error of the exponent. scatter: standard deviation of the logarithms about the
    line. width: sum of the squared distances of log n from center.
    """

    exponent: float
    error: float
    level: float
    center: float
    width: float
    scatter: float
    points: int

    @classmethod
    def of(cls, sizes: Sequence[int], values: Sequence[float]) -> "PowerLaw":
        """The line through values (p,) at sizes (p,), three or more, all different."""
        x = np.log(np.asarray(sizes, np.float64))
        y = np.log(np.maximum(np.asarray(values, np.float64), SMALLEST))
        center, level = float(x.mean()), float(y.mean())
        width = float(((x - center) ** 2).sum())
        exponent = float((x - center) @ (y - level)) / width
        rest = y - level - exponent * (x - center)
        scatter = sqrt(float(rest @ rest) / (len(x) - 2))
        return cls(exponent, scatter / sqrt(width), level, center, width, scatter, len(x))

    def at(self, n: int) -> Range:
        """What the line says of n items, with its prediction interval."""
        from scipy.special import stdtrit  # slow to import, and not needed by a first curve

        beyond = log(n) - self.center
        spread = self.scatter * sqrt(1 + 1 / self.points + beyond**2 / self.width)
        reach = float(stdtrit(self.points - 2, (1 + CONFIDENCE) / 2)) * spread
        middle = self.level + self.exponent * beyond
        low, value, high = (exp(min(y, MOST)) for y in (middle - reach, middle, middle + reach))
        return Range(value, low, high)


def index_for(index: Index, n: int, wanted: int, d: int) -> Index:
    """What `index`, sized for n items of d dimensions, is for `wanted` items.

    Its main parameter moves by the factor between the grids of the two sizes at the place where
    its value stands; between two settings of the grid the factor is interpolated in logarithms,
    beyond them it is that of the last. 0, which leaves the number to the index, stays, and so does
    all else.
    """
    name = index.main_param
    if not name or n == wanted:
        return index
    value = getattr(index, name)
    grids = ([getattr(one, name) for one in index.grid(size, d)] for size in (n, wanted))
    here, there = (np.unique(np.array(values, np.float64)) for values in grids)
    if value <= 0 or min(*here, *there) <= 0:
        return index
    if len(here) != len(there):  # a small grid lost settings that would have been the same
        here, there = here[[0, -1]], there[[0, -1]]
    factor = np.exp(np.interp(np.log(value), np.log(here), np.log(there / here)))
    parameter = params_of(index)[name]
    moved = float(np.clip(value * factor, parameter.low, parameter.high))
    return replace(index, **{name: round(moved) if isinstance(value, int) else moved})
