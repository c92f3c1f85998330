"""The job behind the clock: methods measured as far as they are not yet, then timed."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from mips_core import Dataset, Evaluation, Index
from mips_core.base.progress import Progress, span
from mips_core.serving.other_libraries import available
from mips_core.studies.wall_clock import Clock, clock
from pages._ui.compare.work import view_of
from pages._ui.state.session import Session
from pages._ui.state.settings import grid_of
from pages._ui.work import jobs, measurement, results
from pages._ui.work.job import Job
from pages._ui.work.measurement import Measurement

NEXT = -2000.0  # before all else that this visitor asked for: a button was pressed for it
MEASURED = 0.6  # of the bar, where anything is to be measured first


@dataclass(frozen=True, eq=False)
class Timing:
    """Methods to be timed at a precision: everything that counts."""

    tried: tuple[Measurement, ...]  # of all methods: what their settings are chosen from
    dataset: Dataset
    seed: int
    K: int
    precision: float

    @property
    def key(self) -> Hashable:
        """Names the Clock: data, what is tried, K, precision, seed, libraries beside ours."""
        data = (self.dataset.fingerprint, self.dataset.query_fingerprint)
        tried = tuple(asked.key for asked in self.tried)
        return ("clock", *data, tried, self.K, self.precision, self.seed, *available())

    @property
    def result(self) -> Clock | None:
        """What was timed, if it is remembered."""
        found: Clock | None = results.recall(self.key)
        return found

    @property
    def job(self) -> Job | None:
        """The job that times, if there is one."""
        return jobs.find(self.key)

    @property
    def running(self) -> bool:
        """Whether the clock runs: then pages should be drawn as seldom as can be."""
        return self.job is not None and self.job.state == "running"

    def start(self, owner: str) -> None:
        """Time them, as a job; what was cancelled or failed is started anew."""
        if self.job is not None:
            jobs.forget(self.job)
        jobs.start(self.key, "Timing searches", self.measure, owner, NEXT)

    def measure(self, progress: Progress) -> Clock:
        """The work of the job; what is remembered is not measured or built again."""
        missing = sum(asked.tried is None for asked in self.tried)
        begin, done = MEASURED if missing else 0.0, 0
        methods: dict[str, list[Evaluation]] = {}
        for asked in self.tried:
            tried = asked.tried
            if tried is None:
                start, stop = (begin * step / missing for step in (done, done + 1))
                tried = measurement.measure(asked, _named(asked, progress, start, stop))
                results.remember(asked.key, tried)
                done += 1
            methods.setdefault(asked.index.key, []).append(tried.evaluation)
        return clock(
            self.dataset,
            methods,
            self.K,
            self.precision,
            seed=self.seed,
            build=self._built,
            truth=measurement.truth_for(self.dataset, span(progress, begin, begin)),
            progress=span(progress, begin, 1.0),
        )

    def _built(self, index: Index, seed: int, progress: Progress) -> tuple[Any, float]:
        built = measurement.build(Measurement(self.dataset, index, seed, self.K), progress)
        return built.structure, built.seconds


def _named(asked: Measurement, progress: Progress, start: float, stop: float) -> Progress:
    """Its part of the bar, under its own name."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        progress(start + fraction * (stop - start), f"Measuring {asked.label}", partial)

    return report


def timing_of(session: Session) -> Timing:
    """What this visitor would time now: the methods compared, at the precision asked for."""
    tried = (session.asked_of(index) for key in session.methods for index in grid_of(session, key))
    precision = view_of(session).precision
    return Timing(tuple(tried), session.dataset, session.seed, session.K, precision)
