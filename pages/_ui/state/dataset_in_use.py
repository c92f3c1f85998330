"""What is searched: a data set with the queries of a recipe, as a metric wants both; made once."""

from dataclasses import replace

from mips_core import Dataset, MipsError
from mips_core.data.dataset import Metric
from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from pages._ui.work import earlier, results
from pages._ui.work.task import items_name


def searched(source: Dataset, recipe: QueryRecipe, metric: Metric = "inner product") -> Dataset:
    """`source` with its queries, searched by `metric`; made once. Raises MipsError as those do."""
    kept = source.items.dtype.char  # float16 has the fingerprint of its float32 copy
    name = ("dataset", items_name(source), kept, source.query_fingerprint, recipe, metric)
    dataset: Dataset | None = results.recall(name)
    same = dataset and (dataset.labels is source.labels and dataset.name == source.name)
    if dataset is None or not same:
        with results.making():
            dataset = searched_by(with_queries(source, recipe), metric)
            if metric != "inner product":
                dataset = _sharing_items(dataset, items_name(source))
                earlier.belongs(dataset.fingerprint, source.fingerprint)
            results.remember(name, dataset)
    return dataset


def possible(source: Dataset, recipe: QueryRecipe, metric: Metric) -> Metric:
    """`metric`, or the inner product where `source` cannot be searched by it."""
    try:
        searched(source, recipe, metric)
    except MipsError:
        return "inner product"
    return metric


def possible_recipe(source: Dataset, recipe: QueryRecipe) -> QueryRecipe:
    """`recipe`, or the nearest to it that asks `source` for queries it has, with an answer."""
    if recipe.source == "own" and source.m == 0:
        recipe = replace(recipe, source="rows")
    if source.n == 1 and recipe.exclude_self:  # nothing would be left to find
        recipe = replace(recipe, exclude_self=False)
    return recipe


def _sharing_items(converted: Dataset, source: str) -> Dataset:
    """The same with the items converted for an earlier recipe: they do not depend on queries."""
    name = ("converted", source, converted.metric)
    items = results.recall(name)
    if items is None:
        results.remember(name, converted.items)
        return converted
    return replace(converted, items=items)
