"""Whether misses sit at boundaries between groups or in items of large norm, and by how much.

Each is told by a contrast: the share found of the quarter of the true answers where it is least,
against the quarter where it is most. Answers share queries, and hubs are answers of many; the
interval of the difference allows for both (`misses.two_way`).

Simulated where misses gather in some queries and items and have nothing to do with the value: 40,
200 and 1,000 queries of 1 or 10 answers, evenly drawn or by a power law: a difference is told in 3
to 9% of samples, most where hubs are many.
"""

from dataclasses import dataclass
from math import copysign
from typing import Self

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.base.text import counted, percent
from mips_core.evaluation.intervals import CONFIDENCE
from mips_core.studies.misses.diagnosis.rates import MOST_IN_ONE, PARTS, rounded
from mips_core.studies.misses.two_way import half_interval

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
        found = cls(values <= low, values >= high)
        largest = max(found.lowest.mean(), found.highest.mean())
        return found if largest <= MOST_IN_QUARTER else None


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
    for chosen, rate, sign in ((quarters.lowest, lowest, -1), (quarters.highest, highest, 1)):
        pulls[chosen] += sign * (~missed[chosen] - rate) / chosen.sum()
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


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """What tells missed answers from found ones, over m queries.

    by_norm: of the item; by_nearness: to a boundary between its group and the next, None for an
    index that does not open whole groups; each None where it tells nothing apart. `measure` is
    what the norm is called: "norm", or a distance. groups: what there are boundaries between.
    longest: share of the true answers that are in the tenth of the items of largest norm.
    """

    m: int
    longest: float
    measure: str
    groups: str
    by_norm: Contrast | None
    by_nearness: Contrast | None

    def in_words(self) -> str:
        """One or two sentences, sure of themselves only where the intervals are."""
        known = [c for c in (self.by_nearness, self.by_norm) if c is not None]
        sure = [c for c in known if c.sure]
        if not sure:
            return self._nothing(known) if known else ""
        best = max(sure, key=lambda c: abs(c.difference))
        said = f"Misses gather {self._where(best)}: {self._shares(best)} ({best.in_points()})."
        others = (f" {self._other(c)}: {self._shares(c)}." for c in known if c is not best)
        return said + "".join(others)

    def where_answers_are(self) -> str:
        """That most are in few items; "" where they are not."""
        if self.longest <= MOST_IN_ONE:
            return ""
        share = percent(self.longest)
        return (
            f"{share} of the true answers are in the tenth of the items of largest {self.measure}."
        )

    def _where(self, best: Contrast) -> str:
        less = best.difference < 0
        if best is self.by_nearness:
            return f"at boundaries between {self.groups}" if less else "away from boundaries"
        return f"in items of {'large' if less else 'small'} {self.measure}"

    def _other(self, other: Contrast) -> str:
        """What the other of the two tells."""
        name = self._name(other)
        if other.sure:
            return f"{_capital(name)} matters less"
        if other.small:
            return f"{_capital(name)} does not explain them"
        return f"Whether {name} matters too cannot be told"

    def _nothing(self, known: list[Contrast]) -> str:
        """Neither explains the misses, or it cannot be told."""
        names = [self._name(c) for c in known]
        if all(c.small for c in known):
            alone = len(known) == 1
            said = (
                f"{names[0]} does not explain"
                if alone
                else f"neither {names[0]} nor {names[1]} explains"
            )
        else:
            asked = counted(self.m, "query does", "queries do")
            said = f"{asked} not tell whether {' or '.join(names)} explains"
        return f"{_capital(said)} the misses: {'; '.join(map(self._shares, known))}."

    def _name(self, told: Contrast) -> str:
        return "nearness to a boundary" if told is self.by_nearness else f"the {self.measure}"

    def _shares(self, told: Contrast) -> str:
        """The quarter where it is most first."""
        most, least = percent(told.highest), percent(told.lowest)
        if told is self.by_nearness:
            which, other = "nearest to a boundary", "farthest from one"
        else:
            which, other = f"of largest {self.measure}", "of smallest"
        return f"{most} are found of the quarter of true answers {which}, {least} of that {other}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
