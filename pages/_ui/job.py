"""One piece of long work: what it is, how far it is, what it knows so far."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import Any, Literal

from mips_core.errors import Cancelled
from mips_core.progress import Progress

State = Literal["waiting", "running", "done", "failed", "cancelled"]
ORDER = count()


@dataclass(eq=False)
class Job:
    """A computation waiting, under way or ended. Written by the worker, read by pages."""

    key: Hashable
    label: str
    work: Callable[[Progress], Any]
    owner: str
    wanted: float  # lower goes first
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
