"""The most precise setting within a budget of inner products, memory or build time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mips_core.base.arrays import Floats, Mask
from mips_core.base.text import duration, inner_products, memory
from mips_core.evaluation.builder import Tried
from mips_core.studies.tuning.field import Field
from mips_core.studies.tuning.standing import Omission
from mips_core.studies.tuning.trials import BOTH_ENDS, Budget, Need, Trial

MARGIN = 0.98  # of the limit: on the words held-out cost passed it in 3 of 180, without in 19
MOST_RUNNERS_UP = 8


@dataclass(frozen=True, slots=True, eq=False)
class Within:
    """The answer to a Budget: chosen on tuning queries, described by held-out ones.

    A trial's verdict says whether it keeps the budget on the held-out queries. why_none: which
    limits nothing keeps, and the least there is; "" where something was chosen. missing: settings
    that are not in yet, until which a more precise one may be. on_samples: settings tried on
    samples of the items alone, and left out after that. left_out: methods of which that is so of
    every setting, or some that no worker of a cluster holds, and why.
    """

    K: int
    budget: Budget
    m_tuning: int
    m_held_out: int
    n_settings: int
    n_efforts: int
    chosen: Trial | None
    runners_up: tuple[Trial, ...]
    why_none: str
    missing: int = 0
    on_samples: int = 0
    left_out: tuple[Omission, ...] = ()


def most_precise(tried: Sequence[Tried], K: int, budget: Budget, missing: int = 0) -> Within:
    """The most precise of all efforts of `tried` within `budget`; all are of the same queries.

    Raises ParamError where nothing was tried or not at K, DataError below 20 queries.
    """
    field = Field.of(tried, K, Need(1.0, BOTH_ENDS))
    fits = fits_budget(field, budget)
    best = [_best(field, own & fits) for own in field.methods.values()]
    ends = sorted((p for p in best if p is not None), key=lambda p: -field.tuning.precision[p])
    chosen = _best(field, fits)
    others = [p for p in ends if chosen is None or field.key(p) != field.key(chosen)]
    trials = [_judged(field, point, budget) for point in others[:MOST_RUNNERS_UP]]
    return Within(
        K=tried[0].evaluation.truth.answers(K),
        budget=budget,
        m_tuning=field.m - field.m_held_out,
        m_held_out=field.m_held_out,
        n_settings=len(tried),
        n_efforts=len(field.at),
        chosen=None if chosen is None else _judged(field, chosen, budget),
        runners_up=tuple(sorted(trials, key=lambda trial: trial.cost)),
        why_none="" if chosen is not None else _why_none(field, budget),
        missing=missing,
    )


def _spent(field: Field) -> dict[str, Floats]:
    """(p,) what each point costs, by what is limited; inner products on the tuning queries."""
    return {
        "inner products": field.tuning.cost,
        "bytes": np.array([float(t.bytes) for t in field.tried])[field.owner],
        "seconds": np.array([t.seconds for t in field.tried])[field.owner],
    }


def fits_budget(field: Field, budget: Budget) -> Mask:
    """(p,) points within all limits; with a margin of inner products, if any has it."""
    spent, limits = _spent(field), budget.limits
    fits = np.full(len(field.at), fill_value=True)
    for name, limit in limits.items():
        fits &= spent[name] <= limit
    spare = fits & (spent["inner products"] <= MARGIN * limits.get("inner products", np.inf))
    return spare if spare.any() else fits


def _best(field: Field, among: Mask) -> int | None:
    return field.most_precise(among) if among.any() else None


def _judged(field: Field, point: int, budget: Budget) -> Trial:
    trial = field.trial(point)
    within = trial.cost <= (budget.inner_products or np.inf)
    return replace(trial, verdict="holds" if within else "does not hold")


def _why_none(field: Field, budget: Budget) -> str:
    """Which limits are broken by everything, and the least there is; or that they clash."""
    spent = _spent(field)
    least = {name: int(np.argmin(spent[name])) for name in budget.limits}
    broken = [
        _too_much(name, limit, float(spent[name][least[name]]), field.trial(least[name]))
        for name, limit in budget.limits.items()
        if spent[name][least[name]] > limit
    ]
    return " ".join(broken) or _clash(budget)


def _clash(budget: Budget) -> str:
    """Each limit is kept by something, but not all by one setting."""
    limits = [_amount(what, limit) for what, limit in budget.limits.items()]
    return f"Each limit is kept by some setting, but none keeps all: {', '.join(limits)}."


def _amount(what: str, amount: float) -> str:
    if what == "inner products":
        return f"{inner_products(amount)} a query"
    return f"{memory(amount)} of memory" if what == "bytes" else f"{duration(amount)} to build"


def _too_much(what: str, limit: float, least: float, trial: Trial) -> str:
    """A limit that nothing keeps, and the least there is."""
    who = trial.setting_in_words() if what == "inner products" else trial.built_in_words()
    most, there_is = _amount(what, limit), _amount(what, least)
    return f"Nothing tried takes at most {most}; the least is {there_is}: {who}."
