"""The report on what is known now: a job makes it, once for the same."""

from collections.abc import Callable, Hashable, Sequence
from pathlib import PurePosixPath
from time import monotonic
from typing import NamedTuple

from mips_core import Evaluation, Index, MipsError, Report, report_of
from mips_core.base.progress import Progress
from mips_core.data.catalog import CATALOG
from mips_core.data.ratings import RANK
from mips_core.report import Origin, Recommendation, Studies
from mips_core.studies.robustness import RobustMethod
from pages._ui.data.reading import Interpretation
from pages._ui.parts.data_facts import facts
from pages._ui.report import assembly
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.links import changes_text
from pages._ui.state.session import Session
from pages._ui.work import earlier, jobs, results
from pages._ui.work.measurement import data_name
from pages._ui.work.priority import BETWEEN, let_pages_go_first
from pages._ui.work.task import Task

SECONDS = 10.0  # from one report to the next while measurements come: each takes a third of one
PATIENCE = 0.3  # seconds that a page waits for its report before it is drawn without


class MadeReport(NamedTuple):
    """A report, what it was made of, and when."""

    inputs: tuple[Hashable, ...]
    report: Report
    when: float


def making_of(
    session: Session, evaluations: Sequence[Evaluation], point: Recommendation
) -> Task[MadeReport]:
    """What makes the report on `evaluations`, one or more, that recommends `point`.

    The last one made stands for all that differ in what is measured alone.
    """
    said = assembly.misses_of(session, point.setting).result
    noise, compared = assembly.noise_of(session), assembly.compared_of(session)
    studies, state = Studies(noise, compared, (said,) if said else ()), assembly.state_of(session)
    about = (*data_name(session.dataset), session.data, session.recipe, session.K)
    at_once = (state, _names_of(studies), state.point == "slider" and point)
    name = (assembly.PAGE, *about, *at_once)
    make = _maker(session, evaluations, point, studies)
    inputs = _inputs(evaluations, point)

    def made(_: Progress) -> MadeReport:
        if results.recall(name) is not None:  # that stands till then
            let_pages_go_first(BETWEEN)
        return MadeReport(inputs, make(), monotonic())

    return Task(name, "The report", made, "show")


def _inputs(
    evaluations: Sequence[Evaluation], point: Recommendation
) -> tuple[tuple[Index, ...], Recommendation]:
    return tuple(one.index for one in evaluations), point


def report_on(
    session: Session,
    evaluations: Sequence[Evaluation],
    point: Recommendation,
    making: Task[MadeReport],
) -> Report | None:
    """The last report of this `making`, which goes on where more is known; None before the first.

    While measurements come, one that lacks the last SECONDS of them is left as it is. Raises
    MipsError where none could be made.
    """
    made = making.result
    young = made is not None and assembly.measuring(session) and monotonic() - made.when < SECONDS
    if made is None or (made.inputs != _inputs(evaluations, point) and not young):
        job = making.job
        if job is None or job.state in ("done", "cancelled"):
            making.ask_again(session.owner)
            job = making.start(session.owner)
        jobs.wait_for(job, PATIENCE)
        if job.state == "failed":
            raise MipsError(job.error)
        made = making.result
    return made and made.report


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


def _maker(
    session: Session, evaluations: Sequence[Evaluation], point: Recommendation, studies: Studies
) -> Callable[[], Report]:
    """Makes the report of what is chosen now, whatever is chosen meanwhile."""
    source, recipe, dataset, K = session.source, session.recipe, session.dataset, session.K
    state, origin = assembly.state_of(session), _origin(session)
    sampled = assembly.sampled_in_words(session, evaluations)
    return lambda: report_of(
        searched(source, recipe),
        dataset,
        evaluations,
        K,
        point=point,
        studies=studies,
        origin=origin,
        recipe=recipe,
        facts=facts(source),
        title=state.title,
        note=state.note,
        sampled=sampled,
    )


def _origin(session: Session) -> Origin:
    """Where the data came from: the files that were read, and how, where that is known."""
    source, known = session.source, earlier.origin_of(session.data, session.share.key)
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
