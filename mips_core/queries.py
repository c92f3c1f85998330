"""How the queries of a data set are made: sampled, sampled with noise, or those it came with."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mips_core.arrays import Ids, Matrix
from mips_core.dataset import Dataset
from mips_core.errors import DataError
from mips_core.params import check, param
from mips_core.seeds import rng_for, sample_rows

Source = Literal["rows", "noisy", "own"]


@dataclass(frozen=True)
class QueryRecipe:
    """Which queries to ask, and whether a query may find the item it was taken from."""

    source: Source = param(
        "rows",
        "Where queries come from",
        "rows: a seeded sample of the items. noisy: the same, with Gaussian noise on every entry. "
        "own: the queries or users that came with the data.",
        choices=("rows", "noisy", "own"),
    )
    count: int = param(
        500,
        "Queries",
        "More give narrower intervals: four times as many halve them.",
        low=1,
        high=100_000,
    )
    noise: float = param(
        0.1,
        "Noise",
        "Standard deviation of the noise, as a multiple of the items' rms entry.",
        low=0.0,
        high=10.0,
    )
    exclude_self: bool = param(
        False,
        "Leave out a query's own row",
        "A query sampled from the items is often its own best match. yes: its own row does not "
        "count as an answer.",
    )
    seed: int = param(
        0, "Seed", "Fixes which queries are drawn, and their noise.", low=0, high=2**31
    )

    def __post_init__(self) -> None:
        check(self)


def default_recipe(dataset: Dataset, seed: int = 0) -> QueryRecipe:
    """The data set's own queries where it has some, else a sample of its rows."""
    return QueryRecipe(source="own" if dataset.m else "rows", seed=seed)


def with_queries(dataset: Dataset, recipe: QueryRecipe) -> Dataset:
    """`dataset` with the queries `recipe` asks for; fewer where fewer exist.

    Raises DataError when its own queries are wanted and there are none.
    """
    if recipe.source == "own":
        if dataset.m == 0:
            raise DataError(
                f"{dataset.name} came without queries.", "Sample them from its items instead."
            )
        chosen = sample_rows(rng_for(recipe.seed, "queries"), dataset.m, recipe.count)
        rows = None if dataset.query_rows is None else dataset.query_rows[chosen]
        return replace(dataset, queries=dataset.queries[chosen], query_rows=rows)
    chosen = sample_rows(rng_for(recipe.seed, "queries"), dataset.n, recipe.count)
    queries = dataset.items[chosen]
    if recipe.source == "noisy":
        queries = _with_noise(queries, recipe.noise * rms(dataset.items), recipe.seed)
    excluded: Ids | None = chosen if recipe.exclude_self else None
    return replace(dataset, queries=queries, query_rows=excluded)


def rms(X: Matrix) -> float:
    """Root mean square of the entries of X (n, d)."""
    return float(np.sqrt(np.mean(np.square(X, dtype=np.float64))))


def _with_noise(Q: Matrix, sigma: float, seed: int) -> Matrix:
    noise = rng_for(seed, "query noise").standard_normal(Q.shape)
    return (Q + sigma * noise).astype(np.float32)
