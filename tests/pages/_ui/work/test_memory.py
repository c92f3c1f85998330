"""What is given back of memory, and when."""

import ctypes
import gc
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from streamlit import config

from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.state import links, settings
from pages._ui.work import jobs, left_sessions, memory, results, uploads

ROOT = Path(__file__).parents[4]
GLIBC = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallopt")
ASK_ARENAS = """
import ctypes, sys, threading
from pages._ui.work import memory
if sys.argv[1] == "few":
    memory.share_arenas()
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
libc.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
libc.fclose.argtypes = [ctypes.c_void_p]
every = threading.Barrier(8)
def work():
    every.wait()
    libc.malloc(1000)
    every.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
file = libc.fopen(sys.argv[2].encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
"""

FREE_ENDS = """
import ctypes, threading
from pathlib import Path
from pages._ui.work import memory
memory.share_arenas()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
def held():
    line = next(l for l in Path("/proc/self/status").read_text().splitlines() if "RssAnon" in l)
    return int(line.split()[1]) / 1024
before = held()
def work():
    pieces = [libc.malloc(1 << 20) for _ in range(20)]
    for piece in pieces:
        libc.memset(piece, 1, 1 << 20)
    for piece in pieces:
        libc.free(piece)
thread = threading.Thread(target=work)  # the first has an arena of its own
thread.start()
thread.join()
libc.malloc_trim(0)
print(held() - before)
memory.give_back()
print(held() - before)
"""


class Knot:
    """Hangs together with itself."""

    def __init__(self):
        self.own = self


def test_streamlit_collects_no_garbage_after_each_run():
    config.get_config_options(force_reparse=True)
    assert config.get_option("runner.postScriptGC") is False
    source = (Path(config.__file__).parent / "runtime/scriptrunner/script_runner.py").read_text()
    assert 'if config.get_option("runner.postScriptGC"):\n            gc.collect(2)' in source


@pytest.mark.skipif(not GLIBC, reason="the arenas are glibc's")
def test_threads_share_few_arenas(tmp_path):
    arenas = {}
    for how in ("few", "many"):
        file = tmp_path / how
        done = subprocess.run(
            [sys.executable, "-c", ASK_ARENAS, how, str(file)], cwd=ROOT, timeout=120, check=False
        )
        assert done.returncode == 0
        arenas[how] = file.read_text().count("<heap nr=")
    assert arenas["few"] <= memory.ARENAS < arenas["many"]


def test_an_allocator_without_such_a_function_is_left_alone(monkeypatch):
    memory._of_the_c_library("no_such_function", 1)

    def none(name):
        raise TypeError("no name, no library")  # as on Windows

    monkeypatch.setattr(memory.ctypes, "CDLL", none)
    memory._of_the_c_library("malloc_trim", 0)


@pytest.mark.skipif(not GLIBC, reason="the arenas are glibc's")
def test_what_is_free_at_the_end_of_any_arena_is_given_back():
    """malloc_trim alone leaves what was free in all but the first."""
    done = subprocess.run(
        [sys.executable, "-c", FREE_ENDS], cwd=ROOT, timeout=120, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    trimmed, given_back = map(float, done.stdout.split())
    assert given_back < 5 < 15 < trimmed


def test_no_thread_to_spare_is_no_harm(monkeypatch):
    begun = []

    def start(self):
        if len(begun) == 3:
            raise RuntimeError("can't start new thread")
        begun.append(self)
        real(self)

    real = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", start)
    memory.give_back()
    assert len(begun) == (3 if GLIBC else 0)
    assert not any(thread.is_alive() for thread in begun)


def test_tables_have_no_allocator_of_their_own():
    """What the app imports before it says so must not load pyarrow, which reads it once."""
    ask = "import app, pyarrow; print(pyarrow.default_memory_pool().backend_name)"
    done = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, timeout=120, capture_output=True, text=True
    )
    assert done.stdout.strip() == "system", done.stderr


def test_circles_go_when_nobody_waits(monkeypatch):
    naps, quiet = iter([None, None]), iter([memory.QUIET - 1, memory.QUIET])
    knot = Knot()
    gone = weakref.ref(knot)
    seen = []

    def nap(seconds):
        seen.append(gone() is None)
        next(naps)

    monkeypatch.setattr(memory, "sleep", nap)
    monkeypatch.setattr(jobs, "quiet_for", lambda: next(quiet))
    gc.disable()
    try:
        del knot
        with pytest.raises(StopIteration):
            memory._watch()
    finally:
        gc.enable()
    assert seen == [False, False, True]


def test_where_it_is_never_quiet_it_is_tidied_all_the_same(monkeypatch):
    clock, tidied, given = [0.0], [], []

    def nap(seconds):
        clock[0] += seconds
        if clock[0] > 2 * memory.LONGEST:
            raise KeyboardInterrupt

    monkeypatch.setattr(memory, "sleep", nap)
    monkeypatch.setattr(memory, "monotonic", lambda: clock[0])
    monkeypatch.setattr(memory, "tidy", lambda: tidied.append(clock[0]))
    monkeypatch.setattr(memory, "give_back", lambda: given.append(clock[0]))
    monkeypatch.setattr(jobs, "quiet_for", lambda: 0.0)
    with pytest.raises(KeyboardInterrupt):
        memory._watch()
    assert tidied == [memory.LONGEST, 2 * memory.LONGEST]
    assert given == [memory.STEP, memory.LONGEST + memory.STEP]  # what is free, between


def test_what_is_old_is_forgotten_with_it_and_more_while_nobody_is_there(monkeypatch):
    called, here = [], [1]
    monkeypatch.setattr(left_sessions, "number", lambda: here[0])
    monkeypatch.setattr(uploads, "forget_old", lambda: called.append("linger"))
    monkeypatch.setattr(results, "forget_unseen", lambda alone: called.append(alone))
    monkeypatch.setattr(memory, "WHEN_ALONE", [lambda: called.append("blocks")])
    monkeypatch.setattr(memory, "give_back", lambda: called.append("given back"))
    memory.tidy()
    assert called == ["linger", False, "given back"]
    called.clear()
    here[0] = 0
    memory.tidy()
    assert called == ["linger", True, "blocks", "given back"]


def test_numpy_asks_for_huge_pages_no_more():
    ask = np._core.multiarray._set_madvise_hugepage
    before = ask(True)
    try:
        memory._use_small_pages()
        assert ask(False) is False
    finally:
        ask(before)


def test_what_was_listed_for_visitors_goes_with_the_last_of_them(monkeypatch):
    """Small things, but each lies in a page of memory that else could go back."""
    ended = jobs.start(("short", 1), "", lambda progress: 1, "gone")
    assert jobs.wait_for(ended, 30)
    index = FlatKMeans(n_clusters=5)
    settings.ladder(index, 400, 6)
    links.index_text(index)
    monkeypatch.setattr(left_sessions, "number", lambda: 1)
    memory.tidy()
    assert jobs.find(("short", 1)) is ended
    monkeypatch.setattr(left_sessions, "number", lambda: 0)
    memory.tidy()
    assert jobs.find(("short", 1)) is None
    assert settings.ladder.cache_info().currsize == 0
    assert links.index_text.cache_info().currsize == 0
    assert jobs.start(("short", 1), "", lambda progress: 2, "next") is not ended


def test_jobs_that_are_not_done_stay():
    begun, go_on = Event(), Event()

    def work(progress):
        begun.set()
        assert go_on.wait(30)

    job = jobs.start(("long", 1), "", work, "me")
    assert begun.wait(30)
    memory.forget_ended()
    assert jobs.find(("long", 1)) is job
    go_on.set()
    assert jobs.wait_for(job, 30)
    memory.forget_ended()
    assert jobs.find(("long", 1)) is None
