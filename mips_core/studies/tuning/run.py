"""A whole run of tuning: build, ask, look closer at what lies near the best, and answer.

Of many items, all settings are tried on samples first, and few are built (`scouting`).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from math import sqrt
from typing import Any

import numpy as np

from mips_core.base.errors import ParamError
from mips_core.base.params import Param, flat_values, params_of
from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder, Tried
from mips_core.evaluation.setting import index_in_words
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.serving.faiss_export import runs_in_faiss
from mips_core.studies.forecast import LONG, forecast, is_large, long_in_words
from mips_core.studies.tuning import scouting
from mips_core.studies.tuning.budget import Within, fits_budget, most_precise
from mips_core.studies.tuning.field import Field
from mips_core.studies.tuning.promise import Tuned, cheapest
from mips_core.studies.tuning.standing import Omission
from mips_core.studies.tuning.trials import BOTH_ENDS, Budget, Need, check_count

ASKING = 0.02  # share of the time that finding the true answers takes, about
SCOUTING = 0.2  # and that samples take, where settings are tried on samples first
MOST = 12  # settings near the best
MOST_OF_LARGE = 2  # the same, where each takes many seconds
METHODS = 3  # that are looked at more closely, best first


def tune(
    dataset: Dataset,
    indexes: Sequence[Index],
    K: int,
    goal: Need | Budget,
    seed: int = 0,
    progress: Progress = silent,
    *,
    refine: bool = True,
    faiss: bool = False,
    scout: bool = True,
) -> Tuned | Within:
    """Try `indexes` on `dataset`, with `refine` also settings near the best; then answer `goal`.

    faiss: of those near the best, only what runs in faiss is tried. scout: of many items, all are
    tried on samples, and only the likeliest, fewer of them near the best, on all items.

    Each partial result is provisional, from what is tried so far. Settings of the same structure
    share it. Raises DataError below 20 queries or where truth_of does, ParamError for a K out of
    range or no index.
    """
    dataset = dataset.float32()
    truth = truth_of(dataset, span(progress, 0.0, ASKING))
    check_count(truth.m)
    truth.answers(K)  # a K out of range, too, is told before anything is built
    most, begin, others, left_out = MOST, ASKING, list[Index](), tuple[Omission, ...]()
    if scout and is_large(dataset.n):
        most, begin = MOST_OF_LARGE, ASKING + SCOUTING
        looking = span(progress, ASKING, begin)
        scouted = scouting.likeliest(dataset, indexes, K, goal, seed, looking)
        others = [index for index in indexes if index not in scouted.indexes]
        indexes, left_out = scouted.indexes, scouted.left_out
    builder = Builder(dataset.items, truth, K)
    workshop = _Workshop(builder, goal, seed, progress, begin, others, left_out)
    workshop.try_all(indexes, len(indexes) + most * refine)
    if refine:
        near = near_best(workshop.tried, K, goal, dataset.n, dataset.d, faiss=faiss, scout=scout)
        workshop.try_all(near, len(indexes) + len(near))
    return workshop.answer()


def answer(tried: Sequence[Tried], K: int, goal: Need | Budget, missing: int = 0) -> Tuned | Within:
    """`cheapest` for a Need, `most_precise` for a Budget."""
    if isinstance(goal, Need):
        return cheapest(tried, K, goal, missing)
    return most_precise(tried, K, goal, missing)


@dataclass(slots=True, eq=False)
class _Workshop:
    """What is tried so far, and the means to try more; `begin` of the bar is done before."""

    builder: Builder
    goal: Need | Budget
    seed: int
    progress: Progress
    begin: float = ASKING
    others: Sequence[Index] = ()  # not named by samples; some may be tried after all
    left_out: tuple[Omission, ...] = ()
    tried: list[Tried] = field(default_factory=list)

    def answer(self, missing: int = 0) -> Tuned | Within:
        """The answer from what is tried so far, with so many settings to come."""
        so_far, n = answer(self.tried, self.builder.K, self.goal, missing), len(self.builder.items)
        built = {one.evaluation.index.explicit(n) for one in self.tried}
        on_samples = sum(index.explicit(n) not in built for index in self.others)
        return replace(so_far, on_samples=on_samples, left_out=self.left_out)

    def try_all(self, indexes: Sequence[Index], expected: int) -> None:
        """Try each; `expected` settings in all fill the bar."""
        share = (1.0 - self.begin) / max(expected, 1)
        for index in indexes:
            start = self.begin + share * len(self.tried)
            report = span(self.progress, start, start + share)
            name = self._named(index)
            self.tried.append(self.builder.tried(index, self.seed, scouting.said_of(name, report)))
            missing = max(expected - len(self.tried), 0)
            report(1.0, f"{name}: tried", self.answer(missing))

    def _named(self, index: Index) -> str:
        """The method and its setting, after how long it takes, if long."""
        n, d = self.builder.items.shape
        name = f"{index.label}, {index_in_words(index, n)}"
        seconds = forecast(index, n, d, self.builder.truth.m).seconds
        return f"about {long_in_words(seconds)}: {name}" if seconds >= LONG else name


def near_best(
    tried: Sequence[Tried],
    K: int,
    goal: Need | Budget,
    n: int,
    d: int,
    *,
    faiss: bool = False,
    scout: bool = True,
) -> list[Index]:
    """What a run tries after its first settings: `further`, and of many items few of these.

    Those are built in bounded time: what samples left out as too slow may stand beside the best.
    """
    near = further(tried, K, goal, n, d)
    near = [index for index in near if not faiss or runs_in_faiss(index)]
    return scouting.first_affordable(near, MOST_OF_LARGE, n, d) if scout and is_large(n) else near


def further(tried: Sequence[Tried], K: int, goal: Need | Budget, n: int, d: int) -> list[Index]:
    """At most 12 settings not tried yet, near the best of the best methods on tuning queries.

    Steps between the best of a method and its neighbours in the main parameter, or beyond an end of
    the grid; for the best method also other values of the parameters that were not varied. What
    held-out queries say is not looked at. Raises as `cheapest` does.
    """
    best = _best_indexes(tried, K, goal)
    seen = {t.evaluation.index.explicit(n) for t in tried}
    near = [step for index in best for step in _steps_beside(index, seen, n, d)]
    around = (step.explicit(n) for step in [*near, *_varied(best[0], seen)])
    new = (index for index in dict.fromkeys(around) if index not in seen)
    return [index for index in new if getattr(index, "fit", "") != "exact"][:MOST]  # all, or slow


def _best_indexes(tried: Sequence[Tried], K: int, goal: Need | Budget) -> list[Index]:
    """The index at the best point of each of the best methods; first those that have what is asked.

    Of these the cheapest for a Need, the most precise for a Budget.
    """
    field = Field.of(tried, K, goal if isinstance(goal, Need) else Need(1.0, BOTH_ENDS))
    ranks = _ranks(field, goal)
    best = [int(own[np.argmin(ranks[own])]) for own in map(np.flatnonzero, field.methods.values())]
    best.sort(key=lambda point: ranks[point])
    return [
        tried[field.owner[point]].evaluation.index.explicit(field.n) for point in best[:METHODS]
    ]


def _ranks(field: Field, goal: Need | Budget) -> np.ndarray:
    """(p,) place of each point, 0 the best, by the tuning queries."""
    tuning = field.tuning
    if isinstance(goal, Need):
        holds = tuning.lower >= goal.precision
        order = np.lexsort((np.where(holds, tuning.cost, -tuning.lower), ~holds))
    else:
        fits = fits_budget(field, goal)
        order = np.lexsort((tuning.cost, -tuning.precision, ~fits))
    return np.argsort(order)


def _steps_beside(index: Index, seen: Collection[Index], n: int, d: int) -> Iterator[Index]:
    """The neighbours of `index` in the main parameter, and where they are known, halfway to them.

    Neighbours are those seen or of the method's grid; beyond an end, one more step in ratio.
    """
    name = index.main_param
    here = getattr(index, name) if name else 0
    if not here:
        return  # there is none, or a rule stands in its place
    own = [other for other in seen if type(other) is type(index)]
    tried = {getattr(o, name) for o in own if o in _with(index, name, getattr(o, name))}
    line = tried | {getattr(step, name) for step in type(index).grid(n, d)}
    below = max((value for value in line if value < here), default=None)
    above = min((value for value in line if value > here), default=None)
    step = above / here if above else here / below if below else 2.0
    for other in (below or here / step, above or here * step):
        value = sqrt(here * other) if other in tried else other
        yield from _with(index, name, max(round(value), 1) if isinstance(here, int) else value)


def _varied(index: Index, seen: Collection[Index]) -> Iterator[Index]:
    """`index` with other values of parameters that were not varied: first one of each, then more.

    Twice and half of a whole number, halfway to either end of a fraction, other choices.
    """
    flat = [flat_values(other) for other in seen if type(other) is type(index)]
    still = [name for name in flat[0] if len({repr(v.get(name)) for v in flat}) == 1]
    main = index.main_param
    others = [_others(index, name) for name in still if name != main]
    for step in chain.from_iterable(zip_longest(*others)):
        if step is not None:
            yield step


def _others(index: Index, name: str) -> list[Index]:
    outer, _, inner = name.partition(".")
    p, value = params_of(index)[outer], getattr(index, outer)
    if inner:
        changed = _values(params_of(value)[inner], getattr(value, inner))
        specs = [replace(value, **{inner: new}) for new in changed]
    else:
        specs = _values(p, value)
    return [step for new in specs for step in _with(index, outer, new)]


def _values(p: Param, value: Any) -> list[Any]:
    """Other values that a parameter could have, nearby ones of numbers."""
    if p.kinds is not None:
        return [cls() for kind, cls in p.kinds.items() if kind != value.kind]
    if p.choices:
        return [choice for choice in p.choices if choice != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [v for v in (2 * value, value // 2) if v != value]
    if isinstance(value, float):
        return [(value + p.high) / 2, (value + p.low) / 2]
    return []


def _with(index: Index, name: str, value: Any) -> list[Index]:
    """`index` with another value of a parameter, or nothing where it may not have it."""
    try:
        return [replace(index, **{name: value})]
    except ParamError:
        return []
