"""Tasks of one pass that a cluster was handed, and what became of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from queue import SimpleQueue
from time import monotonic
from typing import Any

from mips_core.base.text import memory
from mips_core.scale.engine import Task, Work, WorkersDiedError
from mips_core.scale.worker_call import code_name, timed

RETRIES = 2


@dataclass(eq=False)
class HandedTasks:
    """Tasks that were handed in, and what is known of them."""

    work: Work
    tasks: Mapping[int, Task]
    key: str
    futures: dict[int, list[Any]] = field(default_factory=dict)
    meant_for: dict[int, set[str]] = field(default_factory=dict)  # of the last copy; empty: all
    ended: SimpleQueue[tuple[int, Any]] = field(default_factory=SimpleQueue)
    seconds: list[float] = field(default_factory=list)
    last: float = field(default_factory=monotonic)  # when one ended
    looked: float = field(default_factory=monotonic)  # when workers were last looked after
    heard: float = field(default_factory=monotonic)  # when one that is at a task had spoken anew
    word: float = 0.0  # and when that was, by the scheduler's clock
    late: int = 0  # how often a value that was ready did not come in time, and nobody else had it
    unattended: bool = False  # there was no worker then

    def submit(self, client: Any, number: int, workers: list[str] | None = None) -> None:
        """Hand in a task, or a second copy of it, for these workers alone where they are named."""
        copies = self.futures.setdefault(number, [])
        key = f"mips-{self.key}-{number}{'-again' * len(copies)}"
        future = client.submit(timed, code_name(), self.work, *self.tasks[number], key=key,
                               retries=RETRIES, workers=workers)  # fmt: skip
        copies.append(future)
        self.meant_for[number] = set(workers or ())
        self.hear(number, future)

    def hear(self, number: int, future: Any) -> None:
        """Put the end of a copy of a task into the queue, once it has come."""
        future.add_done_callback(lambda ended: self.ended.put((number, ended)))

    def note_words(
        self, seen: Mapping[str, float], processing: Mapping[str, Iterable[str]]
    ) -> None:
        """Note whether a worker that is at one of these tasks has spoken since the last look.

        A task may take hours: as long as its worker speaks, nothing is amiss. seen: when each
        worker spoke last, processing: what it is at, by the scheduler.
        """
        keys = {self.latest(number).key for number in self.futures}
        words = (seen.get(w, 0.0) for w, own in processing.items() if keys.intersection(own))
        word = max(words, default=0.0)
        if word > self.word:
            self.heard, self.word = monotonic(), word

    def let_go(self, numbers: Iterable[int]) -> None:
        """These are done, or wanted no more: what has not begun is dropped.

        Released, not cancelled: who else asked for the same keys still gets them. And by name: as
        long as the end of a future is waited for, it is not forgotten by itself.
        """
        for number in numbers:
            for future in self.futures.pop(number):
                future.release()

    def in_words(self, total: int) -> str:
        """How many of `total` tasks are done, and where nobody is there to do the rest."""
        done = f"{total - len(self.futures):,} of {total:,} tasks done"
        return f"{done}: the cluster has no workers now" if self.unattended else done

    def latest(self, number: int) -> Any:
        """The future of the last copy of a task; None where it is done. Those before are let be."""
        return self.futures[number][-1] if number in self.futures else None


def plain_error(error: Any) -> BaseException:
    """The error of a task, in words where Dask's own say too little."""
    if type(error).__name__ == "KilledWorker":
        limit = error.last_worker.memory_limit
        each = f" that may take {memory(limit)} each" if limit else ""
        return WorkersDiedError(
            f"Workers{each} died over the same task again and again, most likely for want of "
            "memory.",
            "Give them more (--memory-limit), or import the vectors in smaller parts (--part-mb).",
        )
    plain: BaseException = error
    return plain
