"""What a report is made of: every setting of the methods compared, wherever it was measured."""

from mips_core import Evaluation
from pages._ui.state import wishes
from pages._ui.state.report_state import ReportState
from pages._ui.state.session import Session
from pages._ui.tune import search
from pages._ui.work.measurement import Measurement

PAGE = "report"


def state_of(session: Session) -> ReportState:
    """What this visitor asks of the page."""
    state: ReportState = session.states[PAGE]
    return state


def wanted(session: Session) -> list[Measurement]:
    """Every setting of the methods compared, and the index under the slider, first wanted first."""
    asked = sorted(search.wanted(session).items(), key=lambda one: one[1])
    own = session.measurement_of(session.index)
    return list({one.key: one for one in [own, *(one for one, _ in asked)]}.values())


def measure_missing(session: Session) -> None:
    """Measure what is not known yet, what was cancelled or failed as well."""
    asked = wanted(session)
    wishes.want(session, PAGE, [one.key for one in asked])
    for order, one in enumerate(asked):
        if one.result is None:
            one.ask_again()
            one.start(session.owner, order)


def measuring(session: Session) -> bool:
    """Whether any of it is under way, started here or on another page."""
    return any(one.job is not None and one.job.active for one in wanted(session))


def known(session: Session) -> list[Evaluation]:
    """What is measured of it."""
    found = (one.evaluation for one in wanted(session))
    return [evaluation for evaluation in found if evaluation is not None]
