"""How far two methods are apart at one speedup, and whether that is more than luck.

Both answer the same queries, so what counts are the differences query by query. Queries are a
sample, and so are builds: crossed random effects, whose variances add (Cornfield and Tukey 1956;
Clark 1973), here

    Var(mean) = V_queries / (m + 2) + (V_first + V_second) / S

with S builds of each method. V_queries is the variance of the differences, averaged over builds;
V_first and V_second are those of a method's mean over its builds, less what the queries alone make
of it, never below 0. The interval is Student's with the degrees of freedom of Satterthwaite (1946)
for m + 1 and twice S - 1. Builds of the two count as independent. As Bonett and Price (2012) do,
two queries are added, one won by each side, by as much as differing queries are (one that differs
in all answers is assumed beside those seen): no interval has zero width, even without a difference.

Simulated with 3 and 5 builds, K of 1, 10 and 100, 50 to 1,000 queries: of two equal methods one is
named the winner in 0 to 6% of cases, seldom where builds do not differ, since that is not known.
Where one seed brings the same luck to both, winners are named in less than 1% of cases: the
interval is wider than it need be, never too narrow. Two builds tell so little of how builds differ
that it may reach 100 points to either side, and so may that of a few queries; that is no mistake.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import ParamError
from mips_core.base.text import counted, rounded, verb
from mips_core.evaluation.intervals import CONFIDENCE
from mips_core.studies.queries_needed import MOST_QUERIES

FEWEST_SEEDS = 3  # builds of each method before a winner is named
POWER = 0.8
ADDED = 2  # queries, beside those asked
STEPS = 500  # from the queries asked to the most, less than 4% each


@dataclass(frozen=True, slots=True)
class Difference:
    """Precision@K of the first method less that of the second, in shares of 1.

    low and high end the interval of the mean over m queries and the builds of by_seed; with one
    build of each, over queries alone. A winner needs an interval without 0 and FEWEST_SEEDS builds.
    queries_needed in all would name one four times out of five (simulated: 74 to 92%), if mean and
    variances are those seen and builds stay as many; None where there is a winner, or too few
    builds, or where even MOST_QUERIES would not do.
    """

    K: int
    m: int
    mean: float
    low: float
    high: float
    by_seed: tuple[float, ...]
    winner: Literal["first", "second"] | None
    queries_needed: int | None
    confidence: float = CONFIDENCE

    def in_words(self, first: str, second: str, at: str) -> str:
        """One or two sentences for methods of these names; `at` says where: "30×"."""
        queries = counted(self.m, "query", "queries")
        builds = len(self.by_seed)
        if builds < FEWEST_SEEDS:
            built = f"{counted(builds, 'build', 'builds')} of each"
            return (
                f"At {at}, {self._seen(first, second)} with {queries} and {built}. A build can be "
                f"lucky: a winner is named from {FEWEST_SEEDS} builds on."
            )
        if self.winner is None:
            return (
                f"At {at}, {first} and {second} cannot be told apart with {queries}{self._more()}."
            )
        low, high = sorted(abs(100 * end) for end in (self.low, self.high))
        interval = f"{100 * self.confidence:g}% interval {_decimal(low)} to {_decimal(high)}"
        return f"At {at}, {self._seen(first, second)} ({interval})."

    @property
    def needs_builds(self) -> bool:
        """Whether not more queries, but more builds may name a winner."""
        apart = len(set(self.by_seed)) > 1 and self.mean != 0
        known = len(self.by_seed) >= FEWEST_SEEDS and not (self.low <= -1 and self.high >= 1)
        return apart and known and self.winner is None and self.queries_needed is None

    def _seen(self, first: str, second: str) -> str:
        if self.mean == 0:
            return f"{first} and {second} keep the same share"
        ahead, behind = (first, second) if self.mean > 0 else (second, first)
        return f"{ahead} {verb(ahead, 'keep')} {self._points()} more than {behind}"

    def _points(self) -> str:
        return f"{_decimal(abs(100 * self.mean))} points"

    def _more(self) -> str:
        if self.low <= -1 and self.high >= 1:
            return ": with so few, any difference is possible"
        if self.queries_needed is not None:
            return f"; about {rounded(self.queries_needed):,} would settle it"
        if self.mean == 0:
            return "; no difference was seen"
        if self.needs_builds:
            return "; builds differ so much that not more queries settle it, but more builds may"
        return "; the difference is too small for any number of queries to settle it"


def difference(
    first: Sequence[Ids], second: Sequence[Ids], K: int, confidence: float = CONFIDENCE
) -> Difference:
    """The paired difference of two methods: hits (m,) of K answers, one array for each build.

    Both with as many builds, all for the same queries; K as `Truth.answers` gives it. Raises
    ParamError where they do not fit together, and unless 0 < confidence < 1.
    """
    shapes = {np.shape(hits) for hits in (*first, *second)}
    if len(first) != len(second) or len(shapes) != 1:
        raise ParamError("The hits are not of the same builds and queries.", "Give as many.")
    if not 0 < confidence < 1:
        raise ParamError(f"The confidence is {confidence:g}.", "Give a number above 0 and below 1.")
    both = np.stack([np.stack(first), np.stack(second)]).astype(np.int64)
    apart = both[0] - both[1]  # whole numbers: their sums are exact, and 0 is 0
    (S, m), total = apart.shape, apart.sum()
    mean = float(total / (S * m * K))
    spread = _Spread.of(both / K)
    centre, half = total / (S * (m + ADDED) * K), spread.half(m, (1 + confidence) / 2)
    low, high = max(min(centre - half, mean), -1.0), min(max(centre + half, mean), 1.0)
    winner: Literal["first", "second"] | None = None
    needed = None
    if S >= FEWEST_SEEDS:
        winner = "first" if low > 0 else "second" if high < 0 else None
        needed = spread.queries_needed(m, abs(mean), confidence) if winner is None else None
    by_seed = tuple((apart.sum(axis=1) / (m * K)).tolist())
    return Difference(K, m, mean, float(low), float(high), by_seed, winner, needed, confidence)


@dataclass(frozen=True, slots=True)
class _Spread:
    """Variances: of a query's difference; for both methods, of a build's mean; of what is left."""

    S: int
    queries: float
    builds: Floats  # (2,) beyond what queries make of it
    rest: Floats  # (2,) of a query and a build together

    @staticmethod
    def of(both: Floats) -> "_Spread":
        """From the shares (2, S, m) that both methods find."""
        _, S, m = both.shape
        by_query = (both[0] - both[1]).mean(axis=0)
        absolute, squares = np.abs(by_query).sum(), np.square(by_query).sum()
        differing = absolute**2 / squares if squares else 0.0  # so many equal ones (Kish, 1965)
        added = (absolute + 1) / (differing + 1)
        total = squares + ADDED * added**2 - by_query.sum() ** 2 / (m + ADDED)
        if S == 1:
            return _Spread(S, total / (m + 1), np.zeros(2), np.zeros(2))
        means = both.mean(axis=2)
        left = both - means[:, :, None] - both.mean(axis=1, keepdims=True)
        left += means.mean(axis=1)[:, None, None]
        rest = np.square(left).sum(axis=(1, 2)) / ((S - 1) * max(m - 1, 1))
        builds = np.maximum(means.var(axis=1, ddof=1) - rest / m, 0.0)
        return _Spread(S, total / (m + 1), builds, rest)

    def half(self, m: int | Ids, *probabilities: float, planned: bool = False) -> Floats:
        """The standard error of the mean of m queries times Student's quantiles, added up.

        `planned`: of queries still to ask. What they make of a build's mean is not taken off yet.
        """
        from scipy.special import stdtrit  # slow to import, and not needed by a first curve

        queries = self.queries / (m + ADDED)
        means = (self.builds + np.multiply.outer(1 / np.asarray(m), self.rest)) / self.S
        variance = queries + (means if planned else self.builds / self.S).sum(axis=-1)
        squares = queries**2 / (m + 1) + np.square(means).sum(axis=-1) / max(self.S - 1, 1)
        quantiles = sum(stdtrit(variance**2 / squares, each) for each in probabilities)
        return np.asarray(quantiles * np.sqrt(variance))

    def queries_needed(self, m: int, mean: float, confidence: float) -> int | None:
        """About how many tell `mean` from 0 with POWER; more need not, where builds differ."""
        ladder = np.unique(np.geomspace(m + 1, MOST_QUERIES, STEPS).astype(np.int64))
        half = self.half(ladder, (1 + confidence) / 2, POWER, planned=True)
        return int(ladder[(half <= mean).argmax()]) if (half <= mean).any() else None


def _decimal(points: float) -> str:
    """One decimal, or the first digit of what is smaller."""
    if points >= 0.05 or points == 0:
        return f"{points:.1f}"
    return np.format_float_positional(points, precision=1, fractional=False)
