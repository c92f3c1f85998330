"""What a report is made of: what is measured now, by this page and by others, and its setting."""

from collections.abc import Sequence
from typing import Any

from mips_core import Evaluation, Index, Setting
from mips_core.base.progress import Progress, span
from mips_core.base.text import counted
from mips_core.evaluation.setting import position_of
from mips_core.report import (
    NoiseMeasured,
    Recommendation,
    as_set,
    at_precision,
    by_tuning,
)
from mips_core.studies.comparison import Compared
from mips_core.studies.misses import diagnose
from mips_core.studies.noise import SPEEDUPS
from mips_core.studies.tuning import Tuned
from mips_core.studies.tuning.wording import best_of
from pages._ui.compare import work
from pages._ui.compare.differences import comparisons
from pages._ui.parts.drawn_curves import usual_effort
from pages._ui.robustness.picture import places_of
from pages._ui.robustness.study import study_of
from pages._ui.state.report_state import Point, ReportState
from pages._ui.state.session import Session
from pages._ui.state.settings import build_all, built_of, grid_of, looks_of, name_of
from pages._ui.tune import need, search
from pages._ui.tune.answer import answer_of
from pages._ui.work.measurement import Measurement, data_name
from pages._ui.work.task import Task, while_same

PAGE = "report"


def state_of(session: Session) -> ReportState:
    """What this visitor asks of the page."""
    state: ReportState = session.states[PAGE]
    return state


def wanted(session: Session) -> list[Measurement]:
    """Every setting of the methods compared, and the index under the slider, first wanted first.

    Of many items those that samples tell, of Tune and of Trade-off.
    """
    look = search.samples(session)
    tuned = {} if look is not None and look.result is None else search.settings(session)
    every = [session.index, *(one for key in session.methods for one in built_of(session, key))]
    ordered = sorted(tuned, key=tuned.__getitem__)
    first, *rest = map(session.measurement_of, every)
    return list({one.key: one for one in [first, *ordered, *rest]}.values())


def looks(session: Session) -> list[Task[list[Index]]]:
    """Of many items, what tells which settings those of the methods are."""
    return looks_of(session, session.methods)


def measure_missing(session: Session) -> None:
    """Measure what is not known yet, what was cancelled or failed as well."""
    for one in _all_of(session):
        if one.result is None:
            one.ask_again(session.owner)
    _start(session)


def measure_all(session: Session) -> None:
    """Measure every setting of the methods compared, whatever samples tell."""
    build_all(session)
    measure_missing(session)


def go_on(session: Session) -> None:
    """Measure what samples have told of since that was asked for."""
    asked, sampled = session.wishes.get(PAGE, frozenset()), looks(session)
    pressed = bool(sampled) and asked.issuperset(look.key for look in sampled)
    told = not any(look.unsettled for look in sampled)
    if pressed and told and not asked.issuperset(one.key for one in wanted(session)):
        _start(session)


def _start(session: Session) -> None:
    every = _all_of(session)
    session.want(PAGE, [one.key for one in every])
    for order, one in enumerate(every):
        if one.result is None:
            one.start(session.owner, order)


def measuring(session: Session) -> bool:
    """Whether any of it is under way, started here or on another page."""
    return any(one.active for one in _all_of(session))


def _all_of(session: Session) -> list[Task[Any]]:
    """What tells which settings are measured, and these."""
    return [*looks(session), *wanted(session)]


def evaluations_of(session: Session) -> list[Evaluation]:
    """What is measured of it."""
    every = (one.evaluation for one in wanted(session))
    return [evaluation for evaluation in every if evaluation is not None]


def sampled_in_words(session: Session, evaluations: Sequence[Evaluation]) -> str:
    """Which settings were built of many items, as far as samples tell; "" where all are."""
    if not looks(session):
        return ""
    from mips_core.studies.tuning.scouting import SAMPLES  # of few items the page needs it not

    grids = {index for key in session.methods for index in grid_of(session, key)}
    built = len(grids & {one.index for one in evaluations})
    return (
        f"Of {counted(len(grids), 'setting', 'settings')} of the methods compared, "
        f"{counted(built, 'was', 'were')} built on all {session.source.n:,} items: what was kept, "
        f"and what did best on {SAMPLES[-1]:,} of them. The others may raise a curve."
    )


def noise_of(session: Session) -> NoiseMeasured | None:
    """What Robustness has measured at the speedup it is set to."""
    study = study_of(session)
    noisy = study.noise.result
    if noisy is None:
        return None
    at = places_of(session)[0]
    methods = [method for method in study.methods(at).values() if method.by_seed]
    return NoiseMeasured(noisy, methods, SPEEDUPS[at]) if methods else None


def compared_of(session: Session) -> tuple[Compared, str] | None:
    """What Compare has measured, with every build, at the speedup it is set to."""
    state = work.state_of(session)
    at = work.rung(session, state.speedup)
    pair = next((one for one in work.pairs(session) if one.speedup == at and one.reached), None)
    if state.first == state.second or pair is None:
        return None
    if not all(one.evaluation for both in work.builds(session, pair) for one in both):
        return None
    return comparisons(session)[at], f"{at:g}×"


def misses_of(session: Session, setting: Setting) -> Task[str]:
    """What is missed, in sentences; the index is built anew where it is not remembered."""
    dataset = session.dataset
    measurement = Measurement(dataset, setting.index, setting.seed, session.K)

    def look(progress: Progress) -> str:
        searcher = measurement.searcher(span(progress, 0.0, 0.7))
        evaluation = measurement.here(span(progress, 0.7, 0.8)).evaluation
        rest = span(progress, 0.8, 1.0)
        return diagnose(
            evaluation, searcher, dataset, measurement.K, setting.effort, progress=rest
        ).in_words()

    key = ("report misses", *data_name(dataset), setting, session.K)
    return Task(key, "What is missed", look)


def point_of(session: Session, evaluations: Sequence[Evaluation]) -> tuple[Point, Recommendation]:
    """The setting, and what it is: what was asked for may not be there.

    In its place then stands the best of what is `evaluations`, one or more, at Tune's precision.
    """
    point, so_far = state_of(session).point, so_far_of(session)
    choice, unpromised = None, None
    if point == "tune" and not so_far:
        answer = answer_of(session)
        choice = None if answer is None else by_tuning(answer)
        unpromised = answer.need if isinstance(answer, Tuned) else None
    elif point == "slider":
        choice = _under_slider(session)
    if choice is not None:
        return point, choice
    asked = session.K, search.state_of(session).precision, unpromised, so_far
    best: Recommendation = while_same(
        ("report point", session.owner),
        (name_of(session, evaluations), *asked),
        lambda: at_precision(evaluations, *asked),
    )
    return "target", best


def so_far_of(session: Session) -> str:
    """19 of 63 settings so far; "" once Tune was asked, and every setting is in."""
    count, missing = len(search.tried_of(session)), search.missing(session)
    return best_of(count, missing) if count and missing and not need.too_few(session) else ""


def _under_slider(session: Session) -> Recommendation | None:
    """The index and the effort that all pages share."""
    evaluation = session.measurement_of(session.index).evaluation
    if evaluation is None:
        return None
    effort = session.effort or usual_effort(evaluation.curve((session.K,)), session.K)
    at = position_of(effort, evaluation.efforts)
    return as_set(Setting(evaluation.index, evaluation.seed, int(evaluation.efforts[at])))
