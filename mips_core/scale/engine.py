"""One contract for work on parts, wherever it runs, and the engine of this process."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from time import perf_counter
from typing import Any, TypeVar

from mips_core.base.errors import Cancelled, DataError
from mips_core.base.progress import Progress, silent
from mips_core.base.threads import between_blocks, limited, n_threads, stood_aside

Task = tuple[Any, ...]
Work = Callable[..., Any]
Combine = Callable[[Any, Any], Any]
Value = TypeVar("Value")

TASKS_A_WORKER = 4  # of one pass: few enough to cost nothing, enough to even out
POLL_SECONDS = 0.2  # a cancel is seen within it


class WorkersDiedError(DataError):
    """Workers of a cluster died over the same task again and again."""


class Engine(ABC):
    """Calls functions of this package on small values and names of files.

    A call may happen twice, on two machines at once: it must leave the same bytes each time.
    """

    workers: int
    memory: int | None = None  # bytes that each worker may take; None where all share a process

    @abstractmethod
    def run(
        self, work: Work, tasks: Sequence[Task], key: str, progress: Progress = silent
    ) -> Iterator[tuple[int, Any]]:
        """(number, work(*task)) of each task as it is done, in any order.

        `key` names these calls: asked for twice, they may run once. `progress` is told the share
        that is done, and often, so that it may raise Cancelled: what has not begun is dropped then.
        """

    def close(self) -> None:  # noqa: B027  (threads end with their work)
        """Take leave; what was handed in and is not done is dropped."""

    def reduce(
        self,
        work: Work,
        tasks: Sequence[Task],
        combine: Combine,
        key: str,
        progress: Progress = silent,
    ) -> Any:
        """combine over work(*task) of all tasks, one or more, in any order and nesting.

        Neighbours share a call and come back as one value.
        """
        size = -(-len(tasks) // (TASKS_A_WORKER * self.workers))
        groups = [tuple(tasks[at : at + size]) for at in range(0, len(tasks), size)]
        calls = [(work, combine, group) for group in groups]
        total, first = None, True
        for _, value in self.run(combined, calls, f"{key}-{size}", progress):
            total, first = value if first else combine(total, value), False
        return total


def combined(work: Work, combine: Combine, tasks: Sequence[Task]) -> Any:
    """combine over work(*task) of tasks, one or more, in their order."""
    total = work(*tasks[0])
    for task in tasks[1:]:
        total = combine(total, work(*task))
    return total


class Local(Engine):
    """Threads of this process, each at work on one part.

    After each block of its work a thread stands aside while who waits for it does, or ends with it.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or n_threads()

    def run(
        self, work: Work, tasks: Sequence[Task], key: str, progress: Progress = silent
    ) -> Iterator[tuple[int, Any]]:
        waited_for, dropped = Event(), Event()

        def between() -> None:
            if not waited_for.is_set():
                began = perf_counter()
                waited_for.wait()
                stood_aside(perf_counter() - began)
            if dropped.is_set():
                raise Cancelled

        def alone(task: Task) -> Any:
            with limited(1), between_blocks(between):
                return work(*task)

        with ThreadPoolExecutor(self.workers, thread_name_prefix="mips-part") as pool:
            numbers: dict[Future[Any], int] = {
                pool.submit(alone, t): i for i, t in enumerate(tasks)
            }
            try:
                waiting, done = set(numbers), 0
                while waiting:
                    waited_for.set()
                    ended, waiting = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
                    waited_for.clear()
                    done += len(ended)
                    progress(done / len(tasks), f"{done:,} of {len(tasks):,} tasks done")
                    while ended:  # which else would hold what was handed on
                        future = ended.pop()
                        yield numbers.pop(future), future.result()
            finally:
                dropped.set()
                waited_for.set()
                pool.shutdown(cancel_futures=True)
