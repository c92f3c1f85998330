"""Settings worth trying next: between the steps of a grid, and beside them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from math import sqrt
from typing import Any

import numpy as np

from mips_core.base.errors import ParamError
from mips_core.base.params import Param, flat_values, params_of
from mips_core.evaluation.builder import Tried
from mips_core.methods.indexes import Index
from mips_core.studies.tuning.field import Field
from mips_core.studies.tuning.trials import BOTH_ENDS, Budget, Need
from mips_core.studies.tuning.within import fits_budget

MOST = 12
METHODS = 3  # that are looked at more closely, best first


def further(tried: Sequence[Tried], K: int, asked: Need | Budget, n: int, d: int) -> list[Index]:
    """At most 12 settings not tried yet, near the best of the best methods on tuning queries.

    Steps between the best of a method and its neighbours in the main parameter, or beyond an end of
    the grid; for the best method also other values of the parameters that were not varied. What
    held-out queries say is not looked at. Raises as `cheapest` does.
    """
    best = _best_indexes(tried, K, asked)
    known = {t.evaluation.index.explicit(n) for t in tried}
    near = [step for index in best for step in _steps_beside(index, known, n, d)]
    around = (step.explicit(n) for step in [*near, *_varied(best[0], known)])
    return [index for index in dict.fromkeys(around) if index not in known][:MOST]


def _best_indexes(tried: Sequence[Tried], K: int, asked: Need | Budget) -> list[Index]:
    """The index at the best point of each of the best methods; first those that have what is asked.

    Of these the cheapest for a Need, the most precise for a Budget.
    """
    field = Field.of(tried, K, asked if isinstance(asked, Need) else Need(1.0, BOTH_ENDS))
    ranks = _ranks(field, asked)
    best = [int(own[np.argmin(ranks[own])]) for own in map(np.flatnonzero, field.methods.values())]
    best.sort(key=lambda point: ranks[point])
    return [
        tried[field.owner[point]].evaluation.index.explicit(field.n) for point in best[:METHODS]
    ]


def _ranks(field: Field, asked: Need | Budget) -> np.ndarray:
    """(p,) place of each point, 0 the best, by the tuning queries."""
    tuning = field.tuning
    if isinstance(asked, Need):
        holds = tuning.lower >= asked.precision
        order = np.lexsort((np.where(holds, tuning.cost, -tuning.lower), ~holds))
    else:
        fits = fits_budget(field, asked)
        order = np.lexsort((tuning.cost, -tuning.precision, ~fits))
    return np.argsort(order)


def _steps_beside(index: Index, known: Collection[Index], n: int, d: int) -> Iterator[Index]:
    """The neighbours of `index` in the main parameter, and where they are known, halfway to them.

    Neighbours are those known or of the method's grid; beyond an end, one more step in ratio.
    """
    name = index.main_param
    here = getattr(index, name) if name else 0
    if not here:
        return  # there is none, or a rule stands in its place
    own = [other for other in known if type(other) is type(index)]
    tried = {getattr(o, name) for o in own if o in _with(index, name, getattr(o, name))}
    line = tried | {getattr(step, name) for step in type(index).grid(n, d)}
    below = max((value for value in line if value < here), default=None)
    above = min((value for value in line if value > here), default=None)
    step = above / here if above else here / below if below else 2.0
    for other in (below or here / step, above or here * step):
        value = sqrt(here * other) if other in tried else other
        yield from _with(index, name, max(round(value), 1) if isinstance(here, int) else value)


def _varied(index: Index, known: Collection[Index]) -> Iterator[Index]:
    """`index` with other values of parameters that were not varied: first one of each, then more.

    Twice and half of a whole number, halfway to either end of a fraction, other choices.
    """
    flat = [flat_values(other) for other in known if type(other) is type(index)]
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
        made = [replace(value, **{inner: new}) for new in changed]
    else:
        made = _values(p, value)
    return [step for new in made for step in _with(index, outer, new)]


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
