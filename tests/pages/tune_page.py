"""Tune as tests drive it: the button pressed, looked at until nothing more comes."""

import json
import time

from streamlit.testing.v1 import AppTest

from pages._ui.tune import search as tune_search
from pages._ui.work import jobs
from tests.pages.conftest import MAIN, session_of, texts

FEW = ["srp-hash", "largest-norm"]  # nothing of them is known from other pages


def opened(method=FEW, **address):
    """Tune as a visitor with this link sees it; Home, passed on the way, has measured its own."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": method, **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / "tune.py"))
    assert jobs.wait(300)
    return at.run()


def search(at):
    """Press the button and look until nothing more comes."""
    at.button(key="tune find").click().run()
    return look(at)


def look(at):
    while tune_search.watching(session_of(at)):
        at = run(at)
    return run(at)  # what ended since the last look


def run(at):
    """A look at the page, and another when what it began has ended: the answer comes by a job."""
    assert jobs.wait(300)
    at.run()
    assert jobs.wait(300)
    return at.run()


def words(at):
    return " ".join([texts(at), *(warning.value for warning in at.warning)])


def slide(at, name, value):
    """Move a slider, as the browser would."""
    at.session_state[f"tune {name}"] = {"choice": {"value": value, "serial": time.monotonic()}}
    at.run()
    return run(at)


def sliders(at):
    """Labels and values of the sliders on the page."""
    found = [json.loads(e.proto.json) for e in at.get("bidi_component")
             if e.proto.component_name == "mips_value"]  # fmt: skip
    return {told["label"]: told["values"][told["at"]] for told in found}


def known(at):
    return tune_search.tried_of(session_of(at))


def table(at):
    return at.dataframe[0].value


def grows(at):
    """Measure how it scales, and look until it is there."""
    at.button(key="tune scale").click().run()
    assert jobs.wait(300)
    return at.run()
