"""How the queries of a data set are made: sampled, sampled with noise, or those it came with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.params import check, param
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.data.classifier import layer_queries
from mips_core.data.dataset import Dataset

QuerySource = Literal["rows", "noisy", "own"]


@dataclass(frozen=True)
class QueryRecipe:
    """Which queries to ask, and whether a query may find the item it was taken from."""

    source: QuerySource = param(
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
        within=(1, 100_000),
    )
    noise: float = param(
        0.1,
        "Noise",
        "Standard deviation of the noise, as a multiple of the items' rms entry.",
        within=(0.0, 10.0),
    )
    exclude_self: bool = param(
        False,
        "Leave out a query's own row",
        "A query sampled from the items is often its own best match. yes: its own row does not "
        "count as an answer.",
    )
    seed: int = param(
        0, "Seed", "Fixes which queries are drawn, and their noise.", within=(0, 2**31)
    )

    def __post_init__(self) -> None:
        check(self)


def default_recipe(dataset: Dataset, seed: int = 0) -> QueryRecipe:
    """The data set's own queries where it has some, else a sample of its rows."""
    return QueryRecipe(source="own" if dataset.m else "rows", seed=seed)


def with_queries(dataset: Dataset, recipe: QueryRecipe) -> Dataset:
    """`dataset` with the queries `recipe` asks for, float32 but for items of float16.

    Fewer where fewer exist.

    Come before `metrics.searched_by`: noise belongs on the vectors as they were read. A class
    [w, b] of a softmax layer is asked as [w, 1]. Raises DataError when its own queries are wanted
    and there are none, or nothing is left to find; ParamError when they would be sampled from
    items converted for another metric.
    """
    dataset = dataset.float32_or_16()
    if recipe.source == "own":
        return _own(dataset, recipe)
    if dataset.metric != "inner product":
        raise ParamError(
            f"The items of {dataset.name} are converted for another metric.",
            "Sample queries from the vectors as they were read.",
        )
    if recipe.exclude_self and dataset.n == 1:
        raise DataError(
            f"{dataset.name} holds one vector: without its own row a query has no answer.",
            "Let queries find their own row.",
        )
    rows = sample_rows(rng_for(recipe.seed, "queries"), dataset.n, recipe.count)
    hidden = dataset.items[:, :-1] if dataset.logits else dataset.items
    queries = hidden[rows].astype(np.float32, copy=False)
    if recipe.source == "noisy":
        noise = rng_for(recipe.seed, "query noise").standard_normal(queries.shape)
        queries = (queries + recipe.noise * rms(hidden) * noise).astype(np.float32)
    return replace(
        dataset,
        queries=layer_queries(queries) if dataset.logits else queries,
        query_rows=rows if recipe.exclude_self else None,
        query_labels=_picked(dataset.labels, rows),
    )


def _own(dataset: Dataset, recipe: QueryRecipe) -> Dataset:
    if dataset.m == 0:
        raise DataError(
            f"{dataset.name} came without queries.", "Sample them from its items instead."
        )
    rows = sample_rows(rng_for(recipe.seed, "queries"), dataset.m, recipe.count)
    return replace(
        dataset,
        queries=dataset.queries[rows],
        query_rows=None if dataset.query_rows is None else dataset.query_rows[rows],
        query_labels=_picked(dataset.query_labels, rows),
    )


def _picked(labels: Sequence[str] | None, rows: Ids) -> tuple[str, ...] | None:
    return None if labels is None else tuple(labels[row] for row in rows)


SQUARED = 2**20  # numbers squared at once, in float64


def rms(X: Matrix) -> float:
    """Root mean square of the entries of X (n, d)."""
    return float(np.sqrt(_sum_of_squares(X.reshape(-1)) / X.size)) if X.size else float("nan")


def _sum_of_squares(x: Matrix) -> np.float64:
    """The sum of x² (n,), with the bits that numpy.sum has of all squares at once.

    It adds halves of halves, cut at multiples of 8, down to a few numbers: so do we, down to what
    is squared at once.
    """
    if len(x) <= SQUARED:
        return np.add.reduce(np.square(x, dtype=np.float64))
    half = len(x) // 2 // 8 * 8
    return _sum_of_squares(x[:half]) + _sum_of_squares(x[half:])
