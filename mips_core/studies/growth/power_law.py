"""Growth like a power of n: a line of the logarithms by least squares, and how sure it is.

Montgomery, Peck and Vining, Introduction to Linear Regression Analysis (5th edition, 2012): the
line, equations 2.6 and 2.7; the error of its slope, section 2.3; prediction, equation 2.45.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np

from mips_core.evaluation.intervals import CONFIDENCE

MOST = 600.0  # logarithm of what is told apart from infinity
SMALLEST = 1e-9  # stands for 0, which has no logarithm: the bytes of an index that keeps nothing


@dataclass(frozen=True, slots=True)
class Range:
    """What to expect, and the ends of its 95% prediction interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Growth:
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
    def of(cls, sizes: Sequence[int], values: Sequence[float]) -> "Growth":
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
