"""One query asked of the index under the slider, and what all queries miss, at each effort."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from mips_core import Diagnosis, Examined, examine
from mips_core.base.progress import Progress, span
from mips_core.evaluation.setting import position_of
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.projection import ProjectionRecipe
from mips_core.groups.typed_queries.one_query import Question, Ranked
from mips_core.studies.misses import AnswersByEffort, FollowedSearch, answers_by_effort
from pages._ui.parts import drawn_curves, followed_search
from pages._ui.parts.map_space import Space
from pages._ui.state.session import Session
from pages._ui.work import results
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import Task, is_quick, once

PAGE = "search"
QUICK_ANSWERS = 50_000  # of all queries, read off in a moment
SPACE = Space(ProjectionRecipe(), None)


@dataclass(frozen=True, eq=False)
class QueryAnswers:
    """A query, its true answers, and what is known by now of what an index makes of it.

    answered is None while it is not known; followed, which says where answers lie, comes later,
    when the groups of the index, `levels`, are described.
    """

    measured: Measurement
    question: Question
    true: Ranked
    answered: AnswersByEffort | None
    levels: tuple[GroupLevel, ...]
    followed: FollowedSearch | None

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come."""
        return self.followed is not None


def ask(session: Session, measured: Measurement, question: Question) -> QueryAnswers:
    """The query asked of a built index; what is not known is started.

    Raises MipsError where something cannot be made.
    """
    true = followed_search.true_of(session.dataset, question)
    answers = _answered(measured, question, true)
    # Naming the groups takes seconds where they are many: a job, however small the data.
    levels = replace(followed_search.levels(measured), quick=False)
    wanted: list[Hashable] = [measured.key, answers.key, levels.key]
    described = levels.ask(session.owner)
    followed = None
    if described is not None:
        follow = followed_search.followed(measured, question, true, described)
        wanted.append(follow.key)
        followed = follow.ask(session.owner)
    session.want(PAGE, wanted)
    return QueryAnswers(
        measured, question, true, answers.ask(session.owner), described or (), followed
    )


def _answered(measured: Measurement, question: Question, true: Ranked) -> Task[AnswersByEffort]:
    """What the index answers at every effort."""
    dataset = measured.dataset

    def make(progress: Progress) -> AnswersByEffort:
        return answers_by_effort(measured.searcher(), dataset, question, true)

    query = (question.query.tobytes(), question.K, question.exclude)
    key = ("answered", measured.building.key, measured.index, *query)
    return Task(key, "A search", make, "show", is_quick(dataset))


def diagnosis_of(session: Session, measurement: Measurement) -> Diagnosis | None:
    """That of `measurement`, which is evaluated, at the effort of the slider; started where needed.

    While it is made, the last one of the same index; None before there is any. Raises MipsError
    where it cannot be made.
    """
    wanted = task(session, measurement)
    last = ("diagnosis last", session.owner, measurement.key, session.K)
    session.want("diagnosis", [wanted.key])
    diagnosis: Diagnosis | None = wanted.ask(session.owner)
    if diagnosis is None:
        return results.recall(last)
    results.remember(last, diagnosis)
    return diagnosis


def effort_of(session: Session, measurement: Measurement) -> int:
    """Where the page's slider stands for an evaluated index."""
    evaluation = measurement.evaluation
    assert evaluation is not None
    usual = drawn_curves.usual_effort(evaluation.curve((session.K,)), session.K)
    efforts = evaluation.efforts
    return int(efforts[position_of(session.effort or usual, efforts)])


def task(session: Session, measurement: Measurement) -> Task[Diagnosis]:
    """The diagnosis of `measurement`, which is evaluated, at the effort of the slider."""
    effort = effort_of(session, measurement)

    def make(progress: Progress) -> Diagnosis:
        return _examined(measurement, progress).at(effort)

    ready = is_quick(measurement.dataset) or results.recall(_examined_key(measurement)) is not None
    quick = ready and measurement.dataset.m * measurement.K <= QUICK_ANSWERS
    key = ("diagnosis", measurement.key, measurement.K, effort)
    return Task(key, "Misses of all queries", make, "show", quick)


def _examined(measurement: Measurement, progress: Progress) -> Examined:
    """What does not change with the effort, made once."""

    def make() -> Examined:
        evaluation, levels = measurement.evaluation, followed_search.levels(measurement)
        assert evaluation is not None
        level = levels.here(span(progress, 0.0, 0.5))[-1]
        searcher, index = measurement.searcher(), measurement.index
        rows = SPACE.as_index(index).rows(measurement.dataset) if index.opens_groups else None
        rest = span(progress, 0.5, 1.0)
        return examine(evaluation, searcher, measurement.dataset, measurement.K, level, rows, rest)

    examined: Examined = once(_examined_key(measurement), make)
    return examined


def _examined_key(measurement: Measurement) -> Hashable:
    return ("examined", measurement.key, measurement.K)
