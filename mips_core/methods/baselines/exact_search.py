"""Exact search as an index: every item is a candidate. Speedup 1, precision 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.progress import Progress, silent
from mips_core.methods.contract import Index, register
from mips_core.methods.searcher import Candidates, Ledger, NestedSearcher
from mips_core.methods.soundness import expect


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
