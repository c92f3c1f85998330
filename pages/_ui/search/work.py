"""What the Search page needs computed for one query, each piece named by its inputs."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from mips_core.base.progress import Progress
from mips_core.evaluation.one_query import Question, Ranked, true_answers
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.misses.following import Answered, FollowedSearch, answered
from pages._ui.parts import followed_search
from pages._ui.state import wishes
from pages._ui.state.session import Session
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import Task, is_quick, once

PAGE = "search"


@dataclass(frozen=True, eq=False)
class Asked:
    """A query, its true answers, and what is known by now of what an index makes of it.

    answered is None while it is not known; followed, which says where answers lie, comes later,
    when the groups of the index, `levels`, are described.
    """

    measured: Measurement
    question: Question
    true: Ranked
    answered: Answered | None
    levels: tuple[GroupLevel, ...]
    followed: FollowedSearch | None

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come."""
        return self.followed is not None


def true_of(session: Session, question: Question) -> Ranked:
    """Exact search, done once for a query."""
    asked = (question.query.tobytes(), question.K, question.exclude)
    key = ("true answers", session.dataset.fingerprint, *asked)
    found: Ranked = once(key, lambda: true_answers(session.dataset.items, question))
    return found


def ask(session: Session, measured: Measurement, question: Question) -> Asked:
    """The query asked of a built index; what is not known is started.

    Raises MipsError where something cannot be made.
    """
    true = true_of(session, question)
    answers = _answered(measured, question, true)
    # Naming the groups takes seconds where they are many: a job, however small the data.
    levels = replace(followed_search.levels(measured), quick=False)
    wanted: list[Hashable] = [measured.key, answers.key, levels.key]
    known = levels.ask(session.owner)
    followed = None
    if known is not None:
        follow = followed_search.followed(measured, question, true, known)
        wanted.append(follow.key)
        followed = follow.ask(session.owner)
    wishes.want(session, PAGE, wanted)
    return Asked(measured, question, true, answers.ask(session.owner), known or (), followed)


def _answered(measured: Measurement, question: Question, true: Ranked) -> Task[Answered]:
    """What the index answers at every effort."""
    dataset = measured.dataset

    def make(progress: Progress) -> Answered:
        return answered(measured.searcher(), dataset, question, true)

    query = (question.query.tobytes(), question.K, question.exclude)
    key = ("answered", measured.building.key, measured.index, *query)
    return Task(key, "A search", make, "show", is_quick(dataset))
