"""The Build page as tests take indexes away there, and open them."""

from streamlit.testing.v1 import AppTest

from pages._ui.build import download
from pages._ui.work import results
from tests.pages.conftest import MAIN
from tests.pages.data_page import read_on, session_of

INDEX = "flat-kmeans:n_clusters=31"


def visit(page="build.py", **address):
    """A new visitor's page."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": "flat-kmeans", "index": INDEX, **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / page)).run()
    return read_on(at)


def files_of(at):
    """What the page would save now."""
    session = session_of(at)
    built = session.measurement_of(session.index).built
    return download.files_of(session, built, session.effort)


def saved(*, with_items=True, **address):
    """An index as one visitor saves it; the next finds nothing in memory."""
    files = files_of(visit(**{"effort": "4", "seed": "5", **address}))
    content = (files if with_items else files.without_items()).saved().getvalue()
    results.forget_all()
    return content


def open_file(at, content, name="mine.mips"):
    at.file_uploader[0].set_value((name, content, "")).run()
    return read_on(at)


def said(at):
    return " ".join(box.value.replace("\\", "").replace("**", "") for box in at.success)
