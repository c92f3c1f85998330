"""Kernels are compiled beside the server: what a child does, and what follows where it fails."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import types
from numba.core.caching import FunctionCache

from mips_core.base.kernels import dot, row_norms
from pages._ui.work import kernel_child
from pages._ui.work.kernel_child import CODE, MOST_FAILURES, KernelChild, type_of, use, words_of

ROOT = Path(__file__).parents[4]
WARM = """
import gc, sys
from numba.core.dispatcher import Dispatcher
from pages._ui import warmup
warmup.VISITOR = 0
warmup._warm()
gc.unfreeze()
ours = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
ours = [one for one in ours if one.__module__.startswith("mips_core.")]
print(sum(sum(one.stats.cache_hits.values()) for one in ours))
print([one for one in ours if one.stats.cache_misses])
"""
SMALL = """
import logging, sys
import numpy as np
from mips_core.base.kernels import dot
from pages._ui.work import kernel_child
logging.basicConfig()
kernel_child.use(kernel_child.KernelChild(sys.argv[1]))
print(dot(np.ones(3, np.float32), np.ones(3, np.float32)))
print(sum(dot.stats.cache_misses.values()))
"""
DEAF = "while True: sys.stdin.readline(); print(flush=True)"  # says that all is done
ONE_ONLY = "sys.stdin.readline(); print('done', flush=True)"


class Pair(NamedTuple):
    rows: np.ndarray
    number: float


def run_cold(tmp_path, code, *words):
    """What a process says in which nothing is compiled at first; and its log."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "MIPS_EXPLORER_CACHE": str(tmp_path)},
        timeout=600,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines(), ended.stderr


def test_a_first_start_compiles_nothing_in_the_server(tmp_path):
    [hits, missed], log = run_cold(tmp_path, WARM)
    assert int(hits) > 10, log
    assert missed == "[]", log
    assert "failed" not in log


@pytest.mark.parametrize(
    ("code", "misses", "said"),
    [
        (CODE, "0", ""),
        ("raise SystemExit", "1", "mips_core.base.kernels.dot could not be compiled"),
        (DEAF, "1", "is not in numba's cache"),
    ],
    ids=["works", "ends", "compiles elsewhere"],
)
def test_where_the_child_fails_the_server_compiles_and_says_so(tmp_path, code, misses, said):
    answer, log = run_cold(tmp_path, SMALL, code)
    assert answer == ["3.0", misses]
    assert said in log
    assert bool(said) == bool(log)


def test_a_child_that_has_ended_is_followed_by_another():
    child = KernelChild(ONE_ONLY)
    kind = [types.float32]
    assert child.compiles(dot.py_func, kind)
    first = child.start()
    assert first.status_within(60) == 0
    assert child.compiles(dot.py_func, kind)
    assert child.start() is not first
    assert child.failures == 0


def test_a_child_ends_for_want_of_work_and_leaves_nothing():
    child = KernelChild(CODE.replace("\n", "\nkernel_child.IDLE = 0.1\n")).start()
    assert child.status_within(60) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is not told")
def test_a_child_that_has_grown_large_ends_after_its_kernel():
    small, large = (CODE.replace("\n", f"\nkernel_child.LARGE = {n}\n") for n in (1 << 50, 0))
    rows = numba.typeof(np.ones(3, np.float32))
    for code, ended in ((small, None), (large, 0)):
        child = KernelChild(code)
        running = child.start()
        assert child.compiles(dot.py_func, [rows, rows])
        assert running.status_within(0.5 if ended is None else 60) == ended
        running.process.kill()


def test_a_child_ends_with_its_parent():
    psutil = pytest.importorskip("psutil")
    code = "from pages._ui.work.kernel_child import KernelChild\n"
    code += "print(KernelChild().start().process.pid, flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    ends = monotonic() + 60
    with suppress(psutil.NoSuchProcess):
        while child.status() != psutil.STATUS_ZOMBIE:
            assert monotonic() < ends
            sleep(0.05)


def test_a_child_that_hangs_is_ended_and_given_up(monkeypatch, caplog):
    monkeypatch.setattr(kernel_child, "PATIENCE", 0.2)
    child = KernelChild("while True: sys.stdin.readline()")
    first = child.start()
    assert not child.compiles(dot.py_func, [types.float32])
    assert "could not be compiled" in caplog.text
    assert first.status_within(60) not in (None, 0)
    assert child._child is first  # that kernel is not tried there again
    assert not child.compiles(dot.py_func, [types.float32])
    assert child.failures == MOST_FAILURES
    monkeypatch.setattr(child, "start", lambda: pytest.fail("started once more"))
    assert not child.compiles(dot.py_func, [types.float32])


def test_a_child_that_fails_at_a_kernel_does_not_try_it_again(monkeypatch, caplog):
    child, begun = KernelChild("sys.stdin.readline(); raise SystemExit(3)"), []
    start = child.start
    monkeypatch.setattr(child, "start", lambda: begun.append(1) or start())
    signature = types.float32(types.float32)
    assert not child.compiles(dot.py_func, signature)
    assert len(begun) == child.failures == 1


def test_nothing_is_said_of_a_line_for_a_child_that_has_just_ended(capfd):
    child = KernelChild("pass").start()
    child.end()
    child.send(lambda stream: stream.write(b"late\n"))
    sleep(0.2)
    assert capfd.readouterr().err == ""


def test_a_child_that_cannot_be_started_is_given_up(monkeypatch, caplog):
    def no_room(self):
        raise OSError("no room")

    monkeypatch.setattr(KernelChild, "start", no_room)
    child = KernelChild()
    assert not child.compiles(dot.py_func, [types.float32])
    assert child.failures == 1


def test_only_kernels_of_this_package_are_compiled_there(monkeypatch):
    monkeypatch.setattr(KernelChild, "start", lambda self: pytest.fail("started"))
    assert not KernelChild().compiles(np.mean, [types.float32])
    assert not KernelChild().compiles(dot.py_func, [types.unicode_type])


def test_where_all_is_compiled_no_child_is_started(monkeypatch):
    row_norms(np.ones((2, 3), np.float32))  # kept from now on
    monkeypatch.setattr(FunctionCache, "load_overload", FunctionCache.load_overload)
    monkeypatch.setattr(KernelChild, "start", lambda self: pytest.fail("started"))
    use(KernelChild())


@pytest.mark.parametrize(
    "value",
    [
        1,
        1.5,
        True,
        np.float32(1),
        np.ones((2, 3), np.float32),
        np.ones((2, 3))[:, ::2],
        np.asfortranarray(np.ones((2, 3), np.int8)),
        np.ones(3, bool),
        (np.ones(2), 3),
        (1, 2),
        Pair(np.ones((2, 2)), 0.5),
    ],
    ids=repr,
)
def test_types_come_back_as_they_were(value):
    kind = numba.typeof(value)
    assert type_of(json.loads(json.dumps(words_of(kind)))) == kind


def test_an_array_that_may_not_be_written_comes_back_as_one():
    rows = np.ones(3)
    rows.flags.writeable = False
    kind = type_of(words_of(numba.typeof(rows)))
    assert not kind.mutable


def test_other_types_are_named():
    with pytest.raises(ValueError, match="unicode_type is no type of numbers"):
        words_of(types.unicode_type)
