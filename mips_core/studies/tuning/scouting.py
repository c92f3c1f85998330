"""Settings tried on samples of many items first, so that few of them are built on all items.

Successive halving (Jamieson and Talwalkar, "Non-stochastic best arm identification and
hyperparameter optimization", AISTATS 2016), with items in place of time: all settings are tried on
a small sample, the likeliest on a larger one, and the likeliest there are named. What seems far
behind the best of all goes at once, with its whole method often, and that is told. Main parameters
follow the number of items as the grids do (`power_law.index_for`), and what a method costs is taken
to grow from the larger sample on as it did between the two.

Only queries that choose are asked, never those that judge: what is built on all items, and tested
there, was chosen without them, so that a test promises what it would with those settings alone.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.data.rankable import queries_evaluated
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import folds_of, rows_of
from mips_core.evaluation.setting import index_in_words
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.studies.best_of_method import best_of_method
from mips_core.studies.forecast import forecast
from mips_core.studies.growth.power_law import index_for
from mips_core.studies.tuning.standing import (
    Omission,
    Sampled,
    Standing,
    contenders,
    growth_of_methods,
    left_out,
)
from mips_core.studies.tuning.trials import Budget, Need

SAMPLES = (10_000, 100_000)  # items
KEPT = (16, 8)  # structures that go on from each sample, with all settings that share them
OF_A_CURVE = 3  # structures of a method that its best is first drawn from
OF_A_METHOD = 8  # of these at most: what is next to the best on a sample may be best on all items
EACH = 2  # of every method that may still be best, beside these
WORK = 250  # multiplications a number and fourth root of items: of all kept structures, the mean


@dataclass(frozen=True, slots=True)
class Scouted:
    """What samples name of many settings, the likeliest first, and the methods they name none of.

    Those that share a structure stand side by side.
    """

    indexes: tuple[Index, ...]
    left_out: tuple[Omission, ...]


def likeliest(
    dataset: Dataset,
    indexes: Sequence[Index],
    K: int,
    goal: Need | Budget,
    seed: int = 0,
    progress: Progress = silent,
) -> Scouted:
    """Of `indexes` those of few structures, the likeliest to serve `goal` on all items.

    8, and more where a method that may still be best has none or one of these. After each sample
    goes what seems far behind the best on all items, and what takes too long to build beside it.
    Raises as `truth_of` does, and ParamError for no index.
    """
    if not indexes:
        raise ParamError("No setting was tried.", "Give one method or more.")
    choosing, (n, d) = _choosing(dataset), dataset.items.shape
    every, going_on, gone = list[Sampled](), list(indexes), list[Omission]()
    for at, (size, kept) in enumerate(zip(SAMPLES, KEPT, strict=True)):
        part = span(progress, 0.5 * at, 0.5 * (at + 1))
        here = on_sample(choosing, going_on, as_near(K, size, n), size, seed, part)
        every += here
        powers = growth_of_methods(every, goal)
        stand = [Standing.of(one, n, goal, powers[one.index.key]) for one in here]
        near = [one.index for one in contenders(stand)]
        going_on, slow = _affordable(near, kept, n, d)
        left = list(left_out(stand, going_on, here[0].size, goal, slow))
        gone += left
        if left:
            part(1.0, f"left out after {size:,} items: {', '.join(one.in_words() for one in left)}")
    return Scouted(tuple(going_on), tuple(gone))


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
        name = f"{where}: {like.label}, {index_in_words(like, sample.n)}"
        part = span(progress, at / len(indexes), (at + 1) / len(indexes))
        part(0.0, name)
        results.append(Sampled(index, sample.n, K, builder.tried(like, seed, said_of(name, part))))
    progress(1.0, f"{where}: {counted(len(indexes), 'setting', 'settings')} tried")
    return results


def as_near(K: int, size: int, n: int) -> int:
    """How many answers on a sample of `size` tell of K answers among n items.

    The K best of a tenth of the items are the 10 K best of all, about: they lie farther off, which
    is harder, for some settings more than for others. A tenth of K would lie as near as the K best
    of all do, but so few tell little: the geometric mean of both.
    """
    return max(round(K * min(size / n, 1.0) ** 0.5), 1)


def said_of(name: str, progress: Progress) -> Progress:
    """What a setting reports, with its name; partial results are answers alone."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        progress(fraction, f"{name}: {message}")

    return report


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


def _affordable(
    indexes: Sequence[Index], most: int, n: int, d: int
) -> tuple[list[Index], dict[str, float]]:
    """Of `indexes`, best first, those of the first structures that are built in bounded time.

    And the seconds that the structure takes which was the first of its method to be too much. What
    is chosen follows from counted work, not from the speed of the machine. The very first is built
    whatever it takes, and takes no room from the others where there was not enough for it.
    """
    left, chosen, slow = room(n, d, most), list[Index](), dict[str, float]()
    for index in _first_structures(indexes, most, EACH):
        shared = chosen and chosen[-1].structure_key() == index.structure_key()
        takes = forecast(index, n, d)
        if not shared and takes.work <= left:
            left -= takes.work
        elif not shared and chosen:
            slow.setdefault(index.key, takes.seconds)
            continue
        chosen.append(index)
    return chosen, slow


def first_affordable(indexes: Sequence[Index], most: int, n: int, d: int) -> list[Index]:
    """Of `indexes` the first that are built in the room of `most`, no more than that."""
    left, chosen = room(n, d, most), list[Index]()
    for index in indexes:
        work = forecast(index, n, d).work
        if work <= left and len(chosen) < most:
            left -= work
            chosen.append(index)
    return chosen


def room(n: int, d: int, structures: int) -> float:
    """Multiplications that building so many structures of n items may take in all.

    It grows as k-means in groups does, whose clusters grow as the root of the items. Counted
    at 1,000,000 items, in multiplications a number: eight structures of flat and hierarchical
    k-means take 46,000 in the mean and 58,000 at most, with samples about 54,000. The room of eight
    is 63,000; with 13,000 of the larger sample and 22,000 of all methods on the smaller, 98,000 at
    most, unless the very first exceeds the room: less than twice as much.
    """
    return WORK * n**0.25 * structures * n * d


def _first_structures(indexes: Sequence[Index], most: int, each: int = 0) -> list[Index]:
    """Of `indexes`, best first, those of the first structures; side by side where they share one.

    And of the first `each` of every method, but of no method more than eight.
    """
    groups: dict[Hashable, list[Index]] = {}
    for index in indexes:
        key = index.structure_key()
        of_method = sum(group[0].key == index.key for group in groups.values())
        new = of_method < OF_A_METHOD and (len(groups) < most or of_method < each)
        if key in groups or new:
            groups.setdefault(key, []).append(index)
    return [index for group in groups.values() for index in group]
