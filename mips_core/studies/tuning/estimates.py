"""What the queries of a fold say of every effort of an evaluation, however much is asked of it.

Counting hits over all queries takes most of the time of an answer, and what comes of it is small:
it is kept beside the evaluation, as long as that lives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.evaluation.evaluate import Evaluation, folds_of
from mips_core.evaluation.intervals import checked, end_of, quantile_of, seen_in, trials_of
from mips_core.evaluation.precision import mean_precision

KEPT = 16  # of one evaluation: of both folds at eight K


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Arrays (p,) of one fold at one K.

    found and missed: the mean shares of the answers; trials and missed_trials: how many independent
    trials the queries are worth, from either side; worth: how many one query is, as `seen_in` says;
    cost: inner products a query.
    """

    found: Floats
    trials: Floats
    missed: Floats
    missed_trials: Floats
    worth: Floats
    cost: Floats

    @classmethod
    def of(cls, evaluation: Evaluation, K: int, fold: int | None) -> "Estimates":
        """Those of `evaluation`, counted once. Raises ParamError for a K it was not measured at."""
        known = _KNOWN.setdefault(evaluation, {})
        made = known.get((K, fold))
        if made is None:
            curve = evaluation.curve((K,), fold)
            seen, other = curve.histograms[K], curve.histograms[K][:, ::-1]
            known[K, fold] = made = cls(
                mean_precision(seen),
                trials_of(seen),
                mean_precision(other),
                trials_of(other),
                seen_in(seen)[1],
                curve.mean_cost,
            )
            for old in list(known)[:-KEPT]:
                known.pop(old, None)
        return made

    @classmethod
    def together(cls, every: Sequence["Estimates"]) -> "Estimates":
        """One or more, one after another."""
        return cls(*(np.concatenate([getattr(e, name) for e in every]) for name in cls.__slots__))

    def lower(self, confidence: float) -> Floats:
        """(p,) what the mean share found exceeds with `confidence`, as `lower_bound` says."""
        return end_of(self.found, self.trials, -quantile_of(checked(confidence)))

    def upper(self, confidence: float) -> Floats:
        """(p,) what it stays below with `confidence`."""
        return 1.0 - end_of(self.missed, self.missed_trials, -quantile_of(checked(confidence)))


_KNOWN: WeakKeyDictionary[Evaluation, dict[tuple[int, int | None], Estimates]] = WeakKeyDictionary()


def are_counted(evaluation: Evaluation, K: int) -> bool:
    """Whether hits at K were counted, so that an answer takes a moment."""
    return (K, folds_of(evaluation.truth.m)[1]) in _KNOWN.get(evaluation, {})
