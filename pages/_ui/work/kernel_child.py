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
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, BinaryIO

from mips_core.base.child_process import ChildProcess
from pages._ui.work.priority import NICE

IDLE = 20.0  # seconds with nothing to compile after which the child ends
LARGE = 200 << 20  # bytes held, beyond which it ends and leaves what is next to another
PATIENCE = 180.0  # seconds for a kernel and all that it calls
LAST_WORD = 5.0  # seconds from the end of what a child says to its own
OURS = "mips_core."
CODE = "from pages._ui.work import kernel_child\nkernel_child.answer()"


class KernelChild:
    """The child: started when a kernel is missing, and anew where it has ended since."""

    def __init__(self, code: str = CODE) -> None:
        self._code = code
        self._child: ChildProcess[str] | None = None
        self._starting = Lock()
        self.failed = False  # once is enough: it would fail again, and each kernel take longer

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
        if self.failed or not kernel.__module__.startswith(OURS):
            return False
        try:
            words = [words_of(one) for one in types]
        except ValueError:
            return False
        name = kernel.__module__, kernel.__qualname__
        try:  # a child may have ended just now, of size or for want of work
            done = any(_answers(self.start(), json.dumps([*name, words])) for _ in range(2))
        except OSError:
            done = False
        if not done:
            self.give_up(f"{'.'.join(name)} could not be compiled")
        return done

    def give_up(self, why: str) -> None:
        """Have nothing compiled there any more."""
        self.failed = True
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
                child.give_up("what it has compiled is not in numba's cache")
        return kept

    FunctionCache.load_overload = load_or_have_compiled  # type: ignore[method-assign]
    compiled = getattr(row_norms, "stats", None)  # None where numba is told to compile nothing
    if compiled and not any(Path(compiled.cache_path).glob("*.row_norms-*.nbi")):
        try:
            child.start()
        except OSError as error:
            child.give_up(str(error))


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
        os.setpriority(os.PRIO_PROCESS, 0, max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    out, sys.stdout = sys.stdout, sys.stderr
    wanted = SimpleQueue[str]()
    Thread(target=_listen, args=(wanted,), daemon=True).start()
    try:
        import_module("mips_core.base.kernels")  # and numba, which takes its time
        while True:
            module, name, words = json.loads(wanted.get(timeout=IDLE))
            getattr(import_module(module), name).compile(tuple(map(type_of, words)))
            out.write("done\n")
            out.flush()
            if _held() > LARGE:
                return
    finally:  # at once: the other thread waits for lines
        os._exit(0)


def _held() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not told here
        return 0


def _listen(wanted: "SimpleQueue[str]") -> None:
    for line in sys.stdin:
        wanted.put(line)
    os._exit(0)  # the parent has ended


def _answers(child: ChildProcess[str], request: str) -> bool:
    child.send(lambda stream: stream.write(request.encode() + b"\n"))
    ends = monotonic() + PATIENCE
    while monotonic() < ends:
        for said in child.listen():
            if said is None:
                child.status_within(LAST_WORD)
            return said is not None
    child.process.kill()
    return False


def _line(stream: BinaryIO) -> str | None:
    return stream.readline().decode() or None


def _see_off(child: ChildProcess[str]) -> None:
    child.process.wait()
    child.end()
