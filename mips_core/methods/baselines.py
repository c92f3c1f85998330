"""What every method is held against: exact search, and the items of largest norm.

Exact search as an index: every item is a candidate. Speedup 1, precision 1. Largest norms: the same
items for every query. No method at all, yet hard to beat where norms are unequal, as on recommender
data: what another method gains there over this one is what it learns from the query.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import order_of
from mips_core.base.progress import Progress, silent
from mips_core.methods.contract import Index, register
from mips_core.methods.reductions import lengths_of
from mips_core.methods.searcher import Candidates, Ledger, NestedSearcher, effort_ladder
from mips_core.methods.soundness import check_permutation, expect


@dataclass(frozen=True, slots=True, eq=False)
class AllItems:
    """The number of items: nothing is built."""

    n: int

    def check(self, n: int, d: int) -> None:
        """There are as many."""
        expect(self.n == n, f"it searches {self.n} items, not {n}")


@final
@register
@dataclass(frozen=True)
class ExactSearch(Index):
    """Scores every item. Precision is 1 and speedup 1: what every other method is held against.

    Cost: n.
    """

    key: ClassVar[str] = "exact"
    label: ClassVar[str] = "Exact search"
    effort_name: ClassVar[str] = "Scans"
    effort_nouns: ClassVar[tuple[str, str]] = ("scan", "scans")
    effort_help: ClassVar[str] = "Exact search scores every item once."
    asking: ClassVar[str] = "Scoring **every item**"
    cite: ClassVar[str] = "the definition"
    complete: ClassVar[bool] = True

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> AllItems:
        progress(0.0, "nothing to build")
        return AllItems(len(X))

    def searcher(self, structure: AllItems) -> "ExactSearcher":
        return ExactSearcher(structure.n)

    def setting(self, n: int) -> str:
        return "all items"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["ExactSearch"]:
        return [cls()]


@final
@dataclass(frozen=True, eq=False)
class ExactSearcher(NestedSearcher):
    """Proposes all n items."""

    n: int
    takes_all: ClassVar[bool] = True

    def efforts(self) -> Sequence[int]:
        return [1]

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        m = len(Q)
        return Candidates(np.arange(m + 1) * self.n, np.tile(np.arange(self.n), m), {})

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        found = np.where(wanted >= 0, 0, 1).astype(np.int32)
        return found, {"candidates": np.full((len(Q), 1), self.n)}

    def groups(self) -> list[Ids]:
        return [np.zeros(self.n, np.int64)]


@dataclass(frozen=True, slots=True, eq=False)
class NormOrder:
    """ids (n,): item numbers by norm descending; the lower number first on ties."""

    ids: Ids

    def check(self, n: int, d: int) -> None:
        """Every item has its place."""
        check_permutation(self.ids, n, "the order of items")


@final
@register
@dataclass(frozen=True)
class LargestNorm(Index):
    """Scores the N items of largest norm, whatever the query: a baseline.

    An inner product grows with the norm of the item. Where norms differ much, as on recommender
    data, few items win most queries and this is hard to beat; on word vectors it is useless.

    Cost: the N items scored.
    """

    key: ClassVar[str] = "largest-norm"
    label: ClassVar[str] = "Largest norms"
    effort_name: ClassVar[str] = "Items scored"
    effort_nouns: ClassVar[tuple[str, str]] = ("item", "items")
    effort_help: ClassVar[str] = "Items scored, the longest first. 1 to all of them."
    asking: ClassVar[str] = "Scoring the **{effort} longest of {live} items**"
    group_nouns: ClassVar[tuple[str, str]] = ("band", "bands of norm")
    cite: ClassVar[str] = "a baseline: |q·x| ≤ ‖q‖ ‖x‖ (Cauchy–Schwarz)"
    complete: ClassVar[bool] = True

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> NormOrder:
        progress(0.0, "sorting by norm")
        return NormOrder(order_of(lengths_of(X), np.arange(len(X))))

    def searcher(self, structure: NormOrder) -> "NormSearcher":
        return NormSearcher(structure.ids)

    def setting(self, n: int) -> str:
        return "longest first"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["LargestNorm"]:
        return [cls()]


@final
@dataclass(frozen=True, eq=False)
class NormSearcher(NestedSearcher):
    """The first N of `order` (n,), item numbers by norm descending."""

    order: Ids

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return len(self.order)

    def efforts(self) -> Sequence[int]:
        return effort_ladder(self.n)

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        m = len(Q)
        return Candidates(np.arange(m + 1) * effort, np.tile(self.order[:effort], m), {})

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        efforts = self.efforts()
        found = np.where(wanted >= 0, self._bands()[wanted], len(efforts)).astype(np.int32)
        return found, {"candidates": np.broadcast_to(efforts, (len(Q), len(efforts)))}

    def groups(self) -> list[Ids]:
        """Which effort first reaches an item: bands of falling norm."""
        return [self._bands()]

    def _bands(self) -> Ids:
        """(n,) position in efforts() at which each item becomes a candidate."""
        bands = np.empty(self.n, np.int64)
        bands[self.order] = np.searchsorted(self.efforts(), np.arange(1, self.n + 1))
        return bands
