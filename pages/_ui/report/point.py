"""Which setting the report recommends."""

from collections.abc import Sequence

from mips_core import Evaluation, Setting
from mips_core.evaluation.setting import position_of
from mips_core.report import Chosen, as_set, at_precision, by_tuning
from mips_core.studies.tuning import Tuned
from pages._ui.parts.curve import usual_effort
from pages._ui.report.work import view_of
from pages._ui.state.report_state import Point
from pages._ui.state.session import Session
from pages._ui.tune import answer as tune_answer
from pages._ui.tune import search


def point_of(session: Session, known: Sequence[Evaluation]) -> tuple[Point, Chosen]:
    """The setting, and what it is: what was asked for may not be there.

    In its place then stands the best of what is `known`, one or more, at Tune's precision.
    """
    point, found, unpromised = view_of(session).point, None, None
    if point == "tune":
        answer = tune_answer.answer_of(session)
        found = None if answer is None else by_tuning(answer)
        unpromised = answer.need if isinstance(answer, Tuned) else None
    elif point == "slider":
        found = _under_slider(session)
    if found is not None:
        return point, found
    precision = search.view_of(session).precision
    return "target", at_precision(known, session.K, precision, unpromised)


def _under_slider(session: Session) -> Chosen | None:
    """The index and the effort that all pages share."""
    evaluation = session.asked_of(session.index).evaluation
    if evaluation is None:
        return None
    effort = session.effort or usual_effort(evaluation.curve((session.K,)), session.K)
    at = position_of(effort, evaluation.efforts)
    return as_set(Setting(evaluation.index, evaluation.seed, int(evaluation.efforts[at])))
