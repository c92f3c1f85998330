"""The Report page as tests drive it."""

from pages._ui.report import assembly, making
from pages._ui.work import jobs
from tests.pages.conftest import session_of

FEW = ["flat-kmeans", "srp-hash"]


def report_on(at):
    """The report that the page offers now."""
    session = session_of(at)
    known = assembly.evaluations_of(session)
    return making.making_of(session, known, assembly.point_of(session, known)[1]).here().report


def look(at):
    """Until nothing more comes: what is measured, what is read off it, and the report of both."""
    for _ in range(3):
        assert jobs.wait(300)
        at = at.run()
    return at


def opened(app, method=FEW, **address):
    """The page when nothing more comes."""
    return look(app("report.py", method=method, settle=False, **address))
