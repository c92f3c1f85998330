"""Who has left holds nothing of the server for long, whether or not others come."""

import time
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.session_manager import SessionManager
from websockets.sync.client import connect

from pages._ui.work import left_sessions
from tests.e2e.harness import ROOT, Server

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts by /proc")
VISITORS = 8


@pytest.fixture
def server(tmp_path):
    ttl = {"server.disconnectedSessionTTL": 1}
    with Server(ROOT / "app.py", tmp_path / "log.txt", **ttl) as server:
        yield server


def run_of_the_first_page():
    message = BackMsg()
    message.rerun_script.query_string = ""
    return message.SerializeToString()


def until(read, fits, seconds=120):
    deadline = time.monotonic() + seconds
    while not fits(number := read()):
        assert time.monotonic() < deadline, f"{number} after {seconds} s"
        time.sleep(0.2)
    return number


def test_their_descriptors_come_back_while_nobody_else_comes(server):
    def held():
        """Wakers of event loops: each session has one, and the server one."""
        links = Path(f"/proc/{server.process.pid}/fd").iterdir()
        return sum("eventpoll" in str(link.readlink()) for link in links if link.is_symlink())

    before = held()
    with ExitStack() as visitors:
        address = f"ws://127.0.0.1:{server.port}/_stcore/stream"
        pages = [visitors.enter_context(connect(address, max_size=None)) for _ in range(VISITORS)]
        for page in pages:
            page.send(run_of_the_first_page())
        for page in pages:
            page.recv()
        assert held() >= before + VISITORS
    until(held, lambda number: number <= before)
    assert "ended late" not in server.log()


def test_each_is_told_before_it_ends(monkeypatch):
    told = []
    sessions = [SimpleNamespace(shutdown=lambda: told.append("ended")) for _ in range(2)]
    cache = SimpleNamespace(
        expire=lambda: [(n, SimpleNamespace(session=one)) for n, one in enumerate(sessions)]
    )
    storage = SimpleNamespace(_session_storage=SimpleNamespace(_cache=cache))
    runtime = SimpleNamespace(_session_mgr=storage)
    monkeypatch.setattr(left_sessions, "get_instance", lambda: runtime)
    assert left_sessions.end_expired(told.append) == 2
    assert told == [sessions[0], "ended", sessions[1], "ended"]


def test_who_is_here_is_counted_and_nobody_before_the_server_runs(monkeypatch):
    assert left_sessions.number() == 0
    assert "num_sessions" in vars(SessionManager)
    runtime = SimpleNamespace(_session_mgr=SimpleNamespace(num_sessions=lambda: 3))
    monkeypatch.setattr(left_sessions, "get_instance", lambda: runtime)
    monkeypatch.setattr(left_sessions.Runtime, "exists", lambda: True)
    assert left_sessions.number() == 3
