"""How settings stand after a sample: their order for all items, which are far behind, and why."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.text import percent, times
from mips_core.evaluation.builder import Tried
from mips_core.methods.indexes import Index
from mips_core.studies.forecast import long_in_words
from mips_core.studies.tuning.field import FoldPoints
from mips_core.studies.tuning.trials import BOTH_ENDS, Budget, Need

USUAL_POWER = 0.5  # of n in the cost, before it is measured, and where the goal was not reached
USUAL_PRECISION = 0.9  # at which growth is measured where a budget is given
SLACK = 0.15  # by which that power may be wrong, for better or worse, before a setting is given up

Merit = tuple[float, float]  # sorts settings, the least first


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """A setting of all n items, and how its like found K answers on a sample of `size` items."""

    index: Index
    size: int
    K: int
    tried: Tried

    def points(self, goal: Need | Budget) -> FoldPoints:
        """Every effort of it, on all queries it was asked."""
        confidence = goal.confidence if isinstance(goal, Need) else BOTH_ENDS
        return FoldPoints.on([self.tried], self.K, None, confidence)


@dataclass(frozen=True, slots=True)
class Omission:
    """A method of which nothing, or less, is built on all items: after how many in a sample, why.

    After 0: before anything was built.
    """

    key: str
    label: str
    after: int
    why: str

    def in_words(self) -> str:
        """IP-tree seems to cost 6.2× the best on all items."""
        return f"{self.label} {self.why}"

    def as_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"method": self.key, "after_items": self.after, "why": self.why}


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """What a sample tells of a setting of all items.

    likely: as measured (at the lower end where no effort is sure of the precision), and were bytes
    and seconds of the index to grow as the items do. hopeful and surely: at either end of its
    interval, were the growth of its cost as good, or as bad, as it may be; hopeful whatever the
    bytes and seconds, which mostly grow less than the items.
    """

    index: Index
    likely: Merit
    hopeful: Merit
    surely: Merit

    @classmethod
    def of(cls, one: Sampled, n: int, goal: Need | Budget, power: float) -> "Standing":
        """For n items, whose number is in the cost with this power."""
        points, grown = one.points(goal), n / one.size

        small = isinstance(goal, Need) or (
            grown * one.tried.bytes <= (goal.bytes or inf)
            and grown * one.tried.seconds <= (goal.seconds or inf)
        )

        def merit(found: Floats, exponent: float, small: bool = small) -> Merit:
            cost = points.cost * grown**exponent
            if isinstance(goal, Need):
                return _merit(found, cost, goal)
            return _merit_within(found, cost, small, goal)

        never = isinstance(goal, Need) and points.lower.max() < goal.precision
        found = points.lower if never else points.precision  # at no effort is it sure to hold
        return cls(
            one.index,
            likely=merit(found, power),
            hopeful=merit(points.upper, power - SLACK, small=True),
            surely=merit(points.lower, power + SLACK),
        )


def _merit(found: Floats, cost: Floats, need: Need) -> Merit:
    """By cost, and by precision where the need is not met."""
    return float(cost[found >= need.precision].min(initial=inf)), -float(found.max())


def _merit_within(found: Floats, cost: Floats, small: bool, budget: Budget) -> Merit:
    """By precision, and by cost where the budget is not kept, or precision is the same.

    small: whether the index keeps its limits of bytes and seconds.
    """
    fits = cost <= (budget.inner_products or inf)
    if not small or not fits.any():
        return inf, float(cost.min())
    best = float(found[fits].max())
    return -best, float(cost[fits & (found == best)].min())


def contenders(every: Sequence[Standing]) -> list[Standing]:
    """Of `every`, best first, those that may be as good as the best seems sure to be."""
    best = min(one.surely[0] for one in every)
    return sorted((one for one in every if one.hopeful[0] <= best), key=lambda one: one.likely)


def left_out(
    every: Sequence[Standing],
    going_on: Collection[Index],
    after: int,
    goal: Need | Budget,
    slow: Mapping[str, float],
) -> Iterator[Omission]:
    """The methods of `every` of which nothing goes on, and why.

    slow: key of a method that would have, had it not taken so many seconds to build.
    """
    going = {index.key for index in going_on}
    best, sure = min(one.likely for one in every), min(one.surely[0] for one in every)
    first = {one.index.key: one.index for one in every}
    for key, index in first.items():
        if key not in going:
            own = min(one.likely for one in every if one.index.key == key)
            hope = min(one.hopeful for one in every if one.index.key == key)
            hoped = (
                own[0] == inf and sure < hope[0] < inf
            )  # left out for that, not for being unsure
            why = _why(hope if hoped else own, best, goal, hoped)
            if key in slow:
                why = f"{why} and takes about {long_in_words(slow[key])} to build"
            yield Omission(key, index.label, after, why)


def _why(own: Merit, best: Merit, goal: Need | Budget, hoped: bool) -> str:
    """What is said of a method with this merit on all items, likely or hoped, beside the best."""
    if isinstance(goal, Need):
        if own[0] < inf:
            least = "at least " * hoped
            return f"seems to cost {least}{times(own[0] / best[0])} the best on all items"
        return f"is not sure to reach {goal.precision:g}"
    if own[0] < inf:
        most = "at most " * hoped
        found, of_best = percent(-own[0]), percent(-best[0])
        return f"seems to find {most}{found} within the budget (the best {of_best})"
    return "seemed to keep the budget in no setting"


def growth_of_methods(every: Sequence[Sampled], goal: Need | Budget) -> dict[str, float]:
    """Key of a method -> power of the number of items with which its least cost grows, 0 to 1.

    From the smallest to the largest of its samples; a usual one where it is not known.
    """
    need = goal if isinstance(goal, Need) else Need(USUAL_PRECISION, BOTH_ENDS)
    least: dict[str, dict[int, float]] = {}
    for one in every:
        sizes = least.setdefault(one.index.key, {})
        sizes[one.size] = min(sizes.get(one.size, inf), _least_cost(one, need))
    return {key: _power(sizes) for key, sizes in least.items()}


def _power(costs: dict[int, float]) -> float:
    (first, before), (last, after) = min(costs.items()), max(costs.items())
    if first == last or not np.isfinite([before, after]).all():
        return USUAL_POWER
    return float(np.clip(log(after / before) / log(last / first), 0.0, 1.0))


def _least_cost(one: Sampled, need: Need) -> float:
    """Inner products a query at the cheapest effort with this precision; inf where none has it."""
    points = one.points(need)
    return float(points.cost[points.precision >= need.precision].min(initial=inf))
