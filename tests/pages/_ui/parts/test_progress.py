"""How far measurements are: what is under way, what was stopped, and what finds no room."""

import ast
import threading
import time
from collections import namedtuple
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.parts import progress
from pages._ui.work import jobs, measurement, results
from pages._ui.work.job import LATER, Job
from pages._ui.work.task import Task
from tests.pages.conftest import MAIN

PAGES = Path(__file__).parents[4] / "pages"
Owner = namedtuple("Owner", "owner")


def script():
    from pages._ui.parts import progress
    from pages._ui.work.task import Task

    progress.draw([Task(key, "", lambda progress: None) for key in ("one", "two")])


def drawn():
    at = AppTest.from_function(script).run()
    assert not at.exception
    return at


def test_nothing_is_said_where_all_is_known_or_nothing_was_started():
    assert not drawn().info
    for key in ("one", "two"):
        results.remember(key, 1)
    assert not drawn().info


def test_what_is_stopped_can_be_gone_on_with(monkeypatch):
    def fail(progress):
        raise MemoryError

    results.remember("one", 1)
    Task("two", "", fail).start("me")
    assert jobs.wait(5)
    at = drawn()
    assert "1 settings could not be measured" in at.info[0].value
    at.button(key="go on").click().run()
    assert jobs.find("two") is None


def test_what_waits_says_for_what_and_how_long_that_takes_still(monkeypatch):
    monkeypatch.setattr(progress.app_state, "current", lambda: Owner("me"))
    running = Job("a", "Timing *it*", None, "you", 0, state="running")
    running.worked, running.fraction = 60, 0.25
    waiting = Job("b", "Mine", None, "me", 0)
    monkeypatch.setattr(jobs, "running", lambda lane: running)
    monkeypatch.setattr(jobs, "place", lambda job: (3, 240.0))
    now = "work of another visitor · about 3 min left"
    assert progress.how_far(waiting) == f"Number 3 in the queue · about 4 min to wait · now {now}"
    monkeypatch.setattr(jobs, "place", lambda job: (2, None))
    assert progress.how_far(waiting) == f"Number 2 in the queue · now {now}"
    monkeypatch.setattr(jobs, "place", lambda job: (1, 180.0))
    assert progress.how_far(waiting) == f"Waiting for {now}"
    mine = Job("d", "Mine", None, "me", 0, state="running", aside=True, fraction=0.3)
    assert progress.how_far(mine) == f"30% · lets {now} go first"
    running.owner, running.fraction = "me", 0.75
    assert progress.how_far(waiting) == "Waiting for “Timing \\*it\\*” · about 20 s left"
    assert progress.how_far(running) == "Timing \\*it\\* · about 20 s left"
    for first in (None, Job("c", "All settings", None, "you", LATER, state="running")):
        monkeypatch.setattr(jobs, "running", lambda lane, first=first: first)
        assert progress.how_far(waiting) == "Waiting for its turn"


def test_results_without_room_are_counted(monkeypatch):
    monkeypatch.setattr(results, "crowded", lambda key: key == "one")
    assert "1 of 2 results do not fit into memory" in drawn().info[0].value


def test_how_often_pages_look_again_is_said_in_one_place():
    nodes = [
        (file.name, node)
        for file in PAGES.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    ]
    paces = [
        (name, node.value)
        for name, node in nodes
        if isinstance(node, ast.keyword) and node.arg == "run_every"
    ]
    paces += [
        (name, node.args[1])
        for name, node in nodes
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "watch_jobs"
    ]
    assert len(paces) >= 15
    for name, pace in paces:
        numbers = [part.value for part in ast.walk(pace) if isinstance(part, ast.Constant)]
        assert not [n for n in numbers if isinstance(n, float)], f"{name} has a pace of its own"


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.py")), ids=lambda path: path.stem)
def test_no_page_cancels_for_others(path):
    tree = ast.parse(path.read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    of_visitor = {id(call.func) for call in calls if len(call.args) == 2}
    for node in ast.walk(tree):
        cancels = isinstance(node, ast.Attribute) and ast.unparse(node) == "jobs.cancel"
        assert not cancels or id(node) in of_visitor, f"{path.name}, line {node.lineno}: for whom?"


def test_who_cancels_settings_ends_them_for_nobody_who_waits_too(monkeypatch):
    hold = threading.Event()
    measure = measurement.measure

    def held(*inputs):
        while not hold.is_set():
            inputs[-1](0.1, "held")
            time.sleep(0.01)
        return measure(*inputs)

    monkeypatch.setattr(measurement, "measure", held)
    ann, bob = (AppTest.from_file(MAIN, default_timeout=60) for _ in range(2))
    for at in (ann, bob):
        at.query_params["compare"] = "second=largest-norm"
        at.run()
        at.switch_page(str(PAGES / "compare.py")).run()
        assert at.button(key="cancel settings")
    ann.button(key="cancel settings").click().run()
    assert "Cancelled after 0 of" in words(ann)
    assert "cancel settings" not in [button.key for button in ann.button]
    bob.run()
    assert "Cancelled" not in words(bob)
    assert bob.button(key="cancel settings")
    assert not any(job.stop or job.state == "cancelled" for job in jobs._BOOK.values())
    ann.button(key="go on").click().run()
    assert ann.button(key="cancel settings")
    bob.button(key="cancel settings").click().run()
    hold.set()
    assert jobs.wait(60)
    for at in (ann, bob):
        at.run()
        assert not at.exception
        assert "Cancelled" not in words(at)  # what came for the other is there for both


def words(at):
    return " ".join(element.value for kind in (at.info, at.markdown) for element in kind)
