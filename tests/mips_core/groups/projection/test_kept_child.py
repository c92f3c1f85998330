"""A kept child serves one task at a time, and ends with the process that keeps it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mips_core.base.child_process import ChildProcess
from mips_core.base.errors import Cancelled, MipsError
from mips_core.base.progress import silent
from mips_core.groups.projection.kept_child import KeptChild

ROOT = Path(__file__).parents[4]
ECHO = """
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
LEAVE_BEHIND = """
import os
from mips_core.base.child_process import ChildProcess
from mips_core.groups.projection.kept_child import KeptChild
kept = KeptChild(lambda: ChildProcess("import time; time.sleep(600)", environment=dict(os.environ)))
kept.warm()
print(kept.child().process.pid)
"""


def echo():
    return ChildProcess(ECHO, environment=os.environ, receive=lambda pipe: pipe.readline() or None)


def heard(child):
    """All it says until its first word or its end."""
    messages = []
    while not messages:
        messages = child.listen()
    return messages


@pytest.fixture
def kept():
    """A kept child that echoes."""
    child = KeptChild(echo)
    yield child
    child.end()


def test_the_same_child_serves_one_task_after_another(kept):
    kept.warm()
    child = kept.child()
    for word in (b"one\n", b"two\n"):
        with kept.at_work(silent, "") as at_work:
            assert at_work is child
            at_work.send(lambda pipe, word=word: pipe.write(word))
            assert heard(at_work) == [word]


@pytest.mark.parametrize("error", [Cancelled, ZeroDivisionError])
def test_a_task_cut_short_ends_the_child_and_a_cancelled_one_warms_the_next(kept, error):
    with pytest.raises(error), kept.at_work(silent, "") as child:
        raise error
    assert not child.is_alive
    assert (kept._child is not None) == (error is Cancelled)
    assert kept.child().is_alive
    assert kept.turn.acquire(timeout=1)


def test_who_waits_is_told_so_and_may_give_up(kept):
    def progress(fraction, message, partial=None):
        assert message == "Waiting"
        raise Cancelled

    with kept.at_work(silent, "") as child:
        with pytest.raises(Cancelled), kept.at_work(progress, "Waiting"):
            pass
        assert child.is_alive


def test_a_child_that_died_is_replaced_and_one_that_cannot_start_is_told_of(kept):
    first = kept.child()
    first.process.kill()
    first.status_within(10)
    assert kept.child() is not first

    def refused():
        raise MipsError("No room.")

    none = KeptChild(refused)
    none.warm()
    with pytest.raises(MipsError, match="No room"), none.at_work(silent, ""):
        pass
    assert none.turn.acquire(timeout=1)


def test_nothing_is_left_behind_when_this_process_ends():
    done = subprocess.run(
        [sys.executable, "-c", LEAVE_BEHIND], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_child_that_does_not_stay_ends_with_its_task(kept, cancelled):
    def work():
        with kept.at_work(silent, "", stays=False) as child:
            if cancelled:
                raise Cancelled
        return child

    if cancelled:
        with pytest.raises(Cancelled):
            work()
    else:
        assert not work().is_alive
    assert kept._child is None
    with kept.at_work(silent, "", stays=False) as child:
        assert child.is_alive
