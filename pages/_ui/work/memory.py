"""The memory of the process: what is given back to the system, and when.

Nothing else runs during a full garbage collection, so it comes when no visitor waits for a page.
"""

import ctypes
import gc
import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from threading import Barrier, BrokenBarrierError, Thread
from time import monotonic, sleep

from pages._ui.work import jobs, left_sessions, results, uploads

STEP = 60.0  # seconds from one look to the next
QUIET = 5.0  # seconds without a run or a job after which nobody waits
LONGEST = 120.0  # seconds between two collections where it is never quiet
THRESHOLDS = 20_000, 20, 100  # of the collector; ten times as rare as Python's own at each level
ARENAS = 2
APART, AT_ENDS = 32 << 20, 64 << 20  # bytes: what is asked of the system by itself, and what an
# arena may keep free at its end while it is in use; both are what glibc comes to by itself
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h of glibc
_PIECE = 128 << 10  # bytes: where so much is freed, glibc looks at the end of the arena
_REACHED = 16  # threads at once, which take turns in arenas: more than there can be
WHEN_ALONE: list[Callable[[], None]] = []  # what pages can make again, and nobody has open


def share_arenas() -> None:
    """Let threads that begin from now on share few arenas; to be called early.

    Each would else have one of its own, up to eight a core, and memory that is free in one is of no
    use to the others. Nor is what pyarrow keeps, so it has no allocator of its own; it reads that
    when it is loaded.
    """
    _of_the_c_library("mallopt", _M_ARENA_MAX, ARENAS)
    _of_the_c_library("mallopt", _M_MMAP_THRESHOLD, APART)
    _of_the_c_library("mallopt", _M_TRIM_THRESHOLD, AT_ENDS)
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def start() -> None:
    """Hold memory together from now on, and tidy up in the background; returns at once."""
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
    _give_back_ends()


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


def _give_back_ends() -> None:
    """Give back what is free at the end of each arena: malloc_trim does so in the first alone.

    In any other, `free` does, where it is told to keep nothing there.
    """
    if not _of_the_c_library("mallopt", _M_TRIM_THRESHOLD, 0):
        return
    library, every = ctypes.CDLL(None), Barrier(_REACHED)
    library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]

    def free_some() -> None:
        library.free(library.malloc(_PIECE))
        with suppress(BrokenBarrierError):
            every.wait()  # who ended would leave the arena to the next, and others are not reached

    threads = [Thread(target=free_some, daemon=True) for _ in range(_REACHED)]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:  # the system has no thread to spare
        every.abort()
    for thread in filter(Thread.is_alive, threads):
        thread.join()
    _of_the_c_library("mallopt", _M_TRIM_THRESHOLD, AT_ENDS)


def _of_the_c_library(name: str, *values: int) -> bool:
    """Call this function of glibc's allocator, if the system has it; whether it does as told."""
    try:
        return bool(getattr(ctypes.CDLL(None), name)(*values))
    except (AttributeError, OSError, TypeError):
        return False
