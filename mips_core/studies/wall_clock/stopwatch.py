"""Taking time: one query after another, and all at once, without the garbage collector."""

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter, process_time, thread_time

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.threads import between_blocks
from mips_core.studies.wall_clock.timings import Took, Way

ROUNDS = 3
CALLS = 200  # single queries each search is asked at least, over all rounds, …
SECONDS = 2.0  # … unless they take longer than this, over all rounds
ALONE = Lock()  # one measurement at a time in a process, or they would time each other

Ask = Callable[[Matrix], Ids]  # queries (m, d) -> answers (m, K)
Limited = Callable[[int], AbstractContextManager[None]]  # to so many threads


@dataclass(frozen=True, slots=True)
class Watch:
    """Times of one search, gathered over rounds: of single queries by their number, of batches."""

    queries: list[int] = field(default_factory=list)
    singles: list[float] = field(default_factory=list)
    single_processor: list[float] = field(default_factory=list)
    batches: dict[int, list[tuple[float, float]]] = field(default_factory=dict)  # clock, processor

    def time_singles(self, ask: Ask, limited: Limited, Q: Matrix) -> None:
        """A round of single queries of Q (m, d), on one thread."""
        calls = max(len(Q), -(-CALLS // ROUNDS))
        with ALONE, _undisturbed(), limited(1):
            used, began = thread_time(), perf_counter()
            for call in range(calls):
                at = call % len(Q)
                start = perf_counter()
                ask(Q[at : at + 1])
                stop = perf_counter()
                self.queries.append(at)
                self.singles.append(stop - start)
                if stop - began > SECONDS / ROUNDS:
                    break
            self.single_processor.append(thread_time() - used)

    def time_batch(self, ask: Ask, limited: Limited, Q: Matrix, threads: int) -> None:
        """A round of all queries of Q (m, d) at once."""
        with ALONE, _undisturbed(), limited(threads):
            used, began = process_time(), perf_counter()
            ask(Q)
            took = (perf_counter() - began, process_time() - used)
        self.batches.setdefault(threads, []).append(took)

    def took(self, batch: int, threads: int) -> dict[Way, Took]:
        """What was gathered, of batches of so many queries on 1 and on `threads` threads."""
        return {
            "one by one": self._singly(),
            "batch": self._in_batches(batch, 1),
            "batch, all threads": self._in_batches(batch, threads),
        }

    def _singly(self) -> Took:
        seconds = _median_by(np.array(self.queries), np.array(self.singles))
        calls = len(self.singles)
        return Took(
            seconds=float(np.median(seconds)),
            p95=float(np.percentile(seconds, 95)),
            mean=sum(self.singles) / calls,
            processor=sum(self.single_processor) / calls,
            threads=1,
            calls=calls,
        )

    def _in_batches(self, size: int, threads: int) -> Took:
        taken = np.array(self.batches[threads]) / size
        return Took(
            seconds=float(np.median(taken[:, 0])),
            p95=None,
            mean=float(taken[:, 0].mean()),
            processor=float(taken[:, 1].mean()),
            threads=threads,
            calls=size * len(taken),
        )


def _median_by(groups: Ids, values: Floats) -> Floats:
    """The median of the values of each group."""
    return np.array([np.median(values[groups == group]) for group in np.unique(groups)])


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No garbage collection within, and nothing between blocks."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with between_blocks(int):
            yield
    finally:
        if collecting:
            gc.enable()
