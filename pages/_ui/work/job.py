"""One piece of long work: what it is, how far it is, how it ended."""

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from itertools import count
from time import monotonic
from typing import Any, Literal

from mips_core.base import limits
from mips_core.base.errors import Cancelled, MipsError, disk_full
from mips_core.base.progress import Progress
from mips_core.base.threads import between_blocks
from mips_core.scale.shared_file import WAITING
from pages._ui.work import results

State = Literal["waiting", "running", "done", "failed", "cancelled"]
Lane = Literal["measure", "read", "child", "show", "fetch"]  # whose turn a job waits for
ORDER = count()
LATER = 1000.0  # wanted so little: computed ahead of any wish, such as all settings of all methods


@dataclass(eq=False)
class Job:
    """A computation waiting, under way or ended. Written by the worker, read by pages."""

    key: Hashable
    label: str
    work: Callable[[Progress], Any]
    owner: str  # the visitor whose turn it takes
    wanted: float  # lower goes first
    lane: Lane = "measure"
    expected: float | None = None  # seconds it takes, about, where that is known
    number: int = field(default_factory=lambda: next(ORDER))
    state: State = "waiting"
    fraction: float = 0.0
    message: str = ""
    partial: Any = None
    error: str = ""
    stop: bool = False
    stopped_by: str = ""  # the visitor who has cancelled it, unless they ask for it anew
    aside: bool = False  # begun, and letting others go first
    blocked: float = 0.0  # until when it lets all others go first: one of them may hold its lock
    worked: float = 0.0  # seconds, before its turn now
    turn: float = field(default_factory=monotonic)  # when its turn now began
    looked: float = field(default_factory=monotonic)  # when a page last asked for it
    others: set[str] = field(default_factory=set)  # visitors beside its owner who wait for it
    given_up: "dict[str, Job]" = field(default_factory=dict)  # by who cancelled it: what they see
    goes_on: bool = False  # cancelled for whoever sees this; another visitor waits for it

    def run(self, between: Callable[[], object]) -> State:
        """Do the work and remember its result; how it ended, which is for the worker to write.

        `between` comes at each report and after each block of the work; what it raises ends that.
        """

        def report(fraction: float, message: str, partial: Any = None) -> None:
            self.blocked = monotonic() + limits.SLICE_SECONDS if message == WAITING else 0.0
            between()
            self.fraction, self.message = fraction, message
            self.partial = self.partial if partial is None else partial

        with results.making():
            return self._ended(lambda: results.remember(self.key, self.work(report)), between)

    def _ended(self, make: Callable[[], None], between: Callable[[], object]) -> State:
        try:
            with between_blocks(between):
                make()
            self.fraction = 1.0
            return "done"
        except Cancelled:
            return "cancelled"
        except MipsError as error:
            if results.outdated(self.key):
                return "done"  # and left no result: of what was read anew it is made anew
            self.error = str(error)
        except MemoryError:
            self.error = "There is not enough memory for this. Try fewer queries or smaller data."
        except BaseException as error:  # of SystemExit too: the lane would stay taken for good
            logging.getLogger(__name__).exception("The job %s failed", self.label)
            why = disk_full(error)
            self.error = str(why or "This could not be computed. The log of the server says why.")
        return "failed"

    def end(self, state: State) -> None:
        """Write how it ended, and let go of what it worked on and showed before its result."""
        self.state, self.aside, self.work = state, False, _nothing
        self.given_up.clear()
        if state == "done":
            self.partial = None

    def let_go(self, visitor: str, away: Callable[[str], bool]) -> bool:
        """This visitor ("": its owner) waits for it no more; whether nobody else does who is here.

        Where others have joined it, it is theirs.
        """
        self.others.discard(visitor)
        if visitor not in ("", self.owner) and not away(self.owner):
            return False
        rest = [other for other in sorted(self.others) if not away(other)]
        if rest:
            self.owner = rest[0]
            self.others.discard(rest[0])
        return not rest

    def give_up(self, visitor: str) -> "Job":
        """Let it be cancelled for this visitor, while it goes on for others; what they see."""
        anew: Any = {"others": set(), "given_up": {}}
        own = replace(self, state="cancelled", goes_on=True, work=_nothing, **anew)
        self.given_up[visitor] = own
        return own

    def ends_without(self, visitor: str) -> "dict[str, Job] | None":
        """While it ends because others cancelled it, not this visitor: what they see; else None."""
        if not (self.active and self.stop) or visitor in (self.stopped_by, *self.given_up):
            return None
        if self.stopped_by:
            self.give_up(self.stopped_by)
        return dict(self.given_up)

    def as_seen_by(self, visitor: str) -> "Job":
        """It, or what it is for who has cancelled it for themselves."""
        return self.given_up.get(visitor, self) if self.active else self

    @property
    def active(self) -> bool:
        """Whether it may still change."""
        return self.state in ("waiting", "running")

    @property
    def seconds(self) -> float:
        """For how long it has worked by now."""
        running = self.state == "running" and not self.aside
        return self.worked + (monotonic() - self.turn if running else 0.0)

    @property
    def seconds_left(self) -> float | None:
        """A guess from what was done so far, or expected before; None where neither tells."""
        spent = self.seconds
        if self.active and self.fraction >= 0.05 and spent >= 1:
            return spent * (1 - self.fraction) / self.fraction
        return None if self.expected is None or not self.active else max(self.expected - spent, 0.0)


def _nothing(_: Progress) -> None:
    """The work of a job that ended: one that is started anew brings its own."""
