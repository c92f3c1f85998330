"""Two methods held against each other: what is measured for it, and what is known so far.

Settings are chosen among the grids of both, built with the visitor's seed; what is chosen is then
built with more seeds, because a build can be lucky.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from mips_core.evaluation.operating_point import Solved, at_speedup
from mips_core.figures.styles import METHODS
from mips_core.studies.comparison import FEWEST_SEEDS
from mips_core.studies.noise import SPEEDUPS
from pages._ui.state.page_states import CompareState
from pages._ui.state.session import Session, methods
from pages._ui.state.settings import grid_of
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import once

FIRST = -1000.0  # goes before what other pages asked for


@dataclass(frozen=True)
class Pair:
    """Both methods as they are set to one speedup, chosen on half of the queries."""

    speedup: float
    first: Solved
    second: Solved

    @property
    def reached(self) -> bool:
        """Whether both have the speedup; else they cannot be held against each other at it."""
        return self.first.reached and self.second.reached


def state_of(session: Session) -> CompareState:
    """What this visitor compares; methods that a link names and that are not there are replaced."""
    state: CompareState = session.states["compare"]
    usual, keys = CompareState(), methods()
    first = state.first if state.first in keys else usual.first
    second = state.second if state.second in keys else usual.second
    return CompareState(first, second, state.speedup, state.precision)


def labels_of(session: Session) -> tuple[str, str]:
    """The names of both methods."""
    state = state_of(session)
    return METHODS[state.first].label, METHODS[state.second].label


def rung(speedup: float) -> float:
    """The speedup of the ladder nearest to this one, in ratio."""
    return min(SPEEDUPS, key=lambda step: abs(log(step / speedup)))


def grids(session: Session) -> list[list[Measurement]]:
    """Every setting that the first, and that the second method is chosen from."""
    state = state_of(session)
    both = (grid_of(session, key) for key in (state.first, state.second))
    return [[session.measurement_of(index) for index in grid] for grid in both]


def pairs(session: Session) -> list[Pair]:
    """Both methods at each speedup, among the settings known so far; [] while one has none."""
    measured = [
        [measurement for measurement in grid if measurement.evaluation] for grid in grids(session)
    ]
    if not all(measured):
        return []
    first, second = ([m.evaluation for m in grid if m.evaluation] for grid in measured)
    K = session.K
    return once(
        ("pairs", *(tuple(m.key for m in grid) for grid in measured), K),
        lambda: [Pair(s, at_speedup(first, K, s), at_speedup(second, K, s)) for s in SPEEDUPS],
    )


def builds(session: Session, pair: Pair) -> list[tuple[Measurement, Measurement]]:
    """Both chosen indexes with each of the seeds; those of the first seed are in the grids."""
    K, seeds = session.K, range(session.seed, session.seed + FEWEST_SEEDS)
    first, second = pair.first.setting.index, pair.second.setting.index
    return [
        (Measurement(session.dataset, first, s, K), Measurement(session.dataset, second, s, K))
        for s in seeds
    ]


def wanted(session: Session) -> list[Measurement]:
    """All that is to be measured, as far as it can be told now, the most wanted first.

    More seeds are known only when the settings are chosen, from all that could be measured.
    """
    grid = [measurement for grid in grids(session) for measurement in grid]
    if any(measurement.result is None and not _failed(measurement) for measurement in grid):
        return grid
    at = rung(state_of(session).speedup)
    near = sorted(pairs(session), key=lambda pair: abs(log(pair.speedup / at)))
    more = [
        measurement
        for pair in near
        if pair.reached
        for build in builds(session, pair)[1:]
        for measurement in build
    ]
    return list({measurement.key: measurement for measurement in [*grid, *more]}.values())


def stage(session: Session, measurements: Sequence[Measurement]) -> tuple[str, str]:
    """What is counted while this is measured, and what is made of it so far."""
    grid = sum(map(len, grids(session)))
    if any(measurement.result is None for measurement in measurements[:grid]):
        return "settings", "Each method is set with the best that is known; the rest may change it."
    return "builds", f"A winner is named from {FEWEST_SEEDS} builds of each on."


def _failed(measurement: Measurement) -> bool:
    return measurement.job is not None and measurement.job.state == "failed"


def start_missing(session: Session, measurements: Sequence[Measurement]) -> None:
    """Start what is not known yet, and take back what waits for a choice that was left."""
    session.want("compare", [measurement.key for measurement in measurements])
    for number, measurement in enumerate(measurements):
        if measurement.evaluation is None:
            measurement.start(session.owner, FIRST + number)
