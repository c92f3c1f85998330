"""Long work: named by all its inputs, run one at a time in its lane, watched from any page.

One worker measures: kernels use every core already. What waits for a child process, and what a page
needs before it can show anything, has a worker of its own, so that none holds up the other. A
worker never calls Streamlit; it writes to a Job, and the page that watches it draws. Visitors take
turns; among a visitor's own jobs the most wanted goes first. What nobody asked for by hand (LATER)
lets all others go first, and gives way where it has begun.
"""

import logging
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from itertools import count
from math import inf
from threading import Condition, Thread
from time import monotonic
from typing import Any, Literal

from mips_core.base.errors import Cancelled, MipsError, disk_full
from mips_core.base.progress import Progress
from pages._ui.work import results
from pages._ui.work.priority import let_pages_go_first

State = Literal["waiting", "running", "done", "failed", "cancelled"]
Lane = Literal["measure", "child", "show"]  # whose turn a job waits for
ORDER = count()
LATER = 1000.0  # wanted so little: computed ahead of any wish, such as all settings of all methods


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
    gives_way: bool = False
    started: float = 0.0
    looked: float = field(default_factory=monotonic)  # when a page last asked for it

    def report(self, fraction: float, message: str, partial: Any = None) -> None:
        """The progress callback the work is given."""
        if self.stop or self.gives_way:
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
            if self.stop or not self.gives_way:
                return "cancelled"
            self.gives_way, self.fraction, self.message = False, 0.0, ""
            return "waiting"
        except MipsError as error:
            self.error = str(error)
        except MemoryError:
            self.error = "There is not enough memory for this. Try fewer queries or smaller data."
        except Exception as error:
            logging.getLogger(__name__).exception("The job %s failed", self.label)
            why = disk_full(error)
            self.error = str(why or "This could not be computed. The log of the server says why.")
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


KEPT = 200  # ended jobs remembered, oldest forgotten first
AWAY = 30.0  # seconds without a look after which a visitor's waiting jobs let all others go first

_BOOK: dict[Hashable, Job] = {}
_CHANGED = Condition()
_SERVED: dict[tuple[Lane, str], int] = {}  # lane and owner -> when one of their jobs last began
_SEEN: dict[str, float] = {}  # owner -> when a page of theirs last looked
_WORKERS: dict[Lane, Thread] = {}


def start(
    key: Hashable,
    label: str,
    work: Callable[[Progress], Any],
    owner: str,
    wanted: float = 0,
    lane: Lane = "measure",
) -> Job:
    """The job of this key: the one known, or a new one if there is none or its result is gone.

    One that was cancelled or failed stays so until it is forgotten: pages ask at every run.
    """
    with _CHANGED:
        job = _BOOK.get(key)
        if job is None or (job.state == "done" and results.worth_making(key)):
            job = _BOOK[key] = Job(key, label, work, owner, wanted, lane)
            ended = [k for k, j in _BOOK.items() if not j.active]
            for old in ended[: max(0, len(ended) - KEPT)]:
                del _BOOK[old]
        job.wanted = wanted
        if _away(job.owner):
            job.owner = owner  # who refreshed the page is another visitor
        if job.state == "waiting" and wanted < LATER:
            for other in _BOOK.values():
                begun = other.state == "running" and other.lane == lane
                other.gives_way |= begun and other.wanted >= LATER
        if lane not in _WORKERS or not _WORKERS[lane].is_alive():
            _WORKERS[lane] = Thread(target=_run, args=(lane,), name=f"jobs {lane}", daemon=True)
            _WORKERS[lane].start()
        _CHANGED.notify_all()
        return job


def find(key: Hashable) -> Job | None:
    """The job of this key, if it was started and is still remembered; it was looked at now."""
    job = _BOOK.get(key)
    if job is not None:
        job.looked = monotonic()
    return job


def cancel(job: Job) -> None:
    """Stop a job: at once while it waits, at its next report while it runs."""
    with _CHANGED:
        job.stop = job.active
        if job.state == "waiting":
            job.state = "cancelled"


def take_back(owner: str, keys: Collection[Hashable]) -> None:
    """Forget the jobs of these keys that a visitor has asked for and that have not begun."""
    with _CHANGED:
        for job in list(_BOOK.values()):
            if job.owner == owner and job.state == "waiting" and job.key in keys:
                job.state = "cancelled"
                del _BOOK[job.key]


def leave(owner: str, *, begun: bool) -> None:
    """A visitor is gone: what nobody else looks at ends; if it has `begun`, only where asked."""
    with _CHANGED:
        _SEEN.pop(owner, None)
        for job in of(owner):
            stays = job.state == "running" and job.wanted < LATER and not begun
            if not stays and monotonic() - job.looked > AWAY:
                cancel(job)
                del _BOOK[job.key]


def forget(job: Job) -> None:
    """Let the work of an ended job be started anew."""
    with _CHANGED:
        if not job.active and _BOOK.get(job.key) is job:
            del _BOOK[job.key]
            results.give_another_chance(job.key)


def of(owner: str, active: bool = True) -> list[Job]:
    """The active jobs of a visitor, in the order they were asked for; or those that ended."""
    with _CHANGED:
        return [job for job in _BOOK.values() if job.active == active and job.owner == owner]


def seen(owner: str) -> None:
    """A page of this visitor is open: their jobs take turns with those of others."""
    _SEEN[owner] = monotonic()


def quiet_for() -> float:
    """Seconds since a page was drawn for anybody; 0 while any job is active."""
    with _CHANGED:
        if any(job.active for job in _BOOK.values()):
            return 0.0
        return monotonic() - max(_SEEN.values(), default=-inf)


def running(lane: Lane) -> Job | None:
    """The job that has this lane now."""
    with _CHANGED:
        lanes = (job for job in _BOOK.values() if job.state == "running" and job.lane == lane)
        return next(lanes, None)


def ahead_of(job: Job) -> int:
    """How many that wait, and that its visitor asked for, its worker would take before this one."""
    with _CHANGED:
        own = [o for o in _BOOK.values() if (o.owner, o.lane) == (job.owner, job.lane)]
        waiting = [o for o in own if o.state == "waiting" and o.wanted < LATER]
        return sum(_turn(o) < _turn(job) for o in waiting)


def wait(seconds: float = 60) -> bool:
    """Block until no job is active, for tests and warm-up; whether that came in time."""
    with _CHANGED:
        return _CHANGED.wait_for(
            lambda: not any(job.active for job in _BOOK.values()), timeout=seconds
        )


def _next(lane: Lane) -> Job | None:
    waiting = [job for job in _BOOK.values() if job.state == "waiting" and job.lane == lane]
    return min(waiting, key=_turn, default=None)


def _turn(job: Job) -> tuple[float, ...]:
    """Lowest first: who is here, what was asked for, whose turn it is, most wanted, then oldest."""
    served = _SERVED.get((job.lane, job.owner), -1)
    return (_away(job.owner), job.wanted >= LATER, served, job.wanted, job.number)


def _away(owner: str) -> bool:
    return monotonic() - _SEEN.get(owner, -AWAY) > AWAY


def _run(lane: Lane) -> None:
    if lane == "measure":  # a child has little time, and a page waits for what it shows
        let_pages_go_first()
    while True:
        with _CHANGED:
            _CHANGED.wait_for(lambda: _next(lane) is not None)
            job = _next(lane)
            assert job is not None
            job.state, job.started = "running", monotonic()
            _SERVED[lane, job.owner] = next(ORDER)
        state = job.run()
        with _CHANGED:
            job.state = state
            _CHANGED.notify_all()
