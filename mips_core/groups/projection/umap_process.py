"""UMAP in a child process that is kept: loaded once, one fit at a time, ended to cancel one.

umap-learn's optimiser cannot be stopped from outside, aborts a process in which two fits run in
parallel, and takes seconds to load. So it runs in a process of its own.
"""

import os
from collections.abc import Callable
from functools import partial
from time import monotonic

from mips_core.base import limits
from mips_core.base.arrays import Matrix
from mips_core.base.child_process import KILLED, ChildProcess
from mips_core.base.errors import MipsError
from mips_core.base.numba_cache import environment_for
from mips_core.base.progress import Progress, silent
from mips_core.base.threads import n_threads
from mips_core.groups.projection import umap_child
from mips_core.groups.projection.kept_child import KeptChild
from mips_core.groups.projection.layout import ProjectionRecipe
from mips_core.groups.projection.neighbours import Neighbours
from mips_core.groups.projection.umap_child import Array, Message
from mips_core.groups.projection.umap_graph import curve_of, graph_of, random_state_of, start_of

LAST_WORD_SECONDS = 1.0
LITTLE = 2 * 2**30  # bytes: a process may wait where more is allowed, or nothing was said
SCRIPT = umap_child.__file__
RUN_SCRIPT = 'import runpy\nrunpy.run_path(sys.argv[2], run_name="__main__")'

OnEpoch = Callable[[int, Matrix], None]


def _started() -> ChildProcess[Message]:
    environment = os.environ | environment_for("umap") | {"NUMBA_THREADING_LAYER": "workqueue"}
    try:
        return ChildProcess(RUN_SCRIPT, SCRIPT, environment=environment, receive=umap_child.read)
    except OSError as error:
        raise MipsError(
            "UMAP could not be started: the system gives no room for another process.",
            "Close other programs, or use the PCA layout.",
        ) from error


_KEPT = KeptChild(_started)


def stays() -> bool:
    """Whether there is memory for a process that waits for maps: not where little is allowed."""
    return not 0 < limits.MEMORY_BYTES < LITTLE


def warm() -> None:
    """Start the child process, if none is running and it may stay, and return at once."""
    if stays():
        _KEPT.warm()


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
    with _KEPT.at_work(progress, "Waiting for another map", stays()) as child:
        child.send(partial(umap_child.write, facts=facts, arrays=arrays))
        return _followed(child, epochs, on_epoch, progress)


def _followed(
    child: ChildProcess[Message], epochs: int, on_epoch: OnEpoch, progress: Progress
) -> Matrix:
    """What the child comes to; passes on its layouts on the way."""
    epoch, words = 0, f"UMAP, epoch 0 of {epochs:,}"
    began: tuple[int, float] | None = None
    while True:
        layouts = []
        for message in child.listen():
            facts, arrays = message or ({"kind": "ended"}, [])
            if facts["kind"] == "ready":
                continue
            if facts["kind"] == "done":
                return arrays[0]
            if facts["kind"] != "epoch":
                raise _broken(child, facts.get("why", ""))
            layouts.append((facts["epoch"], arrays[0]))
        if layouts:
            epoch, xy = layouts[-1]
            on_epoch(epoch, xy)
            began = began or (epoch, monotonic())
            words = f"UMAP, epoch {epoch:,} of {epochs:,}{_left(began, epoch, epochs)}"
        progress(epoch / epochs, words if child.has_spoken else "Starting UMAP")


def _left(began: tuple[int, float], epoch: int, epochs: int) -> str:
    """How long it will take yet, given an earlier epoch and when that was; "" where it is one."""
    first, then = began
    if epoch == first:
        return ""
    seconds = (monotonic() - then) * (epochs - epoch) / (epoch - first)
    return f" · about {max(1, round(seconds)):,} s left"


def _broken(child: ChildProcess[Message], why: str) -> MipsError:
    """What became of the child; `why` is what it said itself."""
    status = child.status_within(LAST_WORD_SECONDS)
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
