"""The Report page as tests drive it."""

from pages._ui.report import assembly
from pages._ui.work import jobs
from tests.pages.conftest import session_of

FEW = ["flat-kmeans", "srp-hash"]


def report_on(at):
    """The report that the page offers now."""
    chosen = session_of(at)
    known = assembly.evaluations_of(chosen)
    return assembly.report_on(chosen, known, assembly.point_of(chosen, known)[1])


def look(at):
    """Until nothing more comes."""
    assert jobs.wait(60)
    at.run()
    assert jobs.wait(60)
    return at.run()


def opened(app, method=FEW, **address):
    """The page when nothing more comes."""
    return look(app("report.py", method=method, settle=False, **address))
