"""The benchmark's visitors do what a browser would, and what they met is counted."""

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from streamlit import config

from benchmarks import app_speed, crowd, process, visitors
from benchmarks.crowd import PAGES, SHARES, quantiles
from benchmarks.visitor import visit
from benchmarks.visitors import WATCHED, show_pages, show_polls
from benchmarks.visitors_page import visitors_page
from mips_core.base import limits
from tests.e2e import test_app
from tests.e2e.harness import Server

ASKED = """
import streamlit as st

def first():
    K = st.number_input("Any K, 1 to 100", 1, 100, 10)
    st.write(f"K is {K}")
    if st.button("Build"):
        raise ValueError("no room")
    looks = st.session_state.setdefault("looks", [])
    @st.fragment(run_every=0.1 if len(looks) < 3 else None)
    def look():
        looks.append(len(looks))
        if len(looks) == 3:
            st.rerun()
        st.write(f"looked {len(looks)} times")
    look()

def second():
    st.write("the second page", st.query_params.get("data"))

def long():
    st.text_area("long", "x" * 100_000)

st.navigation([st.Page(first), st.Page(second), st.Page(long)]).run()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("visited")
    script = folder / "app.py"
    script.write_text(ASKED)
    with Server(script, folder / "log.txt") as server:
        yield server


def asked(server, work):
    """What `work`, told of a new visitor, gives."""

    async def run():
        visitor = await visit(server.url)
        try:
            async with asyncio.timeout(60):
                return await work(visitor)
        finally:
            await visitor.leave()

    return asyncio.run(run())


def test_a_visitor_opens_a_link_sets_a_widget_and_changes_page(server):
    async def work(visitor):
        seconds = await visitor.go("", "data=words")
        box = visitor.find("number_input", "Any K")
        assert box
        assert visitor.find("number_input", "No such") == ""
        assert await visitor.set(box, double_value=7) > 0
        assert visitor.states[box].double_value == 7
        await visitor.go("second")
        assert not visitor.widgets
        assert visitor.live_curve() == ("", {})
        return seconds, set(visitor.pages), visitor.boxes, visitor.sent

    seconds, pages, boxes, sent = asked(server, work)
    assert seconds > 0
    assert pages == {"", "second", "long"}
    assert boxes == []
    assert sent > 1000


def test_what_a_fragment_asks_for_by_the_clock_is_asked_for_until_it_asks_no_more(server):
    async def work(visitor):
        await visitor.go("", "")
        assert list(visitor.every.values()) == [pytest.approx(0.1)]
        await crowd.settled(visitor, pause=0)
        return visitor.runs, visitor.every, len(visitor.fragments)

    runs, every, fragments = asked(server, work)
    assert runs >= 3
    assert every == {}
    assert fragments == 1


def test_an_error_that_a_page_shows_is_counted_and_a_press_is_sent_once(server):
    async def work(visitor):
        await visitor.go("", "")
        await visitor.set(visitor.find("button", "Build"), trigger_value=True)
        first = list(visitor.boxes)
        await visitor.run()
        return first, visitor.boxes

    first, boxes = asked(server, work)
    assert len(first) == 1
    assert boxes == first


def few_things(monkeypatch):
    """Let visitors do what the script of these tests knows, and quickly."""
    monkeypatch.setattr(crowd, "SHARES", {"K": 2, "drag": 1, "build": 1, "page": 1})
    monkeypatch.setattr(crowd, "PAGES", ("", "second"))
    monkeypatch.setattr(crowd, "STARTS", ("",))
    monkeypatch.setattr(crowd, "THINKS", (0.0, 0.1))
    monkeypatch.setattr(crowd, "WARM", 0.2)


def test_many_visitors_are_told_apart_by_their_seeds(server, monkeypatch):
    few_things(monkeypatch)
    report = asyncio.run(crowd.crowd(server, 3, 3.0, rests=[0, 0.1]))
    actions = report["actions"]
    assert actions["open by a link"]["n"] == 3
    assert actions["change K"]["n"] > 0
    assert actions["all"]["n"] == sum(row["n"] for name, row in actions.items() if name != "all")
    assert len(report["faults"]) <= 1, report["faults"]  # the press alone fails
    assert bool(report["faults"]) == bool(report["tracebacks"]) == bool(report["told"])
    assert all("ValueError: no room" in text for text in report["told"])
    left = {"0 s after all have left", "0.1 s after all have left"}
    assert set(report["held"]) == {"nobody has come yet", "most"} | left


def test_a_soak_tells_the_least_and_the_most_held_in_each_minute(server, monkeypatch):
    few_things(monkeypatch)
    monkeypatch.setattr(crowd, "LOOK", 0.2)
    report = asyncio.run(crowd.soak(server, 2, 2 / 60, rest=0.1))
    assert report["left"]["memory"] > 0
    assert len(report["held"]) == 2
    assert report["actions"] > 0
    assert report["MiB_a_minute"] == pytest.approx(
        report["held"][1]["memory"] - report["held"][0]["memory"]
    )
    assert report["most_a_minute"] == pytest.approx(
        report["held"][1]["most"] - report["held"][0]["most"]
    )
    assert all(row["memory"] <= row["most"] for row in report["held"])


def test_growth_is_the_slope_of_what_is_held():
    assert crowd.growth([5.0, 7.0, 9.0]) == pytest.approx(2)
    assert crowd.growth([5.0]) == 0


def test_a_message_is_taken_from_what_is_stored_as_browsers_do(server):
    async def work(visitor):
        await visitor.go("", "")
        await visitor.go("long", "")
        first, kept = visitor.sent, len(visitor.stored)
        await visitor.run()
        second = visitor.sent - first
        label = visitor.find("text_area", "long")
        await visitor.go("", "")
        for _ in range(3):
            await visitor.run()
        return first, kept, second, label, visitor.stored

    first, kept, second, label, stored = asked(server, work)
    assert kept >= 1
    assert second < first / 2
    assert label
    assert not stored


def test_the_table_marks_what_takes_too_long(capsys):
    row = {"page": "home", "run": [0.02, 0.05, 2000], "fragment": [0.031, 0.04, 1000]}
    show_pages([row])
    line = capsys.readouterr().out.splitlines()[-1]
    assert "20.0 " in line
    assert "31.0!" in line
    assert "2 kB" in line


def test_the_table_of_polls_tells_what_one_takes(capsys):
    show_polls([{"page": "map", "a_second": 2.0, "processor_s": 0.004, "bytes": 2500}])
    assert capsys.readouterr().out.splitlines()[-1].split() == [
        "map",
        "2.0",
        "4.0",
        "ms",
        "2.5",
        "kB",
    ]


def test_times_are_told_by_their_quantiles():
    row = quantiles([0.1] * 95 + [1.0] * 5)
    assert (row["n"], row["p50"], row["most"]) == (100, pytest.approx(0.1), 1.0)
    assert 0.1 < row["p95"] < 1.0
    assert quantiles([]) == {"n": 0}


def test_memory_of_a_process_that_is_not_there_is_not_a_number():
    assert process.mebibytes(os.getpid()) > 10 or not Path("/proc").is_dir()
    assert process.mebibytes(2**30) != process.mebibytes(2**30)
    assert process.holding(2**30).descriptors == 0


@pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")
def test_what_a_process_holds_and_what_measuring_takes_apart_is_read():
    """A thread that measures has ended by then, as jobs do."""
    busy = "while time.thread_time() < 1: pass"
    niced = f"import os, threading, time\ndef work():\n os.setpriority(0, 0, 19)\n {busy}\n"
    niced += "threading.Thread(target=work, daemon=True).start()\ntime.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", niced])
    try:
        deadline = time.monotonic() + 50
        pages, tasks = process.PageTime(child.pid), Path(f"/proc/{child.pid}/task")
        while time.monotonic() < deadline:
            pages.look()
            done = app_speed.processor_seconds(child.pid) >= 0.9
            if done and len(list(tasks.iterdir())) == 1:
                break
            time.sleep(0.05)
        assert pages.look() < app_speed.processor_seconds(child.pid) / 2
        before = pages.look()
        assert asyncio.run(pages.watch(0.01)) < before + 0.5
        assert process.holding(child.pid).descriptors >= 3
        assert process.holding(os.getpid()).children >= process.mebibytes(child.pid) / 2
    finally:
        child.kill()
        child.wait()


def test_every_page_of_the_app_is_measured():
    assert set(PAGES) == {path.strip("/") for path in test_app.PAGES}
    assert set(WATCHED) < set(PAGES)
    assert {"page", "K", "drag", "build", "tune"} < set(SHARES)
    assert set(SHARES) - {"page", "K", "drag"} < set(PAGES)


def test_what_was_measured_is_written(monkeypatch, tmp_path, server):
    row = {"page": "home", "run": [0.02, 0.05, 2000], "fragment": [0.0, 0.0, 0.0]}

    async def costs(*_):
        return [row]

    monkeypatch.setattr(visitors, "page_costs", costs)
    monkeypatch.setattr(visitors, "ROOT", server.script.parent)
    file = tmp_path / "pages.json"
    done = CliRunner().invoke(visitors.main, ["pages", "--json", str(file)])
    assert done.exit_code == 0, done.output
    told = json.loads(file.read_text())
    assert told["pages"] == [row]
    file.write_text(json.dumps(told | {"polls": []}))
    page = tmp_path / "page.md"
    done = CliRunner().invoke(visitors.main, ["page", "--json", str(file), "--markdown", str(page)])
    assert done.exit_code == 0, done.output
    assert "## A run of a page" in page.read_text()
    assert json.loads(file.read_text())["polls"] == []


def test_the_page_holds_what_was_measured_and_leaves_out_the_rest(monkeypatch):
    monkeypatch.setattr(limits, "UNSEEN_SECONDS", 420)
    monkeypatch.setattr(config, "get_option", {"server.disconnectedSessionTTL": 90}.__getitem__)
    held = {"memory": 700.0, "children": 0.0, "descriptors": 50}
    report = {
        "machine": {"processor": "one", "cores": 2},
        "versions": {"python": "3"},
        "pages": [{"page": "home", "run": [0.02, 0.05, 2000], "fragment": [0.001, 0.002, 300]}],
        "polls": [{"page": "map", "a_second": 2.0, "processor_s": 0.004, "bytes": 2500}],
        "load": {
            "visitors": 20,
            "seconds": 600,
            "machine_load": 0.5,
            "actions": {"all": {"n": 1, "p50": 0.1, "p95": 0.2, "most": 0.3}, "none": {"n": 0}},
            "polls": {"n": 1000, "bytes": 2000.0},
            "processor_s_an_action": 0.1,
            "of_it_pages": 0.05,
            "held": dict.fromkeys(("most", "420 s after all have left"), held),
            "faults": {"KeyError": 2},
            "tracebacks": 1,
        },
        "soak": {
            "visitors": 6,
            "minutes": 12,
            "actions": 5000,
            "machine_load": 0.1,
            "left": {"seconds": 420, "memory": 305.0},
            "held": [
                {"memory": 300.0 + n, "most": 400.0 + n, "children": 0.0, "descriptors": 9}
                for n in range(13)
            ],
            "MiB_a_minute": 1.0,
            "most_a_minute": 2.0,
            "descriptors_a_minute": 0.0,
            "faults": {},
        },
    }
    page = visitors_page(report)
    assert "| home | 20 ms | 50 ms | 2 kB | 1 ms | 2 ms | 0 kB |" in page
    assert "| map | 2.0 | 4.0 ms | 2.5 kB |" in page
    assert "| all | 1 | 0.10 s | 0.20 s | 0.30 s |" in page
    assert "none" not in page.split("## 20 visitors")[1].split("##")[0].split("Errors")[0]
    assert "Errors on pages: 2; in the log of the server: 1." in page
    assert "7 minutes after all have left, at most 150 MiB more" in page
    assert "7 minutes after all have left it holds 305 MiB" in page
    assert [line for line in page.splitlines() if line.startswith("| 1")][-2:] == [
        "| 10 | 310 MiB | 410 MiB | 9 |",
        "| 12 | 312 MiB | 412 MiB | 9 |",
    ]
    size = limits.UNSEEN_CACHE_BYTES // 2**20
    assert f"for 7 minutes are forgotten where all take more than\n  {size} MiB" in page
    assert "the last visitor has been gone for 90 seconds" in page
    del report["soak"], report["load"]
    assert "A long time" not in visitors_page(report)
