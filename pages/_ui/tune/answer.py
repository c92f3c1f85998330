"""The answer of Tune from what is measured: at once where that takes a moment, else by a job.

While it is made anew the last provisional one stands. What comes in meanwhile goes into the next.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from mips_core import MipsError
from mips_core.evaluation.builder import Tried
from mips_core.studies.tuning import Budget, Need, Tuned, Within
from mips_core.studies.tuning.estimates import are_counted
from mips_core.studies.tuning.run import answer as answer_to
from pages._ui.state.session import Session
from pages._ui.state.settings import name_of
from pages._ui.tune import need, search
from pages._ui.work import jobs, results
from pages._ui.work.task import Task

Answer = Tuned | Within

SECONDS = 1.0  # from one provisional answer to the next while measurements come
PATIENCE = 0.3  # seconds that a page waits for an answer before it is drawn without
FEW = 4  # settings whose hits are counted in the run of a page: of 100 answers 6 ms each


@dataclass(frozen=True, eq=False)
class MadeAnswer:
    """An answer, the question it is to, what it was made of, and when."""

    question: Hashable
    inputs: Hashable
    answer: Answer
    when: float


@dataclass(frozen=True, eq=False)
class Weighing:
    """What is asked of what is measured now."""

    trials: Sequence[Tried]
    K: int
    goal: Need | Budget
    missing: int  # settings to come
    question: Hashable
    inputs: Hashable

    @property
    def is_quick(self) -> bool:
        """Whether it takes a moment."""
        return sum(not are_counted(one.evaluation, self.K) for one in self.trials) <= FEW

    def make(self) -> MadeAnswer:
        """The answer."""
        answer = answer_to(self.trials, self.K, self.goal, self.missing)
        return MadeAnswer(self.question, self.inputs, answer, monotonic())

    def fits(self, made: MadeAnswer | None) -> bool:
        """Whether `made` is the answer now."""
        return made is not None and made.inputs == self.inputs


def answer_of(session: Session) -> Answer | None:
    """The answer from what is known, made now where it is not; None where there is none."""
    weighing = weighing_of(session)
    if weighing is None:
        return None
    made: MadeAnswer | None = results.recall(_key(session))
    if made is None or not weighing.fits(made):
        made = _made_now(session, weighing)
    return _shown(session, made)


def answer_so_far(session: Session) -> tuple[Answer | None, bool]:
    """The same where it takes a moment; else the last, or None, and a job makes it.

    And whether another is to come of what is measured by now. Raises MipsError where none can be
    made.
    """
    weighing = weighing_of(session)
    if weighing is None:
        return None, False
    making = Task(_key(session), "The answer", lambda _: weighing.make(), "show")
    made = making.result
    if not weighing.fits(made):
        measuring = bool(weighing.missing) and search.watching(session)
        stands = made is not None and made.question == weighing.question
        if weighing.is_quick and not making.active:
            made = _made_now(session, weighing)
        elif made is None or not (measuring and stands and monotonic() - made.when < SECONDS):
            made = _made_by_job(session, weighing, making, 0.0 if measuring else PATIENCE)
    if made is None or made.question != weighing.question:
        return None, True
    if weighing.fits(made):
        return _shown(session, made), False
    return _shown(session, made) if made.answer.missing else None, True


def weighing_of(session: Session) -> Weighing | None:
    """What is to be weighed; None where there is nothing, or too few queries."""
    trials = search.tried_of(session)
    if not trials or need.too_few(session):
        return None
    state, missing = search.state_of(session), search.missing(session)
    goal, methods = search.need_of(state), frozenset(session.methods)
    question = name_of(session, ()), session.seed, session.K, goal, methods, state.faiss
    known = name_of(session, (trial.evaluation for trial in trials))
    return Weighing(trials, session.K, goal, missing, question, (question, known, missing))


def under_way(session: Session) -> bool:
    """Whether a job makes an answer for this visitor."""
    job = jobs.find(_key(session))
    return job is not None and job.active


def is_scouted_for_another(session: Session) -> bool:
    """Whether samples told what is built for another goal than the one asked now."""
    state = search.state_of(session)
    return search.under_way(session) and state.search.goal != search.need_of(state)


def ask_again(session: Session) -> None:
    """Let an answer that could not be made be made of the same."""
    job = jobs.find(_key(session))
    if job is not None:
        jobs.forget(job)


def _key(session: Session) -> Hashable:
    return "tuned", session.owner


def _made_now(session: Session, weighing: Weighing) -> MadeAnswer:
    made = weighing.make()
    results.remember(_key(session), made)
    return made


def _made_by_job(
    session: Session, weighing: Weighing, making: Task[MadeAnswer], patience: float
) -> MadeAnswer | None:
    """What is known once its job was given so many seconds.

    One that runs is not begun anew, nor one that failed of the same. Raises MipsError for that.
    """
    job, begun = making.job, ("answer begun", session.owner)
    failed = job is not None and job.state == "failed" and results.recall(begun) == weighing.inputs
    if job is None or not (job.active or failed):
        results.remember(begun, weighing.inputs)
        making.ask_again(session.owner)
        job = making.start(session.owner)
    if patience:
        jobs.wait_for(job, patience)
    if job.state == "failed":
        raise MipsError(job.error)
    return making.result


def _shown(session: Session, made: MadeAnswer) -> Answer:
    count, told = search.scouted(session)
    left_out = () if is_scouted_for_another(session) else told.left_out
    return replace(made.answer, on_samples=count, left_out=left_out)
