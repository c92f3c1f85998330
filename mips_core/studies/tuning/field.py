"""Everything tried, as points on the queries that order them and on those that judge them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.base.errors import ParamError
from mips_core.evaluation.builder import Tried
from mips_core.evaluation.evaluate import Evaluation, folds_of, rows_of
from mips_core.evaluation.setting import Setting
from mips_core.methods.baselines import ExactSearch
from mips_core.studies.tuning.estimates import Estimates
from mips_core.studies.tuning.trials import Need, Trial, Verdict, check_count


@dataclass(frozen=True, slots=True, eq=False)
class FoldPoints:
    """Every effort of everything tried, on one fold of the queries, as arrays (p,).

    lower and upper: one-sided ends of the mean precision; both 1 where a search cannot miss.
    worth: trials that a query is worth.
    """

    precision: Floats
    lower: Floats
    upper: Floats
    cost: Floats
    worth: Floats

    @classmethod
    def on(
        cls, tried: Sequence[Tried], K: int, fold: int | None, confidence: float
    ) -> "FoldPoints":
        """All points of `tried`, one or more, in the order given."""
        seen = Estimates.together([Estimates.of(t.evaluation, K, fold) for t in tried])
        sure = np.concatenate([_misses_nothing(t.evaluation) for t in tried])
        return cls(
            precision=seen.found,
            lower=np.where(sure, 1.0, seen.lower(confidence)),
            upper=np.where(sure, 1.0, seen.upper(confidence)),
            cost=seen.cost,
            worth=seen.worth,
        )


def _misses_nothing(evaluation: Evaluation) -> Mask:
    """(p,) efforts that find every answer by the nature of the method, which needs no test."""
    p = len(evaluation.efforts)
    return (np.arange(p) == p - 1) & evaluation.index.misses_nothing


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Everything tried, on the tuning queries, which order it, and the held-out ones.

    owner (p,): position in `tried` of the point; at (p,): position in its efforts. m and m_held_out
    count queries, in all and those that judge; bar is what a lower end must reach: 1 where the
    held-out queries are too few for a promise.
    """

    tried: tuple[Tried, ...]
    K: int
    need: Need
    owner: Ids
    at: Ids
    tuning: FoldPoints
    held_out: FoldPoints
    m: int
    m_held_out: int
    bar: float

    @classmethod
    def of(cls, tried: Sequence[Tried], K: int, need: Need) -> "Field":
        """Raises ParamError where nothing was tried, DataError where queries are too few."""
        if not tried:
            raise ParamError("No setting was tried.", "Give one method or more.")
        m = tried[0].evaluation.truth.m
        check_count(m)
        folds = folds_of(m)
        counts = [len(t.evaluation.efforts) for t in tried]
        owner = np.repeat(np.arange(len(tried)), counts)
        at = np.concatenate([np.arange(count) for count in counts])
        tuning, held_out = (FoldPoints.on(tried, K, fold, need.confidence) for fold in folds)
        m_held_out = len(range(m)[rows_of(folds[1])])
        bar = 1.0 if need.too_few(m_held_out) else need.precision
        return cls(tuple(tried), K, need, owner, at, tuning, held_out, m, m_held_out, bar)

    @property
    def useful(self) -> Mask:
        """(p,) points that save inner products, and exact search; all of them where none does."""
        exact = np.array([isinstance(t.evaluation.index, ExactSearch) for t in self.tried])
        saving = (self.tuning.cost < self.n) | exact[self.owner]
        return saving if saving.any() else ~saving

    @property
    def n(self) -> int:
        """Items searched."""
        return self.tried[0].evaluation.truth.n

    @property
    def methods(self) -> dict[str, Mask]:
        """Key of a method -> (p,) which points are its own."""
        keys = [t.evaluation.index.key for t in self.tried]
        return {key: np.array([k == key for k in keys])[self.owner] for key in dict.fromkeys(keys)}

    def most_precise(self, among: Mask) -> int:
        """The most precise of these points (p,) on tuning queries; of equal ones the cheapest."""
        points = np.flatnonzero(among)
        order = np.lexsort((self.tuning.cost[points], -self.tuning.precision[points]))
        return int(points[order[0]])

    def key(self, point: int) -> str:
        """The key of a point's method."""
        return self.tried[self.owner[point]].evaluation.index.key

    def trial(self, point: int, passed: Ids | None = None) -> Trial:
        """The setting of a point, judged by itself.

        passed: the points that held one after another, the answer last. Of others that cost less
        than it, and of all where nothing passed, nothing is promised even if they hold by
        themselves: choosing what happens to pass, out of many, is how one is fooled.
        """
        tried = self.tried[self.owner[point]]
        evaluation, held_out = tried.evaluation, self.held_out
        low, high = float(held_out.lower[point]), float(held_out.upper[point])
        verdict = self._verdict(low, high)
        if verdict == "holds" and passed is not None and point not in passed:
            least = held_out.cost[passed[-1]] if len(passed) else np.inf
            verdict = "holds" if held_out.cost[point] >= least else "not tested"
        effort = int(evaluation.efforts[self.at[point]])
        return Trial(
            tried,
            Setting(evaluation.index, evaluation.seed, effort),
            tuned_precision=float(self.tuning.precision[point]),
            tuned_cost=float(self.tuning.cost[point]),
            precision=float(held_out.precision[point]),
            interval=(low, high),
            cost=float(held_out.cost[point]),
            speedup=float(evaluation.truth.n / held_out.cost[point]),
            verdict=verdict,
        )

    def _verdict(self, low: float, high: float) -> Verdict:
        if low >= self.bar:
            return "holds"
        return "does not hold" if high < self.need.precision else "cannot tell"
