"""From numbers with intervals to verdicts: holds, does not hold, cannot tell.

A claim is asked at several conditions (K, a speedup, an amount of noise). Each has an effect, which
is above 0 where the claim is right, and so has their mean. All effects and means of a run are one
family, held to 5% (Holm 1979): with so many, some would look sure by luck alone. A claim holds
where its mean is surely above 0 and no condition is surely below; it does not hold where the mean,
or any condition, is surely below; else nobody can tell.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal

import numpy as np

from mips_core.studies.paper.jackknife import Estimate, Statistic, estimate
from mips_core.studies.paper.view import View

Verdict = Literal["holds", "does not hold", "cannot tell"]
Unit = Literal["precision", "ratio"]  # of effects: a difference in shares, or the log of a ratio
FAMILY = 0.05


@dataclass(frozen=True, slots=True)
class Condition:
    """Where a claim is asked, in words, and the effect there."""

    words: str
    effect: Statistic


@dataclass(frozen=True, slots=True)
class Claim:
    """What the paper says, and how it is measured.

    why: what explains the condition that speaks most against it, from the numbers themselves; it is
    given that condition's words. sought: what an effect is, in words.
    """

    number: int
    text: str
    section: str
    sought: str
    figure: str
    conditions: tuple[Condition, ...]
    unit: Unit = "precision"
    why: Callable[[View, str], str] = field(default=lambda view, words: "")


@dataclass(frozen=True, slots=True)
class Judged:
    """A condition with what was measured; adjusted: p by Holm, of the whole family."""

    words: str
    estimate: Estimate
    adjusted: float

    @property
    def sign(self) -> int:
        """1 or -1 where it is surely above or below 0, else 0."""
        return int(np.sign(self.estimate.value)) if self.adjusted < FAMILY else 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim on a data set; mean: over its conditions, None where none could be asked.

    left_out: conditions that cannot be asked, as where a method is never so fast.
    """

    claim: Claim
    data: str
    mean: Judged | None
    conditions: tuple[Judged, ...]
    left_out: tuple[str, ...]
    why: str = ""

    @property
    def verdict(self) -> Verdict:
        """By the rule above."""
        if self.mean is None:
            return "cannot tell"
        if self.mean.sign < 0 or any(one.sign < 0 for one in self.conditions):
            return "does not hold"
        return "holds" if self.mean.sign > 0 else "cannot tell"

    @property
    def weakest(self) -> Judged | None:
        """The condition that speaks most against the claim: surely so first, then by effect."""
        return min(self.conditions, key=lambda one: (one.sign, one.estimate.value), default=None)


def holm(ps: Sequence[float]) -> list[float]:
    """Adjusted p (N,): below a level where Holm's procedure rejects at it; order as given."""
    N = len(ps)
    order = np.argsort(ps, kind="stable")
    steps = np.asarray(ps, np.float64)[order] * (N - np.arange(N))
    adjusted = np.empty(N)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in adjusted]


def judged(views: Sequence[tuple[str, View, Sequence[Claim]]]) -> tuple[list[Judgement], int]:
    """Every claim on every data set (its name, its numbers), and how many comparisons that is."""
    raw = [
        (claim, name, view, *_estimates(view, claim)) for name, view, claims in views
        for claim in claims
    ]  # fmt: skip
    estimates = [one for *_, conditions, mean in raw for one in (*conditions.values(), mean)]
    adjusted = iter(holm([one.p for one in estimates if one is not None]))

    def with_p(words: str, one: Estimate | None) -> Judged | None:
        return None if one is None else Judged(words, one, next(adjusted))

    judgements = []
    for claim, name, view, conditions, mean in raw:
        both = [with_p(words, one) for words, one in conditions.items()]
        told = tuple(one for one in both if one is not None)
        left_out = tuple(words for words, one in conditions.items() if one is None)
        judgement = Judgement(claim, name, with_p("mean", mean), told, left_out)
        judgements.append(_explained(judgement, view))
    return judgements, sum(one is not None for one in estimates)


def _estimates(view: View, claim: Claim) -> tuple[dict[str, Estimate | None], Estimate | None]:
    """Of each condition by its words, and of the mean of those that can be asked."""
    conditions = {one.words: estimate(view, one.effect) for one in claim.conditions}
    able = [one.effect for one in claim.conditions if conditions[one.words] is not None]
    if not able:
        return conditions, None
    return conditions, estimate(view, lambda v: sum(effect(v) for effect in able) / len(able))


def _explained(judgement: Judgement, view: View) -> Judgement:
    """With one sentence why, where it does not hold."""
    weakest = judgement.weakest
    if judgement.verdict != "does not hold" or weakest is None:
        return judgement
    why = judgement.claim.why(View(view.sums, view.ks, known=view.known), weakest.words)
    return Judgement(
        judgement.claim, judgement.data, judgement.mean, judgement.conditions, judgement.left_out,
        why,
    )  # fmt: skip


def finite(values: Sequence[float]) -> list[float]:
    """Those that are numbers."""
    return [value for value in values if isfinite(value)]
