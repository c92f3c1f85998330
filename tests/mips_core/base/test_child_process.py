"""A child finds modules, is fed and heard, and ends on demand."""

import os
import sys
import time

import pytest

from mips_core.base.child_process import KILLED, ChildProcess

ECHO = """
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(sys.argv[2].encode() + line)
    sys.stdout.buffer.flush()
"""
TELL = "import os; print(len(sys.path), *sorted(os.environ), os.getcwd(), flush=True)"
LIMITED = """
from mips_core.data.readers.in_child.room import limit_this_process
limit_this_process("RLIMIT_NOFILE", 9)
limit_this_process("RLIMIT_NONE", 9)
files = []
try:
    files += [open(sys.executable) for _ in range(20)]
except OSError:
    print("too many", flush=True)
"""


def line_of(stream):
    return stream.readline() or None


def heard(child):
    """All it says until its first word or its end."""
    messages = []
    while not messages:
        messages = child.listen()
    return messages


@pytest.fixture
def start():
    """start(code, …) is a child that is ended with the test."""
    children = []

    def starts(code, argument="", **given):
        given = {"environment": os.environ, "receive": line_of, **given}
        children.append(ChildProcess(code, argument, **given))
        return children[-1]

    yield starts
    for child in children:
        child.end()


def test_what_is_sent_comes_back_and_the_end_is_told(start):
    child = start(ECHO, "a ")
    assert not child.has_spoken
    child.send(lambda pipe: pipe.write(b"word\n"))
    assert heard(child) == [b"a word\n"]
    assert child.has_spoken
    assert child.status_within(0.05) is None
    child.process.stdin.close()
    assert heard(child) == [None]
    assert child.status_within(10) == 0
    assert not child.is_alive


def test_it_is_told_where_modules_are_and_no_more_than_it_is_given(start, tmp_path):
    child = start(TELL, environment={"ONE": "1"}, folder=tmp_path)
    count, *names, folder = heard(child)[0].decode().split()
    assert int(count) == len(sys.path)
    assert set(names) - {"LC_CTYPE"} == {"ONE"}
    assert folder == str(tmp_path)


def test_what_it_says_to_nobody_is_lost_and_its_status_is_known(start):
    child = start("print(1); sys.exit(3)", receive=None)
    assert child.status_within(10) == 3
    assert child.process.stdout is None


def test_ending_it_stops_whatever_it_does_and_whatever_was_not_taken_yet(start):
    child = start("import time; time.sleep(600)")
    child.send(lambda pipe: pipe.write(bytes(10**7)))  # more than a pipe holds
    begun = time.monotonic()
    child.end()
    assert time.monotonic() - begun < 3
    assert child.status_within(1) == KILLED
    child.end()


def test_a_limit_holds_and_one_that_a_system_lacks_is_passed_over(start):
    assert heard(start(LIMITED)) == [b"too many\n"]
