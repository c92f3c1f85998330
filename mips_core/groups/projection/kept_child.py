"""A child process that is kept, warm for the next task, which it serves one at a time."""

import atexit
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Generic

from mips_core.base.child_process import POLL_SECONDS, ChildProcess, Message
from mips_core.base.errors import Cancelled, MipsError
from mips_core.base.progress import Progress


class KeptChild(Generic[Message]):
    """One child that is kept, and the turn of the one task that may use it; ended at exit.

    `start` raises MipsError where there is no room for a process.
    """

    def __init__(self, start: Callable[[], ChildProcess[Message]]) -> None:
        self.turn = Lock()
        self._start = start
        self._starting = Lock()
        self._child: ChildProcess[Message] | None = None
        atexit.register(self.end)

    def child(self) -> ChildProcess[Message]:
        """The child, started where none runs. Raises MipsError where it cannot be."""
        with self._starting:
            if self._child is None or not self._child.is_alive:
                if self._child is not None:
                    self._child.end()
                self._child = self._start()
            return self._child

    def warm(self) -> None:
        """Start the child, if none is running, and return at once."""
        with suppress(MipsError):  # who brings a task is told
            self.child()

    def end(self) -> None:
        """End the child, if there is one."""
        with self._starting:
            if self._child is not None:
                self._child.end()
            self._child = None

    @contextmanager
    def at_work(
        self, progress: Progress, waiting: str, stays: bool = True
    ) -> Iterator[ChildProcess[Message]]:
        """The child, for one task; it is replaced when the task is cut short.

        Others wait for their turn, which `progress` is told as `waiting`. Unless it `stays`, the
        child ends with the task.
        """
        while not self.turn.acquire(timeout=POLL_SECONDS):
            progress(0.0, waiting)
        try:
            yield self.child()
            if not stays:
                self.end()
        except Cancelled:
            self.end()
            if stays:
                self.warm()
            raise
        except BaseException:
            self.end()
            raise
        finally:
            self.turn.release()
