"""What a report is made of: every setting of the methods compared, wherever it was measured."""

from mips_core import Evaluation
from pages._ui.state import wishes
from pages._ui.state.report_state import ReportView
from pages._ui.state.session import Session
from pages._ui.tune import search
from pages._ui.work.measurement import Measurement

PAGE = "report"


def view_of(chosen: Session) -> ReportView:
    """What this visitor asks of the page."""
    view: ReportView = chosen.views[PAGE]
    return view


def wanted(chosen: Session) -> list[Measurement]:
    """Every setting of the methods compared, and the index under the slider, first wanted first."""
    asked = sorted(search.wanted(chosen).items(), key=lambda one: one[1])
    own = chosen.asked_of(chosen.index)
    return list({one.key: one for one in [own, *(one for one, _ in asked)]}.values())


def measure_missing(chosen: Session) -> None:
    """Measure what is not known yet, what was cancelled or failed as well."""
    asked = wanted(chosen)
    wishes.want(chosen, PAGE, [one.key for one in asked])
    for order, one in enumerate(asked):
        if one.tried is None:
            one.ask_again()
            one.start(chosen.owner, order)


def measuring(chosen: Session) -> bool:
    """Whether any of it is under way, started here or on another page."""
    return any(one.job is not None and one.job.active for one in wanted(chosen))


def known(chosen: Session) -> list[Evaluation]:
    """What is measured of it."""
    found = (one.evaluation for one in wanted(chosen))
    return [evaluation for evaluation in found if evaluation is not None]
