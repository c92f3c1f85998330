"""Kernels are compiled in a process beside the server, which ends with all that this leaves behind.

numba keeps what it made on the way for as long as a process lives: more than 100 MiB once the
kernels of all methods are compiled. So a child compiles each that numba's cache lacks, and the
server loads it from there; nobody waits for the interpreter's lock meanwhile. Where the child
fails, the server compiles by itself.
"""

import json
import logging
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, BinaryIO

from mips_core.base.child_process import ChildProcess
from pages._ui.work.priority import BETWEEN

IDLE = 20.0  # seconds with nothing to compile after which the child ends
LARGE = 200 << 20  # bytes held, beyond which it ends and leaves what is next to another
PATIENCE = 180.0  # seconds for a kernel and all that it calls
LAST_WORD = 5.0  # seconds from the end of what a child says to its own
MOST_FAILURES = 2  # it would fail again, and each kernel take longer
OURS = "mips_core."
CODE = "from pages._ui.work import kernel_child\nkernel_child.answer()"


class KernelChild:
    """The child: started when a kernel is missing, and anew where it has ended since."""

    def __init__(self, code: str = CODE) -> None:
        self._code = code
        self._child: ChildProcess[str] | None = None
        self._starting = Lock()
        self.failures = 0

    def start(self) -> ChildProcess[str]:
        """The one that runs, or a new one. Raises OSError where there is no room for it."""
        with self._starting:
            if self._child is None or not self._child.is_alive:
                there = os.environ.copy()
                self._child = ChildProcess(self._code, environment=there, receive=_line)
                Thread(target=_see_off, args=(self._child,), daemon=True).start()
            return self._child

    def compiles(self, kernel: Any, types: Sequence[Any]) -> bool:
        """Whether the function `kernel` is compiled now for arguments of numba's `types`.

        One thread at a time may ask, as it is within numba's lock.
        """
        if self.failures >= MOST_FAILURES or not kernel.__module__.startswith(OURS):
            return False
        try:
            words = [words_of(one) for one in getattr(types, "args", types)]
        except ValueError:
            return False
        name = kernel.__module__, kernel.__qualname__
        request = json.dumps([*name, words])
        try:
            done = _answers(self.start(), request)
            if done is None:  # it has ended just now, of size or for want of work
                done = _answers(self.start(), request)
        except OSError:
            done = False
        if not done:
            self.fail(f"{'.'.join(name)} could not be compiled")
        return bool(done)

    def fail(self, why: str) -> None:
        """Say that it failed; after MOST_FAILURES nothing is compiled there any more."""
        self.failures += 1
        text = "The process that compiles kernels failed, so the server does: %s"
        logging.getLogger(__name__).warning(text, why)


def use(child: KernelChild) -> None:
    """From now on let `child` compile what numba's cache lacks; it starts if nothing is there."""
    from numba.core.caching import FunctionCache

    from mips_core.base.kernels import row_norms

    load: Any = FunctionCache.load_overload

    def load_or_have_compiled(self: Any, types: Any, context: Any) -> Any:
        kept = load(self, types, context)
        if kept is None and child.compiles(self._py_func, types):
            kept = load(self, types, context)
            if kept is None:
                child.fail("what it has compiled is not in numba's cache")
        return kept

    FunctionCache.load_overload = load_or_have_compiled  # type: ignore[method-assign]
    compiled = getattr(row_norms, "stats", None)  # None where numba is told to compile nothing
    if compiled and not any(Path(compiled.cache_path).glob("*.row_norms-*.nbi")):
        try:
            child.start()
        except OSError as error:
            child.fail(str(error))


def words_of(kind: Any) -> Any:
    """One of numba's types in JSON's; ValueError where it is none that kernels are called with."""
    types = _types()
    if isinstance(kind, types.Array):
        words: Any = [str(kind.dtype), kind.ndim, kind.layout, not kind.mutable, kind.aligned]
    elif isinstance(kind, types.BaseTuple):
        of = getattr(kind, "instance_class", tuple)
        words = {"of": [of.__module__, of.__name__], "types": [words_of(one) for one in kind]}
    else:
        words = str(kind)
    try:
        same = type_of(words) == kind
    except (AttributeError, ImportError, KeyError):
        same = False
    if not same:
        raise ValueError(f"{kind} is no type of numbers, of arrays of these, or of tuples of both")
    return words


def type_of(words: Any) -> Any:
    """The type that `words_of` has put so."""
    types = _types()
    if isinstance(words, list):
        dtype, ndim, layout, readonly, aligned = words
        return types.Array(_numbers()[dtype], ndim, layout, readonly=readonly, aligned=aligned)
    if isinstance(words, dict):
        module, name = words["of"]
        of = getattr(import_module(module), name)
        parts = tuple(map(type_of, words["types"]))
        return types.BaseTuple.from_types(parts, None if of is tuple else of)
    return _numbers()[words]


def _types() -> Any:
    return import_module("numba.core.types")  # which takes its time


@cache
def _numbers() -> dict[str, Any]:
    types = _types()
    return {str(one): one for one in (*types.number_domain, types.boolean)}


def answer() -> None:
    """In the child: compile what each line that comes in names, and say so; end with the lines."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the parent
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, 0, max(BETWEEN, os.getpriority(os.PRIO_PROCESS, 0)))
    out, sys.stdout = sys.stdout, sys.stderr
    wanted = SimpleQueue[str]()
    Thread(target=_listen, args=(wanted,), daemon=True).start()
    status = 1
    try:
        import_module("mips_core.base.kernels")  # and numba, which takes its time
        while True:
            try:
                module, name, words = json.loads(wanted.get(timeout=IDLE))
            except Empty:
                status = 0
                return
            getattr(import_module(module), name).compile(tuple(map(type_of, words)))
            out.write("done\n")
            out.flush()
            if _held() > LARGE:
                status = 0
                return
    finally:  # at once: the other thread waits for lines
        os._exit(status)


def _held() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not told here
        return 0


def _listen(wanted: "SimpleQueue[str]") -> None:
    for line in sys.stdin:
        wanted.put(line)
    os._exit(0)  # the parent has ended


def _answers(child: ChildProcess[str], request: str) -> bool | None:
    """Whether the child has done it; None where it ended in order before it could."""
    child.send(lambda stream: stream.write(request.encode() + b"\n"))
    ends = monotonic() + PATIENCE
    while monotonic() < ends:
        for said in child.listen():
            if said is None:
                return None if child.status_within(LAST_WORD) == 0 else False
            return True
    child.process.kill()
    return False


def _line(stream: BinaryIO) -> str | None:
    return stream.readline().decode() or None


def _see_off(child: ChildProcess[str]) -> None:
    child.process.wait()
    child.end()
