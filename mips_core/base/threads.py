"""Work in fixed blocks over one thread pool, BLAS held to one thread.

Blocks never depend on the number of threads, and no kernel is parallel inside, so results have the
same bits at any thread count. OpenBLAS's own threads collapse on a busy machine.
"""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import ContextVar
from functools import cache
from time import perf_counter
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from mips_core.base.errors import ParamError

T = TypeVar("T")
_most: ContextVar[int | None] = ContextVar("most blocks at once", default=None)
_between: ContextVar[Callable[[], Any]] = ContextVar("called between blocks", default=int)
_aside: ContextVar[float] = ContextVar("seconds in which the work stood aside", default=0.0)


def n_threads() -> int:
    """How many blocks run at once: MIPS_THREADS, or the number of cores; `limited` may lower it."""
    text = os.environ.get("MIPS_THREADS", "")
    if text and not (text.isascii() and text.isdigit() and int(text)):
        raise ParamError(
            f"MIPS_THREADS is {text!r}.", "Set a whole number from 1, or leave it out."
        )
    most = int(text) if text else _cores()
    return min(most, _most.get() or most)


@contextmanager
def limited(most: int) -> Iterator[None]:
    """Within it, at most `most` blocks of the calling thread's work run at once; same results."""
    before = _most.set(most)
    try:
        yield
    finally:
        _most.reset(before)


@contextmanager
def between_blocks(call: Callable[[], Any]) -> Iterator[None]:
    """Within it, `call` comes after each block of the calling thread's work.

    What it raises ends the work.
    """
    before = _between.set(call)
    try:
        yield
    finally:
        _between.reset(before)


def working_clock() -> float:
    """Seconds on a clock that stands still while the calling thread's work stands aside."""
    return perf_counter() - _aside.get()


def stood_aside(seconds: float) -> None:
    """Hold the working clock of the calling thread back by so much."""
    _aside.set(_aside.get() + seconds)


def _cores() -> int:
    """Cores this process may use; all of them where the system does not say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _priority() -> int:
    """That of the calling thread, where it may have one of its own; its threads inherit it."""
    return os.getpriority(os.PRIO_PROCESS, 0) if sys.platform == "linux" else 0


@cache
def _pool(size: int, priority: int) -> ThreadPoolExecutor:
    """Of threads with the priority of all that ask for blocks here."""
    return ThreadPoolExecutor(size, thread_name_prefix="mips-block")


@cache
def one_blas_thread() -> Any:
    """Hold BLAS to one thread from now on; a sum cut among threads has other bits."""
    return threadpool_limits(1, user_api="blas")  # for the life of the process


def map_blocks(work: Callable[[int, int], T], n: int, block: int) -> list[T]:
    """[work(start, stop), ...] for consecutive blocks of range(n), in order."""
    one_blas_thread()
    bounds = [(start, min(start + block, n)) for start in range(0, n, block)]
    if len(bounds) < 2 or n_threads() == 1:
        results = (work(*bound) for bound in bounds)
    else:  # a generator, which when closed takes back the blocks that have not begun
        pool = _pool(n_threads(), _priority())
        results = pool.map(lambda bound: work(*bound), bounds)  # type: ignore[assignment]
    between, done = _between.get(), []
    with closing(results):
        for result in results:
            done.append(result)
            between()
    return done
