"""Two methods held against each other: what is measured for it, and what is known so far.

Settings are chosen among the grids of both, built with the visitor's seed; what is chosen is then
built with more seeds, because a build can be lucky.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

from mips_core import Evaluation, Index
from mips_core.figures.styles import METHODS
from mips_core.studies.comparison import FEWEST_SEEDS, as_set, rival_of
from mips_core.studies.noise import SPEEDUPS
from mips_core.studies.operating_point import Solved, at_speedups
from pages._ui.state import settings
from pages._ui.state.page_states import CompareState
from pages._ui.state.session import DEFAULT_EFFORT, Session, methods
from pages._ui.state.settings import built_of, grid_of, looks_of
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import Task, once

USUAL = CompareState()
VIEWS = {
    "methods": "One against another",
    "clock": "The clock",
    "sets": "Two data sets",
    "runs": "Runs",
}
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
    keys = methods()
    first = state.first if state.first in keys else USUAL.first
    second = state.second if state.second in keys else USUAL.second
    return replace(state, first=first, second=second)


def change(session: Session, **values: object) -> None:
    """Put other values into what is compared."""
    session.states["compare"] = replace(state_of(session), **values)  # type: ignore[arg-type]


def propose(session: Session, *, anew: bool) -> None:
    """Where nothing else was chosen: the setting in use, its speedup, and its nearest rival.

    The rival stays unless it is found `anew`, as when the page is opened: more may be known then.
    """
    if not is_proposed(session):
        return
    state, own = state_of(session), in_use(session)
    first = session.index.key if session.index.key in methods() else USUAL.first
    speedup = rung(session, USUAL.speedup if own is None else own.speedup)
    keep = not anew and state.proposed is not None and state.second != first
    second = state.second if keep else _nearest(session, first, own)
    change(session, first=first, second=second, speedup=speedup, proposed=(first, second, speedup))


def is_proposed(session: Session) -> bool:
    """Whether nothing else was chosen than what is in use."""
    state = session.states["compare"]
    return _which(state) in (state.proposed, _which(USUAL))


def _which(state: CompareState) -> tuple[str, str, float]:
    return state.first, state.second, state.speedup


def go_back(session: Session) -> None:
    """To the setting in use, whatever was chosen."""
    change(session, first=USUAL.first, second=USUAL.second, speedup=USUAL.speedup)
    propose(session, anew=True)


def _nearest(session: Session, first: str, own: Solved | None) -> str:
    """Of the other methods that save as much, the one nearest in precision; else the next."""
    others = [key for key in [*session.methods, *methods()] if key != first]
    apart: dict[str, float] = {}
    for key in session.methods:
        evaluations = settings.evaluations(session, grid_of(session, key))
        if own is not None and key != first and evaluations:
            rival = rival_of(own, evaluations, session.K)
            apart |= {key: abs(rival.precision - own.precision)} if rival.reached else {}
    return min(apart, key=apart.__getitem__, default=others[0])


def in_use(session: Session) -> Solved | None:
    """The setting under the slider, where it is measured."""
    measurement, K = session.measurement_of(session.index), session.K
    evaluation, effort = measurement.evaluation, session.effort or DEFAULT_EFFORT
    if evaluation is None:
        return None
    return once(("in use", measurement.key, effort, K), lambda: as_set(evaluation, effort, K))


def ladder(session: Session) -> list[float]:
    """The speedups to compare at: the usual ones, and that of the setting in use."""
    own = in_use(session)
    usual = [float(speedup) for speedup in SPEEDUPS]
    exact = [] if own is None else [round(own.speedup, 1)]
    return sorted({*usual, *(s for s in exact if usual[0] <= s <= usual[-1])})


def view_of(session: Session) -> str:
    """The tab that is open: the one chosen, else that of the runs where a link shows some."""
    view, runs = state_of(session).view, session.states["runs"]
    return view if view in VIEWS else "runs" if runs.shown or runs.shelf else "methods"


def take_view(session: Session, label: str) -> None:
    """Open the tab of this name."""
    change(session, view=next(view for view, name in VIEWS.items() if name == label))


def labels_of(session: Session) -> tuple[str, str]:
    """The names of both methods."""
    state = state_of(session)
    return METHODS[state.first].label, METHODS[state.second].label


def rung(session: Session, speedup: float) -> float:
    """The speedup of the ladder nearest to this one, in ratio."""
    return min(ladder(session), key=lambda step: abs(log(step / speedup)))


def grids(session: Session) -> list[list[Measurement]]:
    """Every setting that the first, and that the second method is chosen from."""
    state = state_of(session)
    both = (built_of(session, key) for key in (state.first, state.second))
    return [[session.measurement_of(index) for index in grid] for grid in both]


def looks(session: Session) -> list[Task[list[Index]]]:
    """Of many items, what tells which settings these are."""
    state = state_of(session)
    return looks_of(session, (state.first, state.second))


def unsettled(session: Session) -> bool:
    """Whether anything is still to come."""
    every: list[Task[Any]] = [*looks(session), *wanted(session)]
    return any(one.unsettled for one in every)


def pairs(session: Session) -> list[Pair]:
    """Both methods at each speedup, among the settings known so far; [] while one has none."""
    measured = [
        [measurement for measurement in grid if measurement.evaluation] for grid in grids(session)
    ]
    if not all(measured):
        return []
    evaluations = [[m.evaluation for m in grid if m.evaluation] for grid in measured]
    state, own, steps, K = state_of(session), in_use(session), ladder(session), session.K

    def solved(key: str, grid: Sequence[Evaluation]) -> list[Solved]:
        every = at_speedups(grid, K, steps)
        exact = None if own is None else round(own.speedup, 1)
        if own is not None and exact in steps and session.index.key in (state.first, state.second):
            here = own if key == session.index.key else rival_of(own, grid, K)
            every[steps.index(exact)] = here
        return every

    def solve() -> list[Pair]:
        both = map(solved, (state.first, state.second), evaluations)
        return [Pair(*one) for one in zip(steps, *both, strict=True)]

    return once(("pairs", *(tuple(m.key for m in grid) for grid in measured), K, own), solve)


def builds(session: Session, pair: Pair) -> list[tuple[Measurement, Measurement]]:
    """Both chosen indexes with each of the seeds; those of the first seed are in the grids."""
    K, seeds = session.K, range(session.seed, session.seed + state_of(session).builds)
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
    coming = any(look.unsettled for look in looks(session))
    if coming or any(one.result is None and not _failed(one) for one in grid):
        return grid
    at = rung(session, state_of(session).speedup)
    near = sorted(pairs(session), key=lambda pair: abs(log(pair.speedup / at)))
    more = [
        measurement
        for pair in near
        if pair.reached
        for build in builds(session, pair)[1 : None if pair.speedup == at else FEWEST_SEEDS]
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
    settings.start_looks(session, looks(session), "compare", FIRST - 1)
    for number, measurement in enumerate(measurements):
        if measurement.evaluation is None:
            measurement.start(session.owner, FIRST + number)
