"""Settings tried on samples of many items first, so that few of them are built on all items.

Successive halving (Jamieson and Talwalkar, "Non-stochastic best arm identification and
hyperparameter optimization", AISTATS 2016), with items in place of time: all settings are tried on
a small sample, the likeliest on a larger one, and the likeliest there are named. Main parameters
follow the number of items as the grids do (`power_law.index_for`), and what a method costs is taken
to grow from the larger sample on as it did between the two.

Only queries that choose are asked, never those that judge: what is built on all items, and tested
there, was chosen without them, so that a test promises what it would with those settings alone.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import inf, log

import numpy as np

from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.data.rankable import queries_evaluated
from mips_core.evaluation.builder import Builder, Tried
from mips_core.evaluation.evaluate import folds_of, rows_of
from mips_core.evaluation.setting import index_in_words
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.studies.best_of_method import best_of_method
from mips_core.studies.growth.power_law import index_for
from mips_core.studies.tuning.field import FoldPoints
from mips_core.studies.tuning.trials import BOTH_ENDS, Budget, Need

SAMPLES = (10_000, 100_000)  # items
KEPT = (16, 8)  # structures that go on from each sample, with all settings that share them
OF_A_CURVE = 3  # structures of a method that its best is first drawn from
OF_A_METHOD = 8  # of these at most: what is next to the best on a sample may be best on all items
USUAL_POWER = 0.5  # of n in the cost, before it is measured, and where the goal was not reached
USUAL_PRECISION = 0.9  # at which growth is measured where a budget is given


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """A setting of all n items, and what its like did on a sample of `size` items."""

    index: Index
    size: int
    tried: Tried


def likeliest(
    dataset: Dataset,
    indexes: Sequence[Index],
    K: int,
    goal: Need | Budget,
    seed: int = 0,
    progress: Progress = silent,
) -> list[Index]:
    """Of `indexes` those of 8 structures, the likeliest to serve `goal` on all items first.

    Those that share a structure stand side by side. Raises as `truth_of` does.
    """
    choosing = _choosing(dataset)
    every, going_on = list[Sampled](), list(indexes)
    for at, (size, kept) in enumerate(zip(SAMPLES, KEPT, strict=True)):
        part = span(progress, 0.5 * at, 0.5 * (at + 1))
        here = on_sample(choosing, going_on, K, size, seed, part)
        every += here
        powers = growth_of_methods(every, K, goal)
        here.sort(key=lambda one: _merit(one, dataset.n, K, goal, powers[one.index.key]))
        going_on = _first_structures([one.index for one in here], kept)
    return going_on


def most_used(
    dataset: Dataset,
    indexes: Sequence[Index],
    K: int,
    seed: int = 0,
    progress: Progress = silent,
) -> list[Index]:
    """Of `indexes`, of one method, those that make up most of its best on the larger sample.

    They have one of 3 structures, those first that serve most steps of speedup; settings that share
    one stand side by side. Raises as `truth_of` does.
    """
    sampled = on_sample(_choosing(dataset), indexes, K, SAMPLES[-1], seed, progress)
    points = best_of_method([one.tried.evaluation for one in sampled], K)
    served = Counter(setting.index for point in points for setting in point.settings)
    steps = {one.index: served[one.tried.evaluation.index] for one in sampled}
    of_structure = Counter[Hashable]()
    for index, count in steps.items():
        of_structure[index.structure_key()] += count
    used = [index for index in indexes if steps[index]]
    used.sort(key=lambda index: (-of_structure[index.structure_key()], -steps[index]))
    return _first_structures(used, OF_A_CURVE)


def on_sample(
    dataset: Dataset,
    indexes: Sequence[Index],
    K: int,
    size: int,
    seed: int = 0,
    progress: Progress = silent,
) -> list[Sampled]:
    """What `indexes` of all items of `dataset` do on a sample of `size` items, asked all queries.

    Settings of one structure should stand side by side. Raises as `truth_of` does.
    """
    sample = sample_of(dataset, size, seed)
    where = f"sample of {counted(sample.n, 'item', 'items')}"
    progress(0.0, where)
    builder = Builder(sample.items, truth_of(sample), K)
    results: list[Sampled] = []
    for at, index in enumerate(indexes):
        like = index_for(index.explicit(dataset.n), dataset.n, sample.n, dataset.d)
        progress(at / len(indexes), f"{where}: {like.label}, {index_in_words(like, sample.n)}")
        results.append(Sampled(index, sample.n, builder.tried(like, seed)))
    progress(1.0, f"{where}: {counted(len(indexes), 'setting', 'settings')} tried")
    return results


def sample_of(dataset: Dataset, size: int, seed: int) -> Dataset:
    """So many items of `dataset`, drawn with `seed`, with all its queries."""
    rows = sample_rows(rng_for(seed, "sample of items"), dataset.n, size)
    own = dataset.query_rows
    if own is not None:
        places = np.minimum(np.searchsorted(rows, own), len(rows) - 1)
        own = np.where(rows[places] == own, places, -1)
    items = np.ascontiguousarray(dataset.items[rows])
    return replace(dataset, items=items, query_rows=own, labels=None, rows=None)


def _choosing(dataset: Dataset) -> Dataset:
    """`dataset` with the queries alone that choose among settings."""
    asked = np.flatnonzero(queries_evaluated(dataset.queries))
    asked = asked[rows_of(folds_of(len(asked))[0])]
    own = None if dataset.query_rows is None else dataset.query_rows[asked]
    queries = np.ascontiguousarray(dataset.queries[asked])
    return replace(dataset, queries=queries, query_rows=own, query_labels=None)


def growth_of_methods(every: Sequence[Sampled], K: int, goal: Need | Budget) -> dict[str, float]:
    """Key of a method -> power of the number of items with which its least cost grows, 0 to 1.

    From the smallest to the largest of its samples; a usual one where it is not known.
    """
    need = goal if isinstance(goal, Need) else Need(USUAL_PRECISION, BOTH_ENDS)
    least: dict[str, dict[int, float]] = {}
    for one in every:
        sizes = least.setdefault(one.index.key, {})
        sizes[one.size] = min(sizes.get(one.size, inf), _least_cost(one, K, need))
    return {key: _power(sizes) for key, sizes in least.items()}


def _power(costs: dict[int, float]) -> float:
    (first, before), (last, after) = min(costs.items()), max(costs.items())
    if first == last or not np.isfinite([before, after]).all():
        return USUAL_POWER
    return float(np.clip(log(after / before) / log(last / first), 0.0, 1.0))


def _least_cost(one: Sampled, K: int, need: Need) -> float:
    """Inner products a query at the cheapest effort that reaches `need`; inf where none does."""
    points = FoldPoints.on([one.tried], K, None, need.confidence)
    return float(points.cost[points.lower >= need.precision].min(initial=inf))


def _merit(one: Sampled, n: int, K: int, goal: Need | Budget, power: float) -> tuple[float, float]:
    """What sorts a setting, the least first.

    By cost on n items, and by precision where the goal is not reached; of a budget the reverse.
    """
    times = n / one.size
    confidence = goal.confidence if isinstance(goal, Need) else BOTH_ENDS
    points = FoldPoints.on([one.tried], K, None, confidence)
    cost = points.cost * times**power
    if isinstance(goal, Need):
        reached = points.lower >= goal.precision
        return float(cost[reached].min(initial=inf)), -float(points.lower.max())
    fits = cost <= (goal.inner_products or inf)
    grown = times * one.tried.bytes <= (goal.bytes or inf)
    if not grown or times * one.tried.seconds > (goal.seconds or inf) or not fits.any():
        return inf, float(cost.min())
    best = float(points.precision[fits].max())
    return -best, float(cost[fits & (points.precision == best)].min())


def _first_structures(indexes: Sequence[Index], most: int) -> list[Index]:
    """Of `indexes`, best first, those of the first structures; side by side where they share one.

    Of one method no more than eight structures.
    """
    groups: dict[Hashable, list[Index]] = {}
    for index in indexes:
        key = index.structure_key()
        of_method = sum(group[0].key == index.key for group in groups.values())
        if key in groups or (len(groups) < most and of_method < OF_A_METHOD):
            groups.setdefault(key, []).append(index)
    return [index for group in groups.values() for index in group]
