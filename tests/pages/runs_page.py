"""Kept runs on Compare as tests drive them."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages._ui.compare import runs_shelf
from pages._ui.state import runs_state
from pages._ui.state.settings import settings_of
from pages._ui.work import jobs
from tests.pages.conftest import session_of

SCRIPT = Path(__file__).parent / "runs_script.py"


HOSTILE = "<script>alert(1)</script> **[x](http://x)** %{y} $flat"


def new_session(**address):
    """A visitor with this address, or the same one after a refresh."""
    at = AppTest.from_file(SCRIPT, default_timeout=60)
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def settled(at):
    """The page when nothing is left to measure."""
    for _ in range(3):
        assert jobs.wait(300)
        at.run()
    assert not at.exception
    return at


def section(**address):
    """The section once four settings are measured."""
    at = new_session(**address)
    session = session_of(at)
    for index in settings_of(session).under_slider[:4]:
        session.measurement_of(index).start(session.owner)
    assert jobs.wait(300)
    return at.run()


def keep(at, setting=0, name=None):
    """Keep the measured setting of this number, under this name."""
    labelled(at.selectbox, "Measured setting").select_index(setting).run()
    if name is not None:
        labelled(at.text_input, "Name of the run").set_value(name).run()
    at.button(key="runs keep").click().run()
    assert not at.exception
    return at


def labelled(elements, label):
    return next(one for one in elements if one.label == label)


def names(at):
    return [run.name for run in runs_shelf.runs_of(session_of(at))]


def table(at):
    return next(d.value for d in at.dataframe if "seconds to build" in d.value)


def forget():
    """As if the server had been started anew."""
    runs_state._SHELVES.forget()
