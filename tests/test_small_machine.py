"""What a server on a small machine holds is read with what it shares counted once."""

import os
import subprocess
import sys

import pytest

from benchmarks.process import held_together, mebibytes
from benchmarks.small_machine import SCRIPT, Held

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/smaps"),  # noqa: PTH110
    reason="the system does not tell what is shared",
)
CHILD = "import sys, time; held = b'x' * 40 * 2**20; print(len(held), flush=True); time.sleep(600)"


def test_a_process_and_its_children_are_added_and_the_most_is_kept():
    held = Held(os.getpid())
    held.read()
    alone = held.take()
    with subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        with_child = held.take()
        child.kill()
    assert with_child[1] - alone[1] >= 40
    alone = held_together([os.getpid()])
    assert 0 < alone <= mebibytes(os.getpid()) + 1
    assert held_together([os.getpid()] * 2) < 2 * alone
    assert held_together([2**30]) == 0


def test_it_is_watched_all_the_while(monkeypatch):
    monkeypatch.setattr("benchmarks.small_machine.LOOK", 0.0)
    looked = []
    held = Held(os.getpid())
    monkeypatch.setattr(held, "read", lambda: looked.append(1))
    with held.watched():
        while not looked:
            pass
    seen = len(looked)
    assert seen
    assert SCRIPT.is_file()
