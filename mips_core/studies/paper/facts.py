"""What is to know of a data set before its claims are read: facts that explain verdicts."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mips_core.data.dataset import Dataset
from mips_core.evaluation.truth import Truth
from mips_core.methods.reductions import lengths_of
from mips_core.studies.data_profile.facts import some_much_longer


@dataclass(frozen=True, slots=True)
class PaperFacts:
    """stands_for: the paper's data in whose place these stand; "" for the paper's own.

    own_queries: users came with the items; else items are the queries. best_self: the share of
    queries that are their own best answer. uneven: some items are much longer than most.
    """

    name: str
    stands_for: str
    n: int
    d: int
    m: int
    ks: tuple[int, ...]
    own_queries: bool
    simulated: bool
    best_self: float
    uneven: bool

    @property
    def title(self) -> str:
        """Name, and what they stand for, where pictures say which data they show."""
        return f"{self.name}, in place of {self.stands_for}" if self.stands_for else self.name

    @property
    def stem(self) -> str:
        """What the files of its figures begin with."""
        kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in self.name.lower())
        return "-".join(filter(None, kept.split("-")))[:40] or "data"

    @property
    def curves_figure(self) -> str:
        """Which of the figures holds the best of each method, without the stem."""
        return f"figure-{1 if self.own_queries else 2}-ours"

    @property
    def middle(self) -> int:
        """The K of what is shown at one alone: 10 where it was measured."""
        return 10 if 10 in self.ks else self.ks[len(self.ks) // 2]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "name": self.name, "stands_for": self.stands_for, "n": self.n, "d": self.d,
            "queries": self.m, "K": list(self.ks), "own_queries": self.own_queries,
            "simulated": self.simulated, "own_best_answer": self.best_self, "uneven": self.uneven,
        }  # fmt: skip


def few_queries(searched: Dataset, most: int) -> Dataset:
    """The same items, asked the first queries alone, without their labels."""
    rows = None if searched.query_rows is None else searched.query_rows[:most]
    return replace(searched, queries=searched.queries[:most], query_rows=rows, query_labels=None)


def facts_of(
    searched: Dataset, truth: Truth, stands_for: str, ks: tuple[int, ...], own_queries: bool
) -> PaperFacts:
    """Of data as they are searched."""
    best = searched.items[truth.ids[:, 0]]
    best_self = float(np.mean((best == truth.queries).all(axis=1)))
    uneven = bool(some_much_longer(searched.items)) and bool(lengths_of(searched.items).any())
    return PaperFacts(
        searched.name, stands_for, truth.n, searched.d, truth.m, ks, own_queries,
        searched.simulated, best_self, uneven,
    )  # fmt: skip
