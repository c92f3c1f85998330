"""UMAP in a child process that is kept: loaded once, one fit at a time, ended to cancel one.

umap-learn's optimiser cannot be stopped from outside, aborts a process in which two fits run in
parallel, and takes seconds to load. So it runs in a process of its own.
"""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic

from mips_core.base.arrays import Matrix
from mips_core.base.errors import Cancelled, MipsError
from mips_core.base.numba_cache import environment_for
from mips_core.base.progress import Progress, silent
from mips_core.base.threads import n_threads
from mips_core.groups.projection import umap_child
from mips_core.groups.projection.layout import ProjectionRecipe
from mips_core.groups.projection.neighbours import Neighbours
from mips_core.groups.projection.umap_child import Array, Message
from mips_core.groups.projection.umap_graph import curve_of, graph_of, random_state_of, start_of

POLL_SECONDS = 0.1  # a cancel is seen within it
LAST_WORD_SECONDS = 1.0
KILLED = -9
SCRIPT = umap_child.__file__
START = """
import json, runpy, sys
sys.path[:] = json.loads(sys.argv[1])
runpy.run_path(sys.argv[2], run_name="__main__")
"""

OnEpoch = Callable[[int, Matrix], None]


class Child:
    """One child process; what it says is read as it comes, so that it never waits for us."""

    def __init__(self) -> None:
        places = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100  ("" is here)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", START, json.dumps(places), SCRIPT],
            env=os.environ | environment_for("umap") | {"NUMBA_THREADING_LAYER": "workqueue"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.ready = False
        self._said: SimpleQueue[Message | None] = SimpleQueue()
        self._threads = [Thread(target=self._read, name="mips-umap-read", daemon=True)]
        self._threads[0].start()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def ask(self, facts: dict[str, float], arrays: list[Array]) -> None:
        """Send a request, in the background: it takes what is large when it has time for it."""
        self._threads.append(
            Thread(target=self._write, args=(facts, arrays), name="mips-umap-write", daemon=True)
        )
        self._threads[-1].start()

    def listen(self) -> list[Message | None]:
        """What it said since the last time, after a short wait; None last where it has ended."""
        said: list[Message | None] = []
        with suppress(Empty):
            said.append(self._said.get(timeout=POLL_SECONDS))
            while True:
                said.append(self._said.get_nowait())
        return said

    def last_status(self) -> int | None:
        """How it ended, having closed its output; None where it runs on all the same."""
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(LAST_WORD_SECONDS)
        return None

    def end(self) -> None:
        """Kill it where it runs still."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was not sent yet
                pipe.close()  # type: ignore[union-attr]

    def _read(self) -> None:
        message: Message | None = ({}, [])
        while message is not None:
            try:
                message = umap_child.read(self.process.stdout)  # type: ignore[arg-type]
            except (OSError, ValueError):
                message = None
            self.ready = self.ready or message is not None
            if message is None or message[0]["kind"] != "ready":
                self._said.put(message)

    def _write(self, facts: dict[str, float], arrays: list[Array]) -> None:
        with suppress(OSError):  # it has ended, as whoever listens finds out
            umap_child.write(self.process.stdin, facts, arrays)  # type: ignore[arg-type]


class _Keeper:
    """Holds the one child of this process, and the turn of the one fit that may use it."""

    def __init__(self) -> None:
        self.turn = Lock()
        self._starting = Lock()
        self._child: Child | None = None

    def child(self) -> Child:
        """The child, started where none runs. Raises MipsError where it cannot be."""
        with self._starting:
            if self._child is None or not self._child.alive:
                if self._child is not None:
                    self._child.end()
                self._child = _started()
            return self._child

    def end(self) -> None:
        """End the child, if there is one."""
        with self._starting:
            if self._child is not None:
                self._child.end()
            self._child = None

    @contextmanager
    def at_work(self, progress: Progress) -> Iterator[Child]:
        """The child, for one fit; it is replaced when the fit is cut short."""
        while not self.turn.acquire(timeout=POLL_SECONDS):
            progress(0.0, "Waiting for another map")
        try:
            yield self.child()
        except Cancelled:
            self.end()
            with suppress(MipsError):
                self.child()  # warm for the next
            raise
        except BaseException:
            self.end()
            raise
        finally:
            self.turn.release()


_KEEPER = _Keeper()
atexit.register(_KEEPER.end)


def warm() -> None:
    """Start the child process, if none is running, and return at once."""
    with suppress(MipsError):  # who asks for a fit is told
        _KEEPER.child()


def fit_umap(
    start: Matrix,
    neighbours: Neighbours,
    recipe: ProjectionRecipe,
    epochs: int,
    on_epoch: OnEpoch,
    progress: Progress = silent,
) -> Matrix:
    """(n, 2) float32: where UMAP takes the n >= 2 items from `start` (n, 2) in `epochs` >= 1.

    on_epoch(epoch, xy) is told of layouts on the way, a few a second, each an array of its own.
    The same arguments give the same array on one machine, unless recipe.mode is parallel. One fit
    runs at a time; others wait and say so. Raises Cancelled as on_epoch and progress do, which are
    called every POLL_SECONDS; MipsError where the child process ends or fails.
    """
    progress(0.0, "Weighing neighbours")
    graph = graph_of(neighbours, epochs)
    a, b = curve_of(recipe.min_dist)
    threads = n_threads() if recipe.mode == "parallel" else 1
    facts = {"a": a, "b": b, "epochs": epochs, "threads": threads}
    state = random_state_of(recipe.seed)
    arrays: list[Array] = [start_of(start, recipe.seed), graph.head, graph.tail, graph.every, state]
    with _KEEPER.at_work(progress) as child:
        child.ask(facts, arrays)
        return _followed(child, epochs, on_epoch, progress)


def _followed(child: Child, epochs: int, on_epoch: OnEpoch, progress: Progress) -> Matrix:
    """What the child comes to; passes on what it says on the way."""
    epoch, said = 0, f"UMAP, epoch 0 of {epochs:,}"
    began: tuple[int, float] | None = None
    while True:
        layouts = []
        for message in child.listen():
            facts, arrays = message or ({"kind": "ended"}, [])
            if facts["kind"] == "done":
                return arrays[0]
            if facts["kind"] != "epoch":
                raise _broken(child, facts.get("why", ""))
            layouts.append((facts["epoch"], arrays[0]))
        if layouts:
            epoch, xy = layouts[-1]
            on_epoch(epoch, xy)
            began = began or (epoch, monotonic())
            said = f"UMAP, epoch {epoch:,} of {epochs:,}{_left(began, epoch, epochs)}"
        progress(epoch / epochs, said if child.ready else "Starting UMAP")


def _left(began: tuple[int, float], epoch: int, epochs: int) -> str:
    """How long it will take yet, given an earlier epoch and when that was; "" where it is one."""
    first, then = began
    if epoch == first:
        return ""
    seconds = (monotonic() - then) * (epochs - epoch) / (epoch - first)
    return f" · about {max(1, round(seconds)):,} s left"


def _started() -> Child:
    try:
        return Child()
    except OSError as error:
        raise MipsError(
            "UMAP could not be started: the system gives no room for another process.",
            "Close other programs, or use the PCA layout.",
        ) from error


def _broken(child: Child, why: str) -> MipsError:
    """What became of the child; `why` is what it said itself."""
    status = child.last_status()
    error = MipsError(
        "UMAP stopped before it was done: the process it runs in broke down.",
        "Draw the map once more, or use the PCA layout.",
    )
    if status == KILLED and not why:
        error = MipsError(
            "UMAP stopped before it was done: the system ended it, most likely for want of memory.",
            "Fit it to fewer items, or use the PCA layout.",
        )
    elif "ModuleNotFoundError" in why:
        error = MipsError(
            "UMAP could not be loaded: the package umap-learn is not as it should be.",
            "Install it again, or use the PCA layout.",
        )
    error.__cause__ = RuntimeError(why or f"exit status {status}")
    return error
