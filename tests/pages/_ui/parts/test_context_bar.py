"""The line over every page says what is computed, and leads to where it is shown."""

import ast
import threading

import pytest

from pages._ui.parts import context_bar
from pages._ui.state import session as choices
from pages._ui.work import jobs
from pages._ui.work.job import Job
from tests.pages.conftest import MAIN, session_of, small_dataset, texts

UI = MAIN.parent


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ([("evaluation", 1)], "Measuring 1 setting · 0%"),
        ([("evaluation", 1), ("evaluation", 2)], "Measuring 2 settings · 0%"),
        ([("clock", 1)], "Work 0 · 0%"),
        ([("clock", 1), ("evaluation", 1)], "Measuring 2 pieces · 0%"),
    ],
)
def test_what_is_computed_is_named(app, keys, said):
    at = app("methods.py")
    owner = at.session_state["session"].owner
    release = threading.Event()
    for number, key in enumerate(keys):
        jobs.start(key, f"Work {number}", lambda progress: release.wait(20), owner)
    at.run()
    links = [link.proto.label for link in at.main.get("page_link")]
    release.set()
    assert said in links


@pytest.mark.parametrize(
    ("lane", "said"),
    [
        ("measure", "Mine · 0% · waits for work of another visitor"),
        ("show", "Mine · 0% · beside work of another visitor"),
    ],
)
def test_another_visitors_clock_is_named_to_who_waits_for_it(app, lane, said):
    at = app("methods.py")
    owner, release = at.session_state["session"].owner, threading.Event()
    begun = threading.Event()
    jobs.start(
        ("clock", 1), "Timing searches", lambda progress: begun.set() or release.wait(20), "you"
    )
    assert begun.wait(5)
    jobs.start("mine", "Mine", lambda progress: release.wait(20), owner, lane=lane)
    at.run()
    links = [link.proto.label for link in at.main.get("page_link")]
    release.set()
    assert said in links


def kinds_of_tasks(folder):
    """The first parts of the keys of what a page's folder has made by jobs."""
    for file in folder.glob("*.py"):
        every = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        for function in (node for node in every if isinstance(node, ast.FunctionDef)):
            inside = list(ast.walk(function))
            named = {
                target.id: node.value
                for node in inside
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for call in (node for node in inside if isinstance(node, ast.Call)):
                if ast.unparse(call.func) == "Task":
                    key = call.args[0]
                    key = named.get(key.id) if isinstance(key, ast.Name) else key
                    first = key.elts[0] if isinstance(key, ast.Tuple) else key
                    if isinstance(first, ast.Constant):
                        yield first.value


@pytest.mark.parametrize(
    "page", ["build", "compare", "drift", "map", "report", "robustness", "search", "tune"]
)
def test_what_a_page_waits_for_leads_back_to_it(page):
    kinds = {*kinds_of_tasks(UI / page), *(["tuned"] if page == "tune" else [])}
    assert kinds
    work = [Job((kind, 1), "", print, "me", 0) for kind in kinds]
    assert {context_bar._page_of(job) for job in work} == {f"{page}.py"}


def test_k_and_queries_change_in_the_context_bar(app):
    at = app("tradeoff.py")
    at.segmented_control(key="context K 10").set_value(100).run()
    assert session_of(at).K == 100
    at.number_input(key="context any K 100").set_value(7).run()
    assert session_of(at).K == 7
    assert at.number_input(key="context any K 100").value == 7  # the same field, with its focus
    (pressed,) = (c for c in at.segmented_control if c.key.startswith("context K"))
    assert pressed.value is None
    pressed.set_value(100).run()
    assert at.number_input(key="context any K 100 again").value == 100  # another
    at.number_input(key="context count 500").set_value(33).run()
    jobs.wait(300)
    at.run()
    assert not at.exception
    assert session_of(at).dataset.m == 33
    assert at.dataframe[0].value["queries"].unique() == [33]


def test_a_long_name_leaves_room_in_the_context_bar(app, monkeypatch):
    long = small_dataset(name="n" * 120)
    monkeypatch.setattr(choices, "load_from_catalog", lambda key: long)
    at = app()
    label = at.get("popover")[0].proto.popover.label
    assert label == f"**{'n' * 31}…** 400 × 6"
    assert "n" * 120 in texts(at)  # in the popover
    assert not at.exception
