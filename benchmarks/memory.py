"""How much memory a call takes, in a new process whose peak is made to start anew."""

import gc
import multiprocessing
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

CLEAR, STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")
SPAWN = multiprocessing.get_context("spawn")


def forget_peak() -> None:
    """Let the peak of memory start anew from what is held now: that of imports hides others."""
    gc.collect()
    if CLEAR.exists():
        CLEAR.write_text("5")


def usage() -> tuple[float, float]:
    """Seconds of processor time, and the most bytes held, by this process and by its children."""
    own, children = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    peak = own.ru_maxrss
    if STATUS.exists():  # its peak can be made to start anew, that of getrusage cannot
        peak = int(STATUS.read_text().split("VmHWM:")[1].split()[0])
    seconds = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    return seconds, 1024.0 * (peak + children.ru_maxrss)


def peak_of(prepare: Callable[..., Callable[[], Any]], *given: Any) -> tuple[float, float]:
    """Bytes a new process held at most while it ran `prepare(*given)()`, and by how much it grew.

    `prepare`, a function of a module, makes ready what is not counted. Raises RuntimeError where
    the process ends without an answer.
    """
    mine, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=_measure, args=(prepare, given, theirs))
    process.start()
    theirs.close()
    try:
        return mine.recv()
    except EOFError:
        raise RuntimeError(f"{prepare.__name__}: the process that measures it has ended") from None
    finally:
        process.join()


def _measure(prepare: Callable[..., Callable[[], Any]], given: Any, answers: Any) -> None:
    call = prepare(*given)
    forget_peak()
    before = usage()[1]
    kept = call()  # noqa: F841  (freed only after the measurement)
    after = usage()[1]
    answers.send((after, after - before))
