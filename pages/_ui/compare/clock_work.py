"""The job behind the clock: methods measured as far as they are not yet, then timed."""

from collections.abc import Sequence
from typing import Any

from mips_core import Evaluation, Index
from mips_core.base.progress import Progress, span
from mips_core.evaluation.builder import Built
from mips_core.serving.other_libraries import available
from mips_core.studies.wall_clock import Clock, clock
from pages._ui.compare.work import state_of
from pages._ui.state.session import Session
from pages._ui.state.settings import built_of
from pages._ui.work.measurement import Measurement, data_name, truth_for
from pages._ui.work.task import Task

PRECISIONS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
MEASURED = 0.15  # of the bar, where anything is to be measured first


def precisions_of(session: Session) -> list[float]:
    """At which searches are timed: a grid, and what a link asks for beside it."""
    return sorted({*PRECISIONS, state_of(session).precision})


def timing_of(session: Session) -> Task[tuple[Clock, ...]]:
    """What this visitor would time now: the methods compared, first at the precision asked for.

    What is remembered of it is not measured or built again.
    """
    dataset, seed, K = session.dataset, session.seed, session.K
    grid, asked_for = precisions_of(session), state_of(session).precision
    precisions, tried = sorted(grid, key=lambda p: (p != asked_for, p)), tried_of(session)

    def build(index: Index, seed: int, progress: Progress) -> Built:
        built = Measurement(dataset, index, seed, K).building.here(progress)
        return Built(seed, built.structure, built.seconds)

    def make(progress: Progress) -> tuple[Clock, ...]:
        methods, begin = _measured(tried, progress)
        truth = truth_for(dataset, span(progress, begin, begin))
        rest = span(progress, begin, 1.0)
        return clock(
            dataset, methods, K, precisions, seed=seed, build=build, truth=truth, progress=rest
        )

    names = tuple(measurement.key for measurement in tried)
    key = ("clock", *data_name(dataset), names, K, *grid, seed, *available())
    return Task(key, "Timing searches", make)


def tried_of(session: Session) -> list[Measurement]:
    """All that the settings of the methods are chosen from."""
    methods = session.methods
    return [session.measurement_of(index) for key in methods for index in built_of(session, key)]


def _measured(
    tried: Sequence[Measurement], progress: Progress
) -> tuple[dict[str, list[Evaluation]], float]:
    """Evaluations by method, and how far the bar is after them; each under its own name."""
    missing = sum(measurement.result is None for measurement in tried)
    end, done = MEASURED if missing else 0.0, 0
    methods: dict[str, list[Evaluation]] = {}
    for measurement in tried:
        new = measurement.result is None
        start, stop = (end * step / max(missing, 1) for step in (done, done + new))
        report = _named(f"Measuring {measurement.label}", span(progress, start, stop))
        evaluation = measurement.here(report).evaluation
        methods.setdefault(measurement.index.key, []).append(evaluation)
        done += new
    return methods, end


def _named(name: str, progress: Progress) -> Progress:
    """The same progress, with one message, and without what is known of a build."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        progress(fraction, name)

    return report
