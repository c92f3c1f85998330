"""A whole run: everything is built and set to the precision, then timed in turns."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from platform import python_version
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.threads import n_threads
from mips_core.data.dataset import Dataset
from mips_core.evaluation.truth import Truth, truth_of
from mips_core.serving.other_libraries import RIVALS, Rival, available, missing
from mips_core.serving.other_libraries import version as version_of
from mips_core.studies.wall_clock.entrants import (
    Build,
    Entrant,
    Methods,
    build_anew,
    built_rivals,
    exact_searches,
    in_steps,
    method_entrant,
    settings_of,
    truth_among,
)
from mips_core.studies.wall_clock.judge import Judge, judge_of
from mips_core.studies.wall_clock.stopwatch import ALONE, ROUNDS, Watch
from mips_core.studies.wall_clock.timings import Clock, Timed

BATCH = (128, 1024)  # queries of a batch, least and most; …
BATCH_WORK = 3 * 10**10  # … between, as many as exact search takes so many multiplications for
FOUND, BUILT = 0.02, 0.06  # of the bar: once truth is known; for each library that is built
READY = 0.3  # of the part for a precision: once everything is built and set


def clock(
    searched: Dataset,
    methods: Methods,
    K: int,
    precisions: Sequence[float],
    *,
    rivals: Sequence[str] | None = None,
    seed: int = 0,
    build: Build | None = None,
    truth: Truth | None = None,
    progress: Progress = silent,
) -> tuple[Clock, ...]:
    """Time methods, rivals and exact search at each of `precisions`, in that order, for K answers.

    methods: evaluations of each method, all of the queries of `searched`, whose cheapest setting
    with the precision is taken; or the settings themselves. rivals: keys of RIVALS, all that are
    installed where None; `seed` is theirs. build: gives the structure of an index and the seconds
    it took, where such are kept. truth: the true answers, where they are known. After each round,
    progress carries the Clocks so far. Graphs of other libraries are built on all threads and
    differ a little from run to run; all else but the clock is the same in every run.

    Raises ParamError for a K, a precision or a rival that cannot be, DataError where there is
    nothing to ask, MipsError for a library that cannot be loaded.
    """
    for wrong in (each for each in precisions if not 0 < each <= 1):
        raise ParamError(f"The precision is {wrong:g}.", "Ask for more than 0 and at most 1.")
    others = [_rival(key) for key in (available() if rivals is None else rivals)]
    searched = searched.float32()
    truth = truth or truth_among(methods) or truth_of(searched, span(progress, 0.0, FOUND))
    judge = judge_of(searched, truth, K)
    exact, start = exact_searches(judge, span(progress, FOUND, 1.0)), FOUND + BUILT * len(others)
    built = built_rivals(others, seed, judge, span(progress, FOUND, start))
    make, rest = build or build_anew(searched.items), span(progress, start, 1.0)
    clocks: tuple[Clock, ...] = ()
    for precision in precisions:
        steps = [
            *(partial(method_entrant, setting, judge, precision, make)
              for setting in settings_of(methods, K, precision)),
            *(partial(rival.entrant, precision) for rival in built),
        ]  # fmt: skip
        report = _after(clocks, rest, len(precisions))
        entrants = [*exact, *in_steps(steps, span(report, 0.0, READY))]
        clocks += (_in_turns(entrants, judge, searched, precision, span(report, READY, 1.0)),)
    return clocks


def _after(clocks: tuple[Clock, ...], progress: Progress, of: int) -> Progress:
    """Reports a Clock, and no structure half built, after those that are whole, of so many."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        known = (*clocks, partial) if isinstance(partial, Clock) else None
        progress((len(clocks) + fraction) / of, message, known)

    return report


def _rival(key: str) -> type[Rival]:
    if key not in RIVALS:
        raise ParamError(f"There is no rival {key!r}.", f"Known: {', '.join(RIVALS)}.")
    return RIVALS[key]


def _in_turns(
    entrants: Sequence[Entrant], judge: Judge, data: Dataset, target: float, progress: Progress
) -> Clock:
    """Score every entrant, which warms it up, then time each in every round."""
    threads, ready = n_threads(), []
    steps = (ROUNDS + 1) * len(entrants)
    for at, entrant in enumerate(entrants):
        progress(at / steps, f"Scoring {entrant.label}")
        ready.append(_scored(entrant, judge, threads))
    batch = _batch(judge.scored, judge.items.size)
    for turn in range(1, ROUNDS + 1):
        for at, each in enumerate(ready):
            done = (turn * len(ready) + at) / steps
            progress(done, f"Round {turn} of {ROUNDS}: {each.entrant.label}")
            _take_time(each, judge.scored, batch, threads)
        rows = tuple(each.timed(len(judge.items), len(batch), threads) for each in ready)
        result = _result(rows, judge, data, target, len(batch), turn, threads)
        progress((turn + 1) / (ROUNDS + 1), f"Round {turn} of {ROUNDS}: done", result)
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """An entrant with its precision and mean inner products on the scored queries; its times."""

    entrant: Entrant
    precision: float
    interval: tuple[float, float]
    inner_products: float | None
    watch: Watch

    def timed(self, n: int, batch: int, threads: int) -> Timed:
        """What is known of it so far."""
        entrant, cost = self.entrant, self.inner_products
        return Timed(
            key=entrant.key,
            label=entrant.label,
            setting=entrant.setting,
            kind=entrant.kind,
            reached=entrant.reached,
            chosen_precision=entrant.precision,
            precision=self.precision,
            interval=self.interval,
            inner_products=cost,
            speedup=None if cost is None else n / cost,
            build_seconds=entrant.build_seconds,
            took=self.watch.took(batch, threads),
        )


def _scored(entrant: Entrant, judge: Judge, threads: int) -> _Scored:
    with ALONE, entrant.limited(threads):
        entrant.ask(judge.scored[:1])
        precision, interval = judge.score(entrant.ask)
        return _Scored(entrant, precision, interval, entrant.cost(judge.scored), Watch())


def _take_time(each: _Scored, Q: Matrix, batch: Matrix, threads: int) -> None:
    """A round of single queries, of a batch on one thread, and on all where there are more."""
    ask, limited = each.entrant.ask, each.entrant.limited
    each.watch.time_singles(ask, limited, Q)
    for n in sorted({1, threads}):
        each.watch.time_batch(ask, limited, batch, n)


def _batch(Q: Matrix, size: int) -> Matrix:
    """The queries Q over and over, as many as make a batch for items of `size` numbers."""
    least, most = BATCH
    return Q[np.arange(np.clip(BATCH_WORK // size, least, most)) % len(Q)]


def _result(
    rows: tuple[Timed, ...],
    judge: Judge,
    data: Dataset,
    target: float,
    batch: int,
    rounds: int,
    threads: int,
) -> Clock:
    m_chosen, m_scored = (
        len(range(judge.truth.m)[fold]) for fold in (judge.to_choose, judge.to_score)
    )
    return Clock(
        rows=rows,
        data=data.name,
        simulated=data.simulated,
        metric=data.metric,
        n=data.n,
        d=data.d,
        K=judge.K,
        target=target,
        m_chosen=m_chosen,
        m_scored=m_scored,
        split=judge.to_choose != judge.to_score,
        batch=batch,
        rounds=rounds,
        threads=threads,
        processors=os.cpu_count() or 1,
        versions=_versions(rows),
        absent=tuple(missing()),
    )


def _versions(rows: Sequence[Timed]) -> dict[str, str]:
    """Of Python, of what computes for us, and of the libraries timed."""
    others = [RIVALS[row.key] for row in rows if row.kind == "rival"]
    return {
        "python": python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
        **{rival.package: version_of(rival) for rival in others},
    }
