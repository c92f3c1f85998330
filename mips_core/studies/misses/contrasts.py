"""Whether what is missed differs from what is found, by some value or by nearness to a boundary.

A contrast: the share found of the quarter of the true answers where the value is least, against the
quarter where it is most. Answers share queries, and hubs are answers of many; the interval of the
difference allows for both: Cameron, Gelbach and Miller, "Robust inference with multiway
clustering", JBES 2011, equation 2.11, but never less than by queries or by items alone.

Simulated where misses gather in some queries and items and have nothing to do with the value: 40,
200 and 1,000 queries of 1 or 10 answers, evenly drawn or by a power law: a difference is told in 3
to 9% of samples, most where hubs are many; and in 3 to 8% where the means of what is missed and of
what is found are compared (`boundary`).
"""

from dataclasses import dataclass
from math import copysign, sqrt
from typing import Self

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.limits import BLOCK_BYTES
from mips_core.base.text import counted
from mips_core.base.threads import map_blocks
from mips_core.evaluation.intervals import CONFIDENCE
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.clusters.centres import centres, members_of
from mips_core.studies.misses.rates import PARTS, rounded

FEWEST = 20  # queries, and different items, among the answers on each side, to compare them
QUARTERS = (0.25, 0.75)
SMALL = 0.05  # a difference that is surely less than this explains nothing
MOST_IN_QUARTER = 0.4  # of the answers; with more in it, equal values are too many to part them


@dataclass(frozen=True, slots=True, eq=False)
class Quarters:
    """Which true answers (m, K) have the lowest and which the highest quarter of some value."""

    lowest: Mask
    highest: Mask

    @classmethod
    def of(cls, values: Floats) -> Self | None:
        """Those of `values` (m, K), one for each answer; None where they hardly differ."""
        values = rounded(values)
        low, high = (float(v) for v in np.quantile(values, QUARTERS))
        if low == high:
            return None
        quarters = cls(values <= low, values >= high)
        largest = max(quarters.lowest.mean(), quarters.highest.mean())
        return quarters if largest <= MOST_IN_QUARTER else None


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """Share found in the quarter of the answers with the lowest values, and with the highest.

    interval: of 95% of the difference, highest less lowest; None with too few answers missed or
    found to tell.
    """

    lowest: float
    highest: float
    interval: tuple[float, float] | None

    @property
    def difference(self) -> float:
        """Highest less lowest."""
        return self.highest - self.lowest

    @property
    def small(self) -> bool:
        """Whether the whole interval is near 0."""
        return self.interval is not None and max(map(abs, self.interval)) < SMALL

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0, and is not all near it."""
        return (
            self.interval is not None and self.interval[0] * self.interval[1] > 0 and not self.small
        )

    def in_points(self) -> str:
        """The size of the difference: "24.1 points, 95% interval 20.3 to 27.9"."""
        size = f"{100 * abs(self.difference):.1f} points"
        if self.interval is None:
            return size
        low, high = sorted(100 * copysign(1, self.difference) * end for end in self.interval)
        return f"{size}, {CONFIDENCE:.0%} interval {low:.1f} to {high:.1f}"


def contrast(quarters: Quarters | None, ids: Ids, missed: Mask) -> Contrast | None:
    """The quarters of the true answers ids (m, K), of which some are missed (m, K).

    None without quarters, and where nothing or everything is missed.
    """
    if quarters is None or missed.all() or not missed.any():
        return None
    lowest, highest = (float(1 - missed[q].mean()) for q in (quarters.lowest, quarters.highest))
    pulls = np.zeros(missed.shape)
    for side, rate, sign in ((quarters.lowest, lowest, -1), (quarters.highest, highest, 1)):
        pulls[side] += sign * (~missed[side] - rate) / side.sum()
    _, numbers = np.unique(ids, return_inverse=True)
    used = quarters.lowest | quarters.highest
    half = half_interval(pulls, numbers.reshape(ids.shape), used & missed, used & ~missed)
    difference = highest - lowest
    interval = None if half is None else (difference - half, difference + half)
    return Contrast(lowest, highest, interval)


def share_of_longest(norms: Floats, ids: Ids) -> float:
    """Of the true answers ids (m, K), that of the tenth of the items of largest norms (n,).

    0 where the norms do not tell a tenth of the items from the others.
    """
    norms = rounded(norms)
    longest = norms >= np.quantile(norms, 1 - 1 / PARTS, method="higher")
    return float(longest[ids].mean()) if longest.mean() < 1.25 / PARTS else 0.0


def half_interval(pulls: Floats, numbers: Ids, *sides: Mask) -> float | None:
    """Half the 95% interval of a difference that each true answer pulls by `pulls` (m, K).

    numbers (m, K) tell items apart, from 0; `sides` (m, K) are the answers that are compared. None
    where one of them holds too few queries or different items to tell.
    """
    fewest = min(min(int(side.any(axis=1).sum()), len(np.unique(numbers[side]))) for side in sides)
    if fewest < FEWEST:
        return None
    by_query = np.square(pulls.sum(axis=1)).sum()
    by_item = np.square(np.bincount(numbers.ravel(), pulls.ravel())).sum()
    variance = max(by_query + by_item - np.square(pulls).sum(), by_query, by_item)
    from scipy.special import stdtrit  # slow to import, and not needed by a first curve

    return float(stdtrit(fewest - 1, (1 + CONFIDENCE) / 2)) * sqrt(variance)


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """Mean nearness to a boundary of missed and of found true answers, over m queries.

    low and high end the interval of 95% of the difference, missed less found; None with too few
    of either to tell.
    """

    missed: float
    found: float
    m: int
    low: float | None
    high: float | None

    def in_words(self) -> str:
        """One sentence, sure of itself only where the interval is."""
        if self.low is not None and self.low > 0:
            return "Missed items are closer to a boundary than found ones."
        if self.high is not None and self.high < 0:
            return "Missed items are not closer to a boundary than found ones, but farther from it."
        queries = counted(self.m, "query does", "queries do")
        return f"{queries} not tell whether missed items are closer to a boundary than found ones."


def nearness_to_boundary(rows: Matrix, level: GroupLevel, items: Ids) -> Floats:
    """(w,) how near the `items` (w,) of rows (n, d') are to leaving their group.

    a / (a + b) with a the distance to the mean direction of the own group and b to the nearest
    other one, all of length 1: 0 at the own, 1/2 on the boundary, more beyond it. NaN where there
    is no other group.
    """
    k = len(level.sizes)
    means, _ = centres(rows, members_of(level.of, k))
    live = level.sizes > 0
    if live.sum() < 2:
        return np.full(len(items), np.nan)
    means, renumbered = np.ascontiguousarray(means[live]), np.cumsum(live) - 1
    own = renumbered[level.of[items]]
    nearness = np.empty(len(items))

    def work(start: int, stop: int) -> None:
        block = rows[items[start:stop]]
        unit = block / np.maximum(row_norms(block), np.finfo(np.float64).tiny)[:, None]
        cosines = unit.astype(np.float32) @ means.T
        at = np.arange(stop - start), own[start:stop]
        similarity = cosines[at].copy()
        cosines[at] = -np.inf
        a, b = _distance(similarity), _distance(cosines.max(axis=1))
        nearness[start:stop] = np.where(a + b > 0, a / np.maximum(a + b, 1e-30), 0.5)

    map_blocks(work, len(items), max(BLOCK_BYTES // (4 * len(means)), 1))
    return nearness


def _distance(cosines: Floats | Matrix) -> Floats:
    """Between unit vectors of these cosines."""
    return np.sqrt(np.maximum(2.0 - 2.0 * cosines.astype(np.float64), 0.0))


def boundary(rows: Matrix, level: GroupLevel, ids: Ids, missed: Mask) -> Boundary | None:
    """Compare the missed true answers with the found ones; ids and missed (m, K).

    Of use for an index that opens groups as a whole (`Index.opens_groups`), at its finest level.
    None where nothing is missed or nothing found, and with one group.
    """
    items, numbers = np.unique(ids, return_inverse=True)
    numbers = numbers.reshape(ids.shape)
    values = nearness_to_boundary(rows, level, items)[numbers]
    if missed.all() or not missed.any() or np.isnan(values[0, 0]):
        return None
    means = values[missed].mean(), values[~missed].mean()
    pulls = np.where(
        missed, (values - means[0]) / missed.sum(), (means[1] - values) / (~missed).sum()
    )
    half = half_interval(pulls, numbers, missed, ~missed)
    low = high = None
    if half is not None:
        low, high = (float(means[0] - means[1]) + side * half for side in (-1, 1))
    return Boundary(float(means[0]), float(means[1]), len(ids), low, high)
