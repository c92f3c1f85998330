"""The Drift page as tests drive it."""

from pages._ui.work import jobs
from tests.pages.conftest import texts

PAGE = "drift.py"


FEW = {"queries": "rows 60 0.1 no", "k": "5"}


def opened(app, **address):
    """The page; Home, passed on the way, has measured its own."""
    at = app(PAGE, settle=False, **{**FEW, **address})
    assert jobs.wait(300)
    return at.run()


def measured(at):
    """Press the button, and look when it is done."""
    at.button(key="drift measure").click().run()
    assert jobs.wait(300)
    at.run()
    assert not at.exception
    return at


def table(at):
    return at.dataframe[0].value


def infos(at):
    return " ".join(info.value for info in at.info)


def words(at):
    return " ".join([texts(at), *(warning.value for warning in at.warning)])
