"""One piece of long work: what it is, how far it is, what it knows so far."""

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import Any, Literal

from mips_core.base.errors import Cancelled, MipsError
from mips_core.base.progress import Progress
from pages._ui.work import results

State = Literal["waiting", "running", "done", "failed", "cancelled"]
Lane = Literal["measure", "child", "show"]  # whose turn a job waits for
ORDER = count()


@dataclass(eq=False)
class Job:
    """A computation waiting, under way or ended. Written by the worker, read by pages."""

    key: Hashable
    label: str
    work: Callable[[Progress], Any]
    owner: str
    wanted: float  # lower goes first
    lane: Lane = "measure"
    number: int = field(default_factory=lambda: next(ORDER))
    state: State = "waiting"
    fraction: float = 0.0
    message: str = ""
    partial: Any = None
    error: str = ""
    stop: bool = False
    started: float = 0.0

    def report(self, fraction: float, message: str, partial: Any = None) -> None:
        """The progress callback the work is given."""
        if self.stop:
            raise Cancelled
        self.fraction, self.message = fraction, message
        self.partial = self.partial if partial is None else partial

    def run(self) -> State:
        """Do the work and remember its result; how it ended, which is for the worker to write."""
        try:
            results.remember(self.key, self.work(self.report))
            self.fraction = 1.0
            return "done"
        except Cancelled:
            return "cancelled"
        except MipsError as error:
            self.error = str(error)
        except MemoryError:
            self.error = "There is not enough memory for this. Try fewer queries or smaller data."
        except Exception:
            logging.getLogger(__name__).exception("The job %s failed", self.label)
            self.error = "This could not be computed. The log of the server says why."
        return "failed"

    @property
    def active(self) -> bool:
        """Whether it may still change."""
        return self.state in ("waiting", "running")

    @property
    def seconds_left(self) -> float | None:
        """A guess from what was done so far; None in the first moments."""
        spent = monotonic() - self.started
        if self.state != "running" or self.fraction < 0.05 or spent < 1:
            return None
        return spent * (1 - self.fraction) / self.fraction
