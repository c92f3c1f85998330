"""Two methods, each set on half of the queries, then built with several seeds and scored.

Settings are chosen with the first seed, on the choosing half (`evaluate.folds_of`), and scored on
the other half with every seed: a build can be lucky, and so can a choice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import Evaluation, folds_of, rows_of
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.setting import Setting, position_of
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.studies.comparison.paired import Difference, difference
from mips_core.studies.operating_point import NEAR, Solved, at_precision, at_speedup

SEEDS = (0, 1, 2)
Solve = Callable[[Sequence[Evaluation]], Solved]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBuilds:
    """A setting built with several seeds, on the queries it was not chosen on.

    hits: (m,) of K answers, one array for each build. A build that lacks the effort of the setting
    is asked at the next smaller one, or at its smallest.
    """

    setting: Setting
    K: int
    seeds: tuple[int, ...]
    efforts: tuple[int, ...]
    speedups: tuple[float, ...]
    hits: tuple[Ids, ...]

    @property
    def m(self) -> int:
        """Number of queries."""
        return len(self.hits[0])

    @property
    def intervals(self) -> Floats:
        """(S, 2) the interval over queries of each of `precisions`."""
        histograms = [np.bincount(hits, minlength=self.K + 1) for hits in self.hits]
        return precision_interval(np.stack(histograms))

    @property
    def precisions(self) -> tuple[float, ...]:
        """The mean precision@K of each build."""
        return tuple(float(hits.mean()) / self.K for hits in self.hits)


def scored(evaluations: Sequence[Evaluation], setting: Setting, K: int) -> ScoredBuilds:
    """What builds of setting.index, one for each seed, find of K answers and what they save."""
    truth = evaluations[0].truth
    fold = folds_of(truth.m)[1]
    builds = [(one, position_of(setting.effort, one.efforts)) for one in evaluations]
    return ScoredBuilds(
        setting,
        truth.answers(K),
        tuple(one.seed for one in evaluations),
        tuple(int(one.efforts[at]) for one, at in builds),
        tuple(float(one.curve((K,), fold).speedup[at]) for one, at in builds),
        tuple(one.hits(K, at, fold) for one, at in builds),
    )


def as_set(evaluation: Evaluation, effort: int, K: int) -> Solved:
    """A setting that is given, as `at_speedup` has those it chooses; it is what was asked for."""
    curve = evaluation.curve((K,), folds_of(evaluation.truth.m)[0])
    at = position_of(effort, evaluation.efforts)
    setting = Setting(evaluation.index, evaluation.seed, int(evaluation.efforts[at]))
    return Solved(setting, float(curve.speedup[at]), float(curve.precision(K)[at]), reached=True)


def rival_of(given: Solved, evaluations: Sequence[Evaluation], K: int) -> Solved:
    """The most precise of `evaluations` that saves at least as much as a setting that is given."""
    return at_speedup(evaluations, K, given.speedup / NEAR[0])


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Both methods as they were set, what they reach with every seed, and how far they are apart.

    m_choosing queries chose the settings; `split` tells whether those that score are others.
    """

    n: int
    m_choosing: int
    split: bool
    solved: tuple[Solved, Solved]
    scored: tuple[ScoredBuilds, ScoredBuilds]
    difference: Difference

    @property
    def reached(self) -> bool:
        """Whether both methods have what was asked of them."""
        return all(one.reached for one in self.solved)


def compare_at_speedup(
    dataset: Dataset,
    first: Sequence[Index],
    second: Sequence[Index],
    K: int,
    speedup: float,
    seeds: Sequence[int] = SEEDS,
    progress: Progress = silent,
) -> Compared:
    """The most precise of `first` and of `second` at about `speedup`, held against each other.

    `dataset` as it is searched. Raises ParamError for K or a speedup out of range and where there
    is no index or no seed; DataError where there is no query.
    """
    if not 0 < speedup < inf:
        raise ParamError(f"The speedup is {speedup:g}.", "Give a number above 0.")

    def solve(evaluations: Sequence[Evaluation]) -> Solved:
        return at_speedup(evaluations, K, speedup)

    return _compare(dataset, (first, second), K, solve, seeds, progress)


def compare_at_precision(
    dataset: Dataset,
    first: Sequence[Index],
    second: Sequence[Index],
    K: int,
    precision: float,
    seeds: Sequence[int] = SEEDS,
    progress: Progress = silent,
) -> Compared:
    """The cheapest of `first` and of `second` with at least `precision`; as `compare_at_speedup`.

    Raises ParamError for a precision outside 0 to 1 too.
    """
    if not 0 <= precision <= 1:
        raise ParamError(f"The precision is {precision:g}.", "Give a share from 0 to 1.")

    def solve(evaluations: Sequence[Evaluation]) -> Solved:
        return at_precision(evaluations, K, precision)

    return _compare(dataset, (first, second), K, solve, seeds, progress)


def _compare(
    dataset: Dataset,
    methods: tuple[Sequence[Index], Sequence[Index]],
    K: int,
    solve: Solve,
    seeds: Sequence[int],
    progress: Progress,
) -> Compared:
    if not (all(methods) and seeds):
        raise ParamError("There is nothing to compare.", "Give an index of each, and a seed.")
    dataset, seeds = dataset.float32(), tuple(dict.fromkeys(seeds))
    truth = truth_of(dataset, span(progress, 0.0, 0.05))
    truth.answers(K)  # a K out of range is told before anything is built
    builder = Builder(dataset.items, truth, K)
    tries = [len(grid) + len(seeds) - 1 for grid in methods]
    shares = np.cumsum([0.05, *(0.95 * np.array(tries) / sum(tries))])
    solved, results = [], []
    for grid, (start, stop) in zip(methods, pairwise(shares.tolist()), strict=True):
        choice, builds = _set(builder, grid, solve, seeds, span(progress, start, stop))
        solved.append(choice)
        results.append(builds)
    return compared((solved[0], solved[1]), (results[0], results[1]), K)


def compared(
    solved: tuple[Solved, Solved],
    builds: tuple[Sequence[Evaluation], Sequence[Evaluation]],
    K: int,
) -> Compared:
    """What was chosen of two methods, held against each other over one or more `builds` of each."""
    first, second = (
        scored(one, choice.setting, K) for one, choice in zip(builds, solved, strict=True)
    )
    truth = builds[0][0].truth
    choosing, scoring = folds_of(truth.m)
    return Compared(
        n=truth.n,
        m_choosing=len(range(truth.m)[rows_of(choosing)]),
        split=choosing != scoring,
        solved=solved,
        scored=(first, second),
        difference=difference(first.hits, second.hits, first.K),
    )


def _set(
    builder: Builder,
    grid: Sequence[Index],
    solve: Solve,
    seeds: Sequence[int],
    progress: Progress,
) -> tuple[Solved, list[Evaluation]]:
    """What is chosen of `grid` with the first seed, and its builds with every seed."""
    first, *others = seeds
    settled = len(grid) / (len(grid) + len(others))
    tried = builder.evaluations(grid, first, span(progress, 0.0, settled))
    solved = solve(tried)
    index = solved.setting.index
    builds = [next(one for one in tried if one.index == index)]
    for at, seed in enumerate(others):
        begin, end = (settled + (1 - settled) * number / len(others) for number in (at, at + 1))
        builds.append(builder.tried(index, seed, span(progress, begin, end)).evaluation)
    return solved, builds
