"""A Python in a process of its own: started apart, fed, watched, and ended with what it is at.

So work that crashes, hangs, floods memory or cannot be stopped from within ends alone. Readers of
files have a new one for each file; the map keeps one, warm for the next fit (`KeptChild`).
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import BinaryIO, Generic, TypeVar

Message = TypeVar("Message")

POLL_SECONDS = 0.1  # a cancel is seen within it
KILLED = -9  # the status of a process that the system ended, most likely for want of memory
BEGINNING = "import json, sys\nsys.path[:] = json.loads(sys.argv[1])\n"


class ChildProcess(Generic[Message]):
    """One child that runs `code`, which finds modules where this process does.

    `argument` is its sys.argv[2], `environment` all that it is told of its surroundings, and
    `receive` takes a message off what it writes, or returns None where that has ended; without it
    nobody listens. Messages are read as they come, so that it never waits for us. Raises OSError
    where the system gives no room for a process.
    """

    def __init__(
        self,
        code: str,
        argument: str = "",
        *,
        environment: Mapping[str, str],
        folder: Path | None = None,
        receive: Callable[[BinaryIO], Message | None] | None = None,
    ) -> None:
        places = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100  ("" is here)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", BEGINNING + code, json.dumps(places), argument],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL if receive is None else subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.has_spoken = False
        self._messages: SimpleQueue[Message | None] = SimpleQueue()
        self._threads: list[Thread] = []
        if receive is not None:
            self._in_background(self._receive, receive)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def send(self, write: Callable[[BinaryIO], object]) -> None:
        """Let `write` send a message, in the background: the child takes it when it has time."""
        self._in_background(self._send, write)

    def listen(self) -> list[Message | None]:
        """Its messages since the last time, after a short wait; None last where it has ended."""
        messages: list[Message | None] = []
        with suppress(Empty):
            messages.append(self._messages.get(timeout=POLL_SECONDS))
            while True:
                messages.append(self._messages.get_nowait())
        return messages

    def status_within(self, seconds: float) -> int | None:
        """How it ended; None where it runs on for so long."""
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(seconds)
        return None

    def end(self) -> None:
        """Kill it where it runs still."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was not sent yet
                if pipe is not None:
                    pipe.close()

    def _in_background(self, work: Callable[..., None], way: Callable[[BinaryIO], object]) -> None:
        self._threads.append(Thread(target=work, args=(way,), name="mips-child", daemon=True))
        self._threads[-1].start()

    def _receive(self, receive: Callable[[BinaryIO], Message | None]) -> None:
        while True:
            try:
                message = receive(self.process.stdout)  # type: ignore[arg-type]
            except (OSError, ValueError):
                message = None
            self.has_spoken = self.has_spoken or message is not None
            self._messages.put(message)
            if message is None:
                return

    def _send(self, write: Callable[[BinaryIO], object]) -> None:
        with suppress(OSError, ValueError):  # it has ended, as whoever listens finds out
            write(self.process.stdin)  # type: ignore[arg-type]
            self.process.stdin.flush()  # type: ignore[union-attr]
