"""Methods held to one speedup without noise, then asked with it (Auvolat et al. 2015, section 5.4).

A method's setting is chosen on one half of the queries, from the first seed's builds. It is then
built with every seed and scored on the other half: queries and seeds vary apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import times
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.precision import mean_precision
from mips_core.evaluation.setting import Setting, index_in_words, position_of
from mips_core.methods.indexes import Index, Searcher
from mips_core.studies.noise import Against, NoisyQueries, UnderNoise, ceiling, under_noise
from mips_core.studies.operating_point import Solved, at_speedup

TO_CHOOSE = 0.85  # share of the work that goes into trying settings


@dataclass(frozen=True, slots=True)
class RobustMethod:
    """The setting of a method at a speedup, and what noise does to it, built with each seed."""

    solved: Solved
    by_seed: tuple[UnderNoise, ...]

    def precision(self, truth: Against) -> Floats:
        """(S,) mean precision@K over seeds."""
        return np.mean([under.precision(truth) for under in self.by_seed], axis=0)

    def half_interval(self, truth: Against) -> Floats:
        """(S,) half the 95% interval over queries of one seed, the mean of all."""
        ends = np.mean([under.interval(truth) for under in self.by_seed], axis=0)
        return np.asarray(ends[:, 1] - ends[:, 0]) / 2

    def seed_range(self, truth: Against) -> Floats:
        """(2, S) least and largest precision@K of a seed."""
        precisions = [under.precision(truth) for under in self.by_seed]
        return np.stack([np.min(precisions, axis=0), np.max(precisions, axis=0)])

    def speedup(self) -> Floats:
        """(S,) n / mean cost over queries and seeds."""
        return 1 / np.mean([1 / under.speedup for under in self.by_seed], axis=0)


def moved_in_words(methods: Sequence[RobustMethod]) -> str:
    """Which methods, asked with the least noise, are over a tenth off their speedup; "" for none.

    They had it on the queries that chose their settings.
    """
    here = [(method.solved, float(method.speedup()[0])) for method in methods]
    moved = [
        f"{solved.setting.index.label} {times(speedup)} in place of {times(solved.speedup)}"
        for solved, speedup in here
        if abs(log(speedup / solved.speedup)) > log(1.1)
    ]
    return f"On the queries that score stand {', '.join(moved)}." if moved else ""


def robustness(
    searched: Dataset,
    noisy: NoisyQueries,
    indexes: Sequence[Index],
    K: int,
    speedup: float,
    seeds: Sequence[int] = (0,),
    progress: Progress = silent,
) -> list[RobustMethod]:
    """Each method among `indexes`, at the best of its settings there for `speedup`, under noise.

    `noisy` comes from noise.noisy_queries. Partial results are tuples of finished methods. Raises
    ParamError for a K out of range, a speedup that is not above 0, or no seed.
    """
    noisy.clean.answers(K)
    if not 0 < speedup < np.inf:
        raise ParamError(f"The speedup is {speedup:g}.", "Ask for a number above 0, such as 30.")
    if not len(seeds):
        raise ParamError("No seed was given.", "Give one or more, such as 0.")
    searched = searched.float32()
    methods: dict[str, list[Index]] = {}
    for index in indexes:
        methods.setdefault(index.key, []).append(index)
    builder = Builder(searched.items, noisy.clean, K)
    done: list[RobustMethod] = []
    for at, tried in enumerate(methods.values()):
        report = span(progress, at / len(methods), (at + 1) / len(methods))
        choosing, scoring = span(report, 0.0, TO_CHOOSE), span(report, TO_CHOOSE, 1.0)
        solved = at_speedup(builder.evaluations(tried, seeds[0], choosing), K, speedup)
        done.append(_scored(searched, noisy, solved, builder, seeds, scoring))
        report(1.0, f"{tried[0].label}: done", tuple(done))
    return done


def _scored(
    searched: Dataset,
    noisy: NoisyQueries,
    solved: Solved,
    builder: Builder,
    seeds: Sequence[int],
    progress: Progress,
) -> RobustMethod:
    """The setting that was solved for, built with every seed and asked with noise."""
    index, by_seed = solved.setting.index, []
    for at, seed in enumerate(seeds):
        report = span(progress, at / len(seeds), (at + 1) / len(seeds))
        searcher = index.searcher(builder.build(index, seed, span(report, 0.0, 0.5)).structure)
        setting = with_seed(solved.setting, seed, searcher)
        fold = folds_of(noisy.m)[1]
        scoring = span(report, 0.5, 1.0)
        by_seed.append(under_noise(setting, searcher, searched, noisy, builder.K, fold, scoring))
    return RobustMethod(solved, tuple(by_seed))


def with_seed(setting: Setting, seed: int, searcher: Searcher) -> Setting:
    """`setting` built with another seed; `searcher` asks that build.

    Builds may differ in the efforts they offer, as in clusters left: see `setting.position_of`.
    """
    efforts = searcher.efforts()
    effort = int(efforts[position_of(setting.effort, efforts)])
    return replace(setting, seed=seed, effort=effort)


def rows(
    dataset: Dataset,
    noisy: NoisyQueries,
    methods: Sequence[RobustMethod],
    speedup: float,
) -> list[dict[str, Any]]:
    """A flat row for tables and CSV of every method on `dataset`, held to `speedup`, seed and σ."""
    return [
        row
        for method in methods
        for under in method.by_seed
        for row in _rows_of(dataset, noisy, method.solved, under, speedup)
    ]


def _rows_of(
    dataset: Dataset, noisy: NoisyQueries, solved: Solved, under: UnderNoise, speedup: float
) -> list[dict[str, Any]]:
    K, index = under.K, under.setting.index
    fold = folds_of(noisy.m)[1]
    best = mean_precision(ceiling(noisy, K, fold))
    precision = {truth: under.precision(truth) for truth in under.histograms}
    interval = {truth: under.interval(truth) for truth in under.histograms}
    return [
        {
            "method": index.label,
            "setting": index_in_words(index, noisy.n),
            "seed": under.setting.seed,
            "effort": under.setting.effort,
            "effort_counts": index.effort_nouns[1],
            "speedup_asked": speedup,
            "held_to_it": "reached" if solved.reached else "not reached: nearest",
            "sigma": float(noisy.absolute[at]),
            "sigma_in_rms": float(noisy.relative[at]),
            "rms": noisy.rms,
            "speedup": float(under.speedup[at]),
            f"precision@{K}": float(precision["noisy"][at]),
            "low_95": float(interval["noisy"][at, 0]),
            "high_95": float(interval["noisy"][at, 1]),
            f"clean_precision@{K}": float(precision["clean"][at]),
            "clean_low_95": float(interval["clean"][at, 0]),
            "clean_high_95": float(interval["clean"][at, 1]),
            "clean_ceiling": float(best[at]),
            "queries": under.m,
            "data": dataset.name,
            "metric": dataset.metric,
            "simulated": dataset.simulated,
        }
        for at in range(len(noisy.sigmas))
    ]
