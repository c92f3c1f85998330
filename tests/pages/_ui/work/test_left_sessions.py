"""Who has left holds nothing of the server for long, whether or not others come."""

import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.sync.client import connect

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
