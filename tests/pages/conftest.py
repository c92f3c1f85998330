"""A small data set in place of the shipped one, so that pages answer at once."""

import logging
import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mips_core import INDEXES, Dataset
from mips_core.base import cache_folder, limits
from mips_core.base.progress import silent
from mips_core.scale.write_parts import write_parts
from mips_core.studies import forecast
from mips_core.studies.tuning import scouting
from pages._ui.state import session, settings
from pages._ui.work import earlier, jobs, parts_data, results, uploads

MAIN = Path(__file__).parents[2] / "pages" / "_ui" / "main.py"

# AppTest asks for the context of a script where none runs; Streamlit warns at each look.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").addFilter(
    lambda record: "missing ScriptRunContext" not in record.getMessage()
)


def small_dataset(n=400, d=6, **known):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    labels = [f"word {i}" for i in range(n)]
    return Dataset(X, labels=labels, **{"name": "small", **known})


@pytest.fixture(autouse=True)
def _small_data(monkeypatch):
    """The shipped data is small here, and nothing is left for the next test."""
    dataset = small_dataset()
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    results.forget_all()
    yield
    for job in list(jobs._BOOK.values()):
        jobs.cancel(job)
    jobs.wait(30)
    jobs._BOOK.clear()


@pytest.fixture
def app():
    """The whole app, headless; call with a page's file name to go there."""
    at = AppTest.from_file(MAIN, default_timeout=60)

    def go(page=None, settle=True, **address):
        for name, value in address.items():
            at.query_params[name] = value
        if page is not None:
            at.run()  # the pages are known after a first run
            at.switch_page(str(MAIN.parents[1] / page))
        at.run()
        if settle:
            assert jobs.wait(300)
            chosen = at.session_state["session"]
            settings.start_missing(chosen, settings.settings_of(chosen))  # as the next look does
            assert jobs.wait(300)
            at.run()
        return at

    return go


@pytest.fixture
def temporary(monkeypatch, tmp_path):
    """Where temporary files go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def earlier_store(monkeypatch, tmp_path):
    """What is used is kept in an empty folder."""
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(earlier, "_WHY_NOT", [*earlier._WHY_NOT])
    earlier.start()
    yield earlier.store()
    earlier.store().settle()
    earlier._STORES.clear()


@pytest.fixture
def use(monkeypatch):
    """Put a data set in the place of the small one."""

    def put(dataset):
        monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
        return dataset

    return put


@pytest.fixture
def sampled(app, tmp_path, monkeypatch):
    """Go to a page of a sample of 150 of 400 vectors in parts; `sampled.folder` holds them."""
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 4 * 6 * 150)
    manifest = write_parts([("X", small_dataset().items)], tmp_path / "words", rows=90)
    file = SimpleNamespace(name="manifest.json", private="", path=lambda: manifest.path)
    source = parts_data.opened_parts([file], silent).dataset
    session = session_of(app("guide.py", settle=False))
    session.use(source, source.fingerprint, replace(session.recipe, count=60))
    session.indexes = [INDEXES["flat-kmeans"](n_clusters=9), INDEXES["pca-tree"]()]
    session.show, session.methods = "built", ["flat-kmeans"]
    return SimpleNamespace(manifest=manifest, folder=manifest.path.parent, go=app)


@pytest.fixture
def many(monkeypatch):
    """Sets of the size of tests are many items, and samples are small."""
    monkeypatch.setattr(forecast, "LARGE", 300)
    monkeypatch.setattr(scouting, "SAMPLES", (100, 200))
    monkeypatch.setattr(scouting, "OF_A_CURVE", 2)


@pytest.fixture
def at(app):
    """The Data page on the shipped data, with little measured beside it."""
    return app("data.py", method="flat-kmeans")


def begin_anew():
    """As if the server had been killed, after it had written all, and started again."""
    if earlier.store() is not None:
        assert earlier.store().settle()
        earlier.start()
    uploads._UPLOADS.forget()
    uploads._ORIGINS.clear()
    results.forget_all()
    jobs._BOOK.clear()


def session_of(at):
    return at.session_state["session"]


def texts(at):
    return " ".join(
        element.value
        for kind in (at.markdown, at.info, at.success, at.error, at.caption)
        for element in kind
    )
