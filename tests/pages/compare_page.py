"""The Compare page as tests drive it."""

from pages._ui.compare import work as compare_work
from pages._ui.work import jobs
from tests.pages.conftest import session_of


def all_in(at, most=8):
    """Run the page until nothing is left to measure, as its looks do."""
    for _ in range(most):
        assert jobs.wait(300)
        at.run()
        if not any(asked.unsettled for asked in compare_work.wanted(session_of(at))):
            return at.run()  # the last of it may have come after it was drawn
    raise AssertionError("the page still waits for something")


def compared(app, **address):
    """The page with everything on it measured."""
    at = all_in(app("compare.py", settle=False, **address))
    assert not at.exception
    return at


def table(at):
    return at.dataframe[0].value.set_index("speedup")


def timed(at):
    """Press the button, and let the clock run."""
    at.button(key="time").click().run()
    assert jobs.wait(120)
    at.run()
    assert not at.exception
    return at


def rows_of_clock(at):
    return at.dataframe[-1].value.set_index("search")


FEW = {"method": ["pca-tree", "largest-norm"], "compare": "first=pca-tree,view=clock"}
