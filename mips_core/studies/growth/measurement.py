"""Building and asking one index on samples of the items of growing size."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.base.byte_size import byte_size
from mips_core.base.errors import DataError, ParamError
from mips_core.base.limits import MAX_K
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for, row_hashes
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import built
from mips_core.evaluation.evaluate import Evaluation, evaluate, folds_of
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.studies.growth.power_law import index_for
from mips_core.studies.growth.scaling import ScalePoint, Scaling
from mips_core.studies.operating_point import at_precision

FRACTIONS = (1 / 8, 1 / 4, 1 / 2, 1)
FEWEST_ITEMS = 1_000
MOST_BUILDS = 3
LONG = 2.0  # seconds of a build, clock and processors together, that is timed once


def measure_scaling(
    dataset: Dataset,
    setting: Setting,
    K: int,
    precision: float,
    fractions: Sequence[float] = FRACTIONS,
    progress: Progress = silent,
) -> Scaling:
    """Build the index of `setting`, sized to fit, on each of `fractions` of the items; ask it.

    Each sample holds the smaller ones, and is drawn by the seed of the setting, as the builds are.
    The effort is chosen anew at each size: the cheapest that reaches precision@K on one half of
    the queries; what it costs is measured on the other half. The queries stay the same; one that
    must not find its own row is kept from it where the sample holds it. Each report holds
    the Scaling so far. Raises DataError for fewer than FEWEST_ITEMS items, ParamError for a
    precision, K or fraction out of range.
    """
    dataset = dataset.float32()
    _check(dataset, K, precision, fractions)
    samples = samples_of(dataset, setting.seed, fractions)
    lengths = [len(samples[0]), *map(len, samples)]
    ends = (np.cumsum(lengths) / sum(lengths)).tolist()
    scaling = Scaling(dataset.name, dataset.simulated, dataset.d, K, precision, ())
    index = index_for(setting.index, dataset.n, lengths[0], dataset.d)
    untimed = span(_with(scaling, progress), 0.0, ends[0])  # it loads what is compiled
    built(index, sampled(dataset, samples[0]).items, setting.seed, untimed)
    for rows, (start, stop) in zip(samples, pairwise(ends), strict=True):
        part = span(_with(scaling, progress), start, stop)
        point = _measured(dataset, setting, rows, K, precision, part)
        scaling = replace(scaling, sizes=(*scaling.sizes, point))
        progress(stop, f"{point.n:,} items measured", scaling)
    return scaling


def _with(scaling: Scaling, progress: Progress) -> Progress:
    """Report what was found so far, in place of what a build has to show."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        progress(fraction, message, scaling)

    return report


def _check(dataset: Dataset, K: int, precision: float, fractions: Sequence[float]) -> None:
    if dataset.n < FEWEST_ITEMS:
        raise DataError(
            f"{dataset.name} holds {counted(dataset.n, 'item', 'items')}: too few to tell growth.",
            f"It takes {FEWEST_ITEMS:,} or more.",
        )
    if not 1 <= K <= MAX_K:
        raise ParamError(f"K is {K}, outside 1 to {MAX_K}.", "Ask for fewer answers.")
    if not 0 < precision <= 1:
        raise ParamError(f"The precision is {precision:g}.", "Give a share above 0, up to 1.")
    if not fractions or not all(0 < fraction <= 1 for fraction in fractions):
        raise ParamError("A fraction is outside 0 to 1.", "Give parts of the items, such as 0.5.")


def samples_of(dataset: Dataset, seed: int, fractions: Sequence[float]) -> list[Ids]:
    """Row numbers of each sample, ascending; the smallest sample first, each within the next."""
    order = np.argsort(row_hashes(rng_for(seed, "scaling"), dataset.n), kind="stable")
    sizes = sorted({max(round(dataset.n * fraction), 1) for fraction in fractions})
    return [np.sort(order[:size]) for size in sizes]


def sampled(dataset: Dataset, rows: Ids) -> Dataset:
    """`dataset` with these items alone and all its queries."""
    own = dataset.query_rows
    if own is not None:
        place = np.full(dataset.n + 1, -1, np.int64)  # the last entry is where -1 leads
        place[rows] = np.arange(len(rows))
        own = place[own]
    name = f"{dataset.name} ({len(rows):,} items)"
    return replace(dataset, items=dataset.items[rows], query_rows=own, labels=None, name=name)


def _measured(
    dataset: Dataset, setting: Setting, rows: Ids, K: int, precision: float, progress: Progress
) -> ScalePoint:
    part = sampled(dataset, rows)
    index = index_for(setting.index, dataset.n, part.n, part.d)
    structure, spent = _timed_build(index, part, setting.seed, span(progress, 0.0, 0.7))
    truth = truth_of(part, span(progress, 0.7, 0.8))
    searcher = index.searcher(structure)
    evaluation = evaluate(index, searcher, truth, setting.seed, span(progress, 0.8, 1.0), K)
    return _point(evaluation, K, precision, spent, byte_size(structure))


def _timed_build(
    index: Index, part: Dataset, seed: int, progress: Progress
) -> tuple[Any, tuple[float, float]]:
    """The structure, and seconds by the clock and of processors: the least of a few short builds.

    Other work comes between them, which is not the build's.
    """
    spent: list[tuple[float, float]] = []
    while not spent or (len(spent) < MOST_BUILDS and sum(spent[-1]) < LONG):
        cpu = process_time()
        build = built(index, part.items, seed, span(progress, 1.0, 1.0) if spent else progress)
        spent.append((build.seconds, process_time() - cpu))
    return build.structure, (min(wall for wall, _ in spent), min(cpu for _, cpu in spent))


def _point(
    evaluation: Evaluation, K: int, precision: float, spent: tuple[float, float], size: int
) -> ScalePoint:
    solved = at_precision([evaluation], K, precision)
    curve = evaluation.curve((K,), folds_of(evaluation.truth.m)[1])
    at = int(np.searchsorted(evaluation.efforts, solved.setting.effort))
    low, high = curve.interval(K)[at].tolist()
    return ScalePoint(
        n=curve.n,
        setting=solved.setting,
        m=curve.m,
        cost=float(curve.mean_cost[at]),
        precision=float(curve.precision(K)[at]),
        interval=(low, high),
        seconds=spent[1],
        wall_seconds=spent[0],
        bytes=size,
        reached=solved.reached,
    )
