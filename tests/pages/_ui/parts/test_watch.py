"""A fragment that waits looks often, and is drawn again only where there is news."""

import asyncio
from pathlib import Path

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.visitor import visit
from tests.e2e.harness import Server

APP = """
import time
from pathlib import Path
import streamlit as st
from pages._ui.parts.watch import watch_jobs
from pages._ui.work import jobs

def work(progress):
    while not Path({go_on!r}).exists():
        progress(0.1, "waiting for a file")
        time.sleep(0.01)
    progress(0.9, "nearly there")
    while not Path({end!r}).exists():
        time.sleep(0.01)
    return "done"

def draw(name):
    times = st.session_state[name] = st.session_state.get(name, 0) + 1
    job = jobs.start(name, "", work, "me")
    st.button(f"{{name}} {{times}} times, {{job.message}}")
    return name == "twice" and times == 1

def other(name):
    draw(name)

def below():
    draw("below")
    st.checkbox("pick", key="pick")

def chosen():
    return (bool(st.session_state.get("pick")),)

watch_jobs(draw, 0.1, "twice", below=[(below,)], chosen=chosen)
watch_jobs(other, 0.1, "once")

def head(name):
    draw(name)

def tail():
    draw("tail")

def alone():
    draw("alone")

watch_jobs(head, 0.1, "head", below=[(tail,)], shows=lambda: (None, Path({go_on!r}).exists()))
watch_jobs(alone, 0.1, shows=lambda: [Path({end!r}).exists()])
watch_jobs(print, None)
"""


@pytest.fixture
def server(tmp_path):
    script = tmp_path / "app.py"
    script.write_text(APP.format(go_on=str(tmp_path / "go on"), end=str(tmp_path / "end")))
    with Server(script, tmp_path / "log.txt") as server:
        yield server


def test_looks_without_news_draw_nothing(server):
    folder = Path(server.script).parent

    async def until(visitor, label):
        while not visitor.find("button", label):
            await asyncio.sleep(0.02)

    async def looked(visitor, more=12):
        runs = visitor.runs
        while visitor.runs < runs + more:
            await asyncio.sleep(0.02)

    def times(visitor, name):
        every = range(1, 20)
        return max(n for n in every if visitor.find("button", f"{name} {n} times"))

    async def work():
        visitor = await visit(server.url)
        async with asyncio.timeout(60):
            await visitor.go("", "")
            poll = asyncio.create_task(visitor.poll())
            await until(visitor, "twice 2 times, waiting for a file")  # as it has asked for
            await looked(visitor)
            assert visitor.find("button", "once 1 times")
            assert visitor.find("button", "twice 2 times")
            (folder / "go on").touch()
            await until(visitor, "twice 3 times, nearly there")
            await looked(visitor)
            assert visitor.find("button", "twice 3 times")
            assert visitor.find("button", "once 1 times")  # its job waits for its turn
            assert visitor.find("button", "below 1 times")  # and where it went on is no news
            (folder / "end").touch()
            await until(visitor, "once 2 times")
            await until(visitor, "below 2 times")
            await until(visitor, "twice 4 times")
            await until(visitor, "tail 2 times")
            await until(visitor, "alone 2 times")
            await looked(visitor, 30)
            assert (times(visitor, "tail"), times(visitor, "alone")) == (2, 2)  # whatever came
            pick = visitor.find("checkbox", "pick")
            visitor.states[pick] = WidgetState(id=pick, bool_value=True)
            for fragment in list(visitor.fragments):
                await visitor.run(fragment)
            await looked(visitor)
            both = times(visitor, "twice") + times(visitor, "below")
            assert both == 4 + 2 + 3  # each, and once the other, where what was picked is new
            assert times(visitor, "once") == 3
            assert (times(visitor, "tail"), times(visitor, "alone")) == (3, 3)
        poll.cancel()
        assert visitor.boxes == []
        await visitor.leave()

    asyncio.run(work())
