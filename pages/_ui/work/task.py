"""One task: something computed, named by all its inputs, remembered while there is room for it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mips_core import Dataset, MipsError
from mips_core.base.progress import Progress, silent
from pages._ui.work import jobs, looks, results
from pages._ui.work.job import Job, Lane

Result = TypeVar("Result")
NEXT = -2000.0  # wanted before all else that a visitor asked for: a button was pressed for it
QUICK = 2_000_000  # numbers of data small enough to be looked at in the run of the page


@dataclass(frozen=True, eq=False)
class Task(Generic[Result]):
    """Something to compute: by a job, or in the run of the page where that is quick."""

    key: Hashable  # of all its inputs, by fingerprint: another result has another one
    label: str  # what a progress line calls it
    make: Callable[[Progress], Result]
    lane: Lane = "measure"
    quick: bool = False

    @property
    def result(self) -> Result | None:
        """It, if it is remembered."""
        result: Result | None = results.recall(self.key)
        return result

    @property
    def so_far(self) -> Any:
        """It, or what its job can show of it by now; None before there is anything."""
        result = self.result
        return self.job.partial if result is None and self.job is not None else result

    @property
    def job(self) -> Job | None:
        """The job that makes it, if there is one."""
        return jobs.find(self.key)

    @property
    def active(self) -> bool:
        """Whether its job waits or runs."""
        return self.job is not None and self.job.active

    @property
    def unsettled(self) -> bool:
        """Whether it is still to come: neither known nor cancelled, failed or without room."""
        job = self.job
        if self.result is not None or results.crowded(self.key):
            return False
        return job is None or job.active or job.state == "done"

    @property
    def expected(self) -> float | None:
        """About how many seconds it takes, where that is known."""
        return None

    def start(self, owner: str, wanted: float = 0) -> Job:
        """Make it, as a job; the lower `wanted`, the earlier."""
        return jobs.start(self.key, self.label, self.make, owner, wanted, self.lane, self.expected)

    def start_now(self, owner: str) -> None:
        """A button was pressed for it: before all else, and anew if it was cancelled or failed."""
        self.ask_again(owner)
        self.start(owner, NEXT)

    def ask_again(self, owner: str) -> None:
        """Let what was cancelled or failed for this visitor be started anew."""
        looks.asks(owner)  # a callback comes before the page has said whose it is
        if self.job is not None:
            jobs.forget(self.job)

    def ask(self, owner: str) -> Result | None:
        """It, if it is known or quick; else None, and its job is started.

        Raises MipsError where it cannot be made; a layout, which may be partial, says so itself.
        """
        if self.quick:
            return self.here()
        result = self.result
        if result is None:
            job = self.start(owner)
            if job.state == "failed" and self.lane == "show":
                raise MipsError(job.error)
        return result

    def here(self, progress: Progress = silent) -> Result:
        """It, made now and by whoever calls where it is not remembered."""
        return once(self.key, lambda: self.make(progress))


def items_name(dataset: Dataset) -> str:
    """Names the items among results that visitors share: by content, but for private ones."""
    return dataset.fingerprint + dataset.private


def once(key: Hashable, make: Callable[[], Result]) -> Result:
    """What is remembered under `key`; made now, in a moment, where there is nothing."""
    result: Result | None = results.recall(key)
    if result is None:
        with results.making():
            result = make()
            results.remember(key, result)
    return result


def while_same(key: Hashable, inputs: object, make: Callable[[], Result]) -> Result:
    """What is remembered under `key` where it was made of the same `inputs`; else made now."""
    remembered: tuple[object, Result] | None = results.recall(key)
    if remembered is None or remembered[0] != inputs:
        with results.making():
            remembered = (inputs, make())
            results.remember(key, remembered)
    return remembered[1]


def is_quick(dataset: Dataset) -> bool:
    """Whether looking at each number of the items takes a moment only."""
    return dataset.items.size <= QUICK
