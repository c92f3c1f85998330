"""The memory of the process: what is given back to the system, and when.

Nothing else runs during a full garbage collection, so it comes when no visitor waits for a page.
"""

import ctypes
import gc
import sys
from collections.abc import Callable
from importlib import import_module
from threading import Thread
from time import monotonic, sleep

from pages._ui.work import jobs, left_sessions, results, uploads

STEP = 60.0  # seconds from one look to the next
QUIET = 5.0  # seconds without a run or a job after which nobody waits
LONGEST = 120.0  # seconds between two collections where it is never quiet
THRESHOLDS = 20_000, 20, 100  # of the collector; ten times as rare as Python's own at each level
ARENAS = 2
_M_ARENA_MAX = -8  # malloc.h of glibc
WHEN_ALONE: list[Callable[[], None]] = []  # what pages can make again, and nobody has open


def start() -> None:
    """Hold memory together from now on, and tidy up in the background; returns at once."""
    _of_the_c_library("mallopt", _M_ARENA_MAX, ARENAS)
    _use_small_pages()
    Thread(target=_watch, name="memory", daemon=True).start()


def set_aside() -> None:
    """Let the garbage collector pass over all that is there: modules and kernels stay for good."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


def tidy() -> None:
    """Drop what nobody looks at, collect what hangs together in circles, give it back."""
    alone = left_sessions.number() == 0
    uploads.forget_old()
    results.forget_unseen(alone=alone)
    for drop in (forget_ended, *WHEN_ALONE) if alone else ():
        drop()
    gc.collect()
    give_back()


def forget_ended() -> None:
    """Of jobs that ended remember nothing any more."""
    for job in list(jobs._BOOK.values()):
        jobs.forget(job)  # if it has


def give_back() -> None:
    """Give the system what is free: what is large and stays lies between what was used and left."""
    _of_the_c_library("malloc_trim", 0)
    if arrow := sys.modules.get("pyarrow"):  # tables have an allocator of their own
        arrow.default_memory_pool().release_unused()


def _watch() -> None:
    last = monotonic()
    while True:
        sleep(STEP)
        if jobs.quiet_for() >= QUIET or monotonic() - last >= LONGEST:
            tidy()
            last = monotonic()
        else:
            give_back()


def _use_small_pages() -> None:
    """Let numpy ask for huge pages no more, as it does for all of 4 MB and beyond (Linux).

    Where a large array has been, what is small comes to lie later, and each piece of that which
    stays would hold 2 MB.
    """
    try:  # there is no public name: test_memory.py holds that this is it
        import_module("numpy._core.multiarray")._set_madvise_hugepage(False)
    except (AttributeError, ImportError):
        return


def _of_the_c_library(name: str, *values: int) -> None:
    """Call this function of glibc's allocator; nothing where the system has another.

    Each thread would else have an arena of its own, up to eight a core, and memory that is free in
    one is of no use to the others.
    """
    try:
        getattr(ctypes.CDLL(None), name)(*values)
    except (AttributeError, OSError, TypeError):
        return
