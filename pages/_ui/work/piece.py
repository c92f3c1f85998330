"""A piece of what the map shows: made in the run of the page where that is quick, else by a job."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from mips_core import Dataset, MipsError
from mips_core.base.progress import Progress, silent
from pages._ui.work import jobs, results
from pages._ui.work.job import Job, Lane

QUICK = 2_000_000  # numbers of data small enough to be looked at in the run of the page


@dataclass(frozen=True, eq=False)
class Piece:
    """Something that is computed, named by its inputs."""

    key: Hashable
    label: str  # what a progress line calls it
    make: Callable[[Progress], Any]
    lane: Lane = "show"
    quick: bool = False

    @property
    def job(self) -> Job | None:
        """The job that makes it, if there is one."""
        return jobs.find(self.key)

    def ask(self, owner: str) -> Any:
        """It, if it is known or quick; else None, and its job is started.

        Raises MipsError where it cannot be made; a layout, which may be partial, says so itself.
        """
        if self.quick:
            return once(self.key, lambda: self.make(silent))
        found = results.recall(self.key)
        if found is None:
            job = jobs.start(self.key, self.label, self.make, owner, lane=self.lane)
            if job.state == "failed" and self.lane == "show":
                raise MipsError(job.error)
        return found


def once(key: Hashable, make: Callable[[], Any]) -> Any:
    """What is remembered under `key`; made now, in a moment, where there is nothing."""
    found = results.recall(key)
    if found is None:
        found = make()
        results.remember(key, found)
    return found


def is_quick(dataset: Dataset) -> bool:
    """Whether looking at each number of the items takes a moment only."""
    return dataset.items.size <= QUICK
