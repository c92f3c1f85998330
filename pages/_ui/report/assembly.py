"""The report on what is known now, made once for the same; with what other pages measured."""

from collections.abc import Hashable, Sequence
from pathlib import PurePosixPath
from time import monotonic

from mips_core import Evaluation, Report, Setting, report_of
from mips_core.base.progress import Progress, span
from mips_core.data.catalog import CATALOG
from mips_core.data.ratings import RANK
from mips_core.evaluation.setting import position_of
from mips_core.report import (
    NoiseMeasured,
    Origin,
    Recommendation,
    Studies,
    as_set,
    at_precision,
    by_tuning,
)
from mips_core.studies.comparison import Compared
from mips_core.studies.misses import diagnose
from mips_core.studies.noise import SPEEDUPS
from mips_core.studies.robustness import RobustMethod
from mips_core.studies.tuning import Tuned
from mips_core.studies.tuning.wording import best_of
from pages._ui.compare import work
from pages._ui.compare.differences import comparisons
from pages._ui.data.reading import Interpretation
from pages._ui.parts.data_facts import facts
from pages._ui.parts.live_curve import usual_effort
from pages._ui.robustness.picture import places_of
from pages._ui.robustness.study import study_of
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.links import changes_text
from pages._ui.state.report_state import Point, ReportState
from pages._ui.state.session import Session
from pages._ui.tune import need, recommendation, search
from pages._ui.work import earlier, results
from pages._ui.work.measurement import Measurement, data_name
from pages._ui.work.task import Task

PAGE = "report"
SECONDS = 10.0  # from one report to the next while measurements come: each takes a third of one


def state_of(session: Session) -> ReportState:
    """What this visitor asks of the page."""
    state: ReportState = session.states[PAGE]
    return state


def wanted(session: Session) -> list[Measurement]:
    """Every setting of the methods compared, and the index under the slider, first wanted first."""
    measurements = sorted(search.settings(session).items(), key=lambda one: one[1])
    own = session.measurement_of(session.index)
    return list({one.key: one for one in [own, *(one for one, _ in measurements)]}.values())


def measure_missing(session: Session) -> None:
    """Measure what is not known yet, what was cancelled or failed as well."""
    measurements = wanted(session)
    session.want(PAGE, [one.key for one in measurements])
    for order, one in enumerate(measurements):
        if one.result is None:
            one.ask_again()
            one.start(session.owner, order)


def measuring(session: Session) -> bool:
    """Whether any of it is under way, started here or on another page."""
    return any(one.job is not None and one.job.active for one in wanted(session))


def evaluations_of(session: Session) -> list[Evaluation]:
    """What is measured of it."""
    every = (one.evaluation for one in wanted(session))
    return [evaluation for evaluation in every if evaluation is not None]


def report_on(session: Session, evaluations: Sequence[Evaluation], point: Recommendation) -> Report:
    """The report on `evaluations`, one or more, that recommends `point`.

    While more of them come, one that lacks the last SECONDS of them stands for it.
    """
    said = misses_of(session, point.setting).result
    studies = Studies(noise_of(session), compared_of(session), (said,) if said else ())
    state, dataset = state_of(session), session.dataset
    at_once = (state, _names_of(studies), state.point == "slider" and point)
    inputs = (tuple(one.index for one in evaluations), point, *at_once)
    name = (PAGE, dataset.fingerprint, dataset.query_fingerprint, session.data, session.recipe,
            session.K)  # fmt: skip
    remembered: tuple[tuple[Hashable, ...], Report, float] | None = results.recall(name)
    if remembered is not None:
        young = measuring(session) and monotonic() - remembered[2] < SECONDS
        if remembered[0] == inputs or (young and remembered[0][2:] == at_once):
            return remembered[1]
    report = _made(session, evaluations, point, studies)
    results.remember(name, (inputs, report, monotonic()))
    return report


def _names_of(studies: Studies) -> Hashable:
    """What is known of it."""
    noise, compared = studies.noise, studies.compared
    return (
        None if noise is None else (noise.speedup, *map(_builds, noise.methods)),
        None if compared is None else (compared[0].solved, compared[1]),
        studies.misses,
    )


def _builds(method: RobustMethod) -> Hashable:
    return (method.solved, *(under.setting for under in method.by_seed))


def _made(
    session: Session, evaluations: Sequence[Evaluation], point: Recommendation, studies: Studies
) -> Report:
    source, state = session.source, state_of(session)
    return report_of(
        searched(source, session.recipe),
        session.dataset,
        evaluations,
        session.K,
        point=point,
        studies=studies,
        origin=_origin(session),
        recipe=session.recipe,
        facts=facts(source),
        title=state.title,
        note=state.note,
    )


def _origin(session: Session) -> Origin:
    """Where the data came from: the files that were read, and how, where that is known."""
    source, known = session.source, earlier.origin_of(session.data)
    own = source.m > 0
    if session.data in CATALOG:
        return Origin(shipped=session.data, own_queries=own)
    if known is None or not known.files:
        return Origin(stem=source.name, own_queries=own)
    reading = Interpretation.of(known.reading)
    changes = (change for spec in (reading.choices, reading.ratings)
               for change in changes_text(spec).split(",") if change)  # fmt: skip
    return Origin(
        files=tuple(PurePosixPath(file).name for file in known.files),
        kind=reading.kind,
        reading=tuple(dict.fromkeys(changes)),
        rank=None if reading.rank == RANK else reading.rank,
        own_queries=own,
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
        answer = recommendation.answer_of(session)
        choice = None if answer is None else by_tuning(answer)
        unpromised = answer.need if isinstance(answer, Tuned) else None
    elif point == "slider":
        choice = _under_slider(session)
    if choice is not None:
        return point, choice
    precision = search.state_of(session).precision
    return "target", at_precision(evaluations, session.K, precision, unpromised, so_far)


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
