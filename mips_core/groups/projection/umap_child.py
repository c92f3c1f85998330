"""What runs in the kept child process: umap-learn's optimiser, waiting for graphs to lay out.

The process runs this file and loads nothing else of the project. Of umap-learn it
loads `umap.layouts` alone: the package's own `__init__` brings a neighbour search that is not
needed here and takes half a minute to compile on a new machine. Messages go both ways over the
standard streams, as `write` writes them.
"""

import json
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from queue import Queue
from threading import Thread
from types import ModuleType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

# Of what umap.layouts imports:
UNUSED = ("scipy", "scipy.sparse", "scipy.stats", "sklearn", "sklearn.metrics", "sklearn.utils",
          "sklearn.utils.validation")  # fmt: skip

Array = NDArray[Any]
Message = tuple[dict[str, Any], list[Array]]

NICENESS = 5  # while it loads, which nobody may be waiting for
SHORTEST_PERIOD = 0.25  # seconds between two layouts sent, …
POINTS_A_SECOND = 150_000  # … and longer where so many points a second are not enough
NEGATIVE_SAMPLES = 5.0  # repulsions for each attraction, umap-learn's default
LEARNING_RATE = 0.25  # umap-learn has 1: more than a PCA start needs, and it keeps neighbours worse


def write(stream: BinaryIO, facts: dict[str, Any], arrays: Sequence[Array] = ()) -> None:
    """One line of JSON, `facts` in JSON's types, then the bytes of each array. Raises OSError."""
    shapes = [(array.dtype.str, array.shape) for array in arrays]
    stream.write(json.dumps(facts | {"arrays": shapes}).encode() + b"\n")
    for array in arrays:
        stream.write(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    stream.flush()


def read(stream: BinaryIO) -> Message | None:
    """The next message, arrays of its own in memory; None where the stream ended, even midway."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    facts = json.loads(line)
    arrays = []
    for dtype, shape in facts.pop("arrays"):
        array = np.empty(shape, dtype)  # writable: numba compiles anew for what is not
        taken = stream.readinto(array.data.cast("B")) if array.size else 0  # type: ignore[attr-defined]
        if taken < array.nbytes:
            return None
        arrays.append(array)
    return facts, arrays


class Snapshots:
    """A file for tqdm's bar: at each number written to it, it sends the layout as it then is.

    umap-learn takes arguments for its progress bar (`tqdm_kwds`), and tqdm a file and a format:
    both are documented. The bar is drawn between two epochs, never within one. umap-learn's list
    of epochs to keep gives layouts too, but only when all is done.
    """

    def __init__(self, out: BinaryIO, xy: Array) -> None:
        self.out, self.xy = out, xy

    def write(self, text: str) -> None:
        number = text.strip()
        if number.isdecimal() and int(number):
            write(self.out, {"kind": "epoch", "epoch": int(number)}, [self.xy])

    def flush(self) -> None:
        """Each message is sent at once."""


def optimised(layouts: ModuleType, request: Message, out: BinaryIO) -> Array:
    """(n, 2) float32: the layout that the request's graph comes to; sends layouts on the way."""
    import numba

    facts, (xy, head, tail, epochs_per_sample, random_state) = request
    if facts["threads"] > 1:
        most = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
        numba.set_num_threads(min(facts["threads"], most))
    layouts.optimize_layout_euclidean(
        xy,
        xy,
        head,
        tail,
        facts["epochs"],
        len(xy),
        epochs_per_sample,
        facts["a"],
        facts["b"],
        random_state,
        initial_alpha=LEARNING_RATE,
        negative_sample_rate=NEGATIVE_SAMPLES,
        parallel=facts["threads"] > 1,
        move_other=True,
        tqdm_kwds={
            "disable": False,
            "file": Snapshots(out, xy),
            "bar_format": "{n_fmt}",
            "mininterval": max(SHORTEST_PERIOD, len(xy) / POINTS_A_SECOND),
            "miniters": 1,
            "leave": False,
        },
    )
    return xy


def loaded() -> ModuleType:
    """umap.layouts. What a reproducible fit needs is compiled once on a machine, and kept by numba.

    Not what runs in parallel: numba would keep that under the same name.
    """
    from numba.extending import is_jitted

    layouts = _layouts()
    for function in vars(layouts).values():
        if is_jitted(function) and not function.targetoptions.get("parallel"):
            function.enable_caching()
    return layouts


class Unused(ModuleType):
    """A module in whose place nothing is loaded: it gives any name, and none of them may be called.

    The real ones take half of the memory of this process, and of the time until it is ready.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _not_loaded


def _not_loaded(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("This is not loaded in the process that lays out maps.")


def _layouts() -> ModuleType:
    """umap.layouts without what it only imports, or with all of it where it asks for more."""
    before = set(sys.modules)
    _stand_in_for("umap")
    sys.modules.update({name: Unused(name) for name in UNUSED if name not in before})
    try:
        return import_module("umap.layouts")
    except (ImportError, AttributeError, NotImplementedError):
        for name in set(sys.modules) - before:
            if name.partition(".")[0] in {"umap", *UNUSED}:
                del sys.modules[name]
        _stand_in_for("umap")
        return import_module("umap.layouts")


def _stand_in_for(package: str) -> None:
    """Let modules of `package` be imported without its own `__init__`."""
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"There is no package {package}.")
    stand_in = ModuleType(package)
    stand_in.__path__ = list(spec.submodule_search_locations)
    sys.modules[package] = stand_in


def rehearsal() -> Message:
    """A request small enough to take no time once everything is compiled."""
    ends = np.array([0, 1], np.int32)
    xy = np.array([[0, 0], [1, 1]], np.float32)
    facts = {"epochs": 1, "threads": 1, "a": 1.0, "b": 1.0}
    return facts, [xy, ends, ends[::-1].copy(), np.ones(2), np.arange(3)]


def _listen(requests: "Queue[Message]") -> None:
    """Put requests in the queue; end this process when the one that asks has ended."""
    while (request := read(sys.stdin.buffer)) is not None:
        requests.put(request)
    os._exit(0)


def _own_output() -> BinaryIO:
    """The stream to the parent; what libraries print from now on goes nowhere."""
    out = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return out


def _prepared() -> ModuleType:
    """umap.layouts, loaded and compiled."""
    layouts = loaded()
    with Path(os.devnull).open("wb") as nowhere:
        optimised(layouts, rehearsal(), nowhere)
    return layouts


def _give_way() -> None:
    """Let what visitors do go first: this thread on Linux, the whole process elsewhere."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def main() -> None:
    """Load, say so, and answer one request after another."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the parent
    out, requests = _own_output(), Queue[Message]()
    Thread(target=_listen, args=(requests,), daemon=True).start()
    try:
        with ThreadPoolExecutor(1, initializer=_give_way) as background:
            layouts = background.submit(_prepared).result()
        write(out, {"kind": "ready"})
        while True:
            write(out, {"kind": "done"}, [optimised(layouts, requests.get(), out)])
    except Exception:
        write(out, {"kind": "failed", "why": traceback.format_exc()})


if __name__ == "__main__":
    main()
