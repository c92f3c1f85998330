"""The data sets that are measured: one that is shipped, one that is simulated, two that may lie by.

Vectors of 100,000 words and the ratings of MovieLens ml-latest-small are read from a folder
`../shared/data` beside the project, where it is there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from mips_core import Dataset, Truth, truth_of
from mips_core.data.catalog import shipped
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.ratings import factored, read_ratings
from mips_core.data.simulated import simulated_ratings
from mips_core.studies.wall_clock.judge import Judge, judge_of

SHARED = Path(__file__).parents[2] / "shared/data"
WORDS = SHARED / "words/glove-100d-100k.npy"
RATINGS = SHARED / "ml-latest-small/ratings.csv"
QUERIES = 2000
K = 10  # answers that searches are asked for
MANY_USERS = 60_000


@dataclass(frozen=True, eq=False)
class Measurable:
    """A data set with its queries, and what is asked of searches on it.

    recall: the share of the K answers that searches must find. skewed: whether a few items are
    much longer than the rest, as those of recommenders are.
    """

    dataset: Dataset
    recall: float
    skewed: bool

    @property
    def title(self) -> str:
        """Name and sizes."""
        data = self.dataset
        kind = " (simulated)" if data.simulated else ""
        return f"{data.name}{kind}: {data.n:,} × {data.d}, {data.m:,} queries"

    @property
    def root(self) -> int:
        """The root of the number of items: the usual number of clusters."""
        return round(self.dataset.n**0.5)

    @cached_property
    def truth(self) -> Truth:
        """The true answers."""
        return truth_of(self.dataset)

    @cached_property
    def judge(self) -> Judge:
        """Who says how many answers are right, on queries to choose by and on others to score."""
        return judge_of(self.dataset, self.truth, K)

    def first(self, m: int) -> "Measurable":
        """The same with its first m queries."""
        queries = self.dataset.queries[:m]
        return replace(self, dataset=replace(self.dataset, queries=queries, query_labels=None))


def shipped_words() -> Measurable:
    """20,000 words x 50, shipped; some of them as queries, with noise."""
    return _words(shipped("glove-6b-50d"))


def many_words() -> Measurable | None:
    """100,000 words x 100, where they are at hand."""
    if not WORDS.is_file():
        return None
    return _words(Dataset(np.load(WORDS), name="GloVe 6B 100d words"))


def _words(items: Dataset) -> Measurable:
    recipe = QueryRecipe("noisy", QUERIES, noise=0.1)
    return Measurable(with_queries(items, recipe), recall=0.91, skewed=False)


def real_ratings() -> Measurable | None:
    """PureSVD of MovieLens ml-latest-small, users as queries, where it is at hand."""
    if not RATINGS.is_file():
        return None
    made = factored(read_ratings([RATINGS])).dataset
    return Measurable(replace(made, name="MovieLens small, PureSVD"), recall=0.99, skewed=True)


def simulated() -> Measurable:
    """As many items and dimensions as PureSVD of MovieLens 10M has, and 60,000 simulated users."""
    made = simulated_ratings(n_items=10_677, n_users=MANY_USERS, d=150)
    return Measurable(replace(made, name="MovieLens 10M shape"), recall=0.99, skewed=True)


LOADERS: dict[str, Callable[[], Measurable | None]] = {
    "words": shipped_words,
    "100k-words": many_words,
    "ratings": real_ratings,
    "simulated": simulated,
}
QUICK = ("words",)
