"""Long work: named by all its inputs, run one at a time in its lane, watched from any page.

One job measures at a time: kernels use every core already. What reads a file, what waits for a
child process, and what a page needs before it can show anything, has a lane of its own, so that
none holds up the other. Work never calls Streamlit; it writes to its Job, and the page that watches
it draws. Visitors take turns; among a visitor's own jobs the most wanted goes first. What nobody
asked for by hand (LATER) lets all others go first. Measuring stands aside, where it has begun, for
who comes first by that, and after a while for the next visitor; then it goes on from there.
"""

from collections.abc import Callable, Collection, Hashable
from math import inf
from threading import Condition, Thread, get_ident
from time import monotonic
from typing import Any

from mips_core.base import limits
from mips_core.base.errors import Cancelled, MipsError
from mips_core.base.progress import Progress
from mips_core.base.threads import stood_aside
from pages._ui.text.periods import period
from pages._ui.work import looks, results, turns
from pages._ui.work.job import LATER, Job, Lane
from pages._ui.work.priority import BELOW, let_pages_go_first

LOOK = 0.1  # seconds from one look at who waits to the next

_BOOK: dict[Hashable, Job] = {}
_CHANGED = Condition()
_WORKERS: dict[Lane, Thread] = {}
_HOLDS: dict[Lane, Job] = {}  # the job that has the lane
TOO_MANY = "{:,} things that you asked for are still to come. Wait for some, or cancel them."
TOO_LONG = "This took longer than {}, which is the limit here. Try smaller data or fewer clusters."


def start(
    key: Hashable,
    label: str,
    work: Callable[[Progress], Any],
    owner: str,
    wanted: float = 0,
    lane: Lane = "measure",
    expected: float | None = None,
) -> Job:
    """The job of this key: the one known, or a new one if there is none or its result is gone.

    One that was cancelled or failed stays so until it is forgotten: pages ask at every run; but
    while it ends for another, who cancelled it, a new one waits. `expected`: its seconds, about.
    """
    with _CHANGED:
        job = _BOOK.get(key)
        gone = None if job is None else job.ends_without(owner)
        lost = job is not None and job.state == "done" and results.worth_making(key)
        if job is None or lost or gone is not None:
            job = Job(key, label, work, owner, wanted, lane, expected, given_up=gone or {})
            _BOOK[key] = job
            if len(of(owner)) > limits.MAX_JOBS:
                job.error = TOO_MANY.format(limits.MAX_JOBS)
                job.end("failed")
            ended = [k for k, j in _BOOK.items() if not j.active]
            for old in ended[: max(0, len(ended) - limits.MAX_ENDED_JOBS)]:
                del _BOOK[old]
        if owner not in job.given_up:
            job.wanted = wanted
            join(job, owner)
        if lane not in _WORKERS or not _WORKERS[lane].is_alive():
            _WORKERS[lane] = Thread(target=_run, args=(lane,), name=f"jobs {lane}", daemon=True)
            _WORKERS[lane].start()
        _CHANGED.notify_all()
    job = job.as_seen_by(owner)
    looks.tell(key, job)
    return job


def find(key: Hashable) -> Job | None:
    """The job of this key, as this thread's visitor sees it, if it is known; looked at now."""
    job = _BOOK.get(key)
    if job is not None:
        job.looked = monotonic()
        job = job.as_seen_by(looks.visitor())
    looks.tell(key, job)
    return job


def join(job: Job, owner: str) -> None:
    """This visitor waits for it, too: it goes on when another cancels it, or has left."""
    with _CHANGED:
        if turns.away(job.owner):
            job.owner = owner  # who refreshed the page is another visitor
        job.others = (job.others | {owner}) - {job.owner}


def cancel(job: Job, owner: str = "") -> Job:
    """Stop a job: at once while it waits, at its next report while it runs.

    Where others have joined it and are here, it goes on for them, whoever of them (or its owner)
    cancels. Returns it as who cancelled it sees it.
    """
    with _CHANGED:
        if job.active and not job.let_go(owner, turns.away):
            return job.give_up(owner) if owner else job
        job.stop, job.stopped_by = job.active, owner or job.owner
        if job.state == "waiting":
            job.end("cancelled")
        _CHANGED.notify_all()
    return job


def take_back(owner: str, keys: Collection[Hashable]) -> None:
    """Let a visitor wait no more for the jobs of these keys; what only they did is not begun."""
    with _CHANGED:
        for job in [job for job in _BOOK.values() if job.active and job.key in keys]:
            mine = job.let_go(owner, turns.away) and job.owner == owner
            if mine and job.state == "waiting":
                job.end("cancelled")
                del _BOOK[job.key]


def leave(owner: str, *, begun: bool) -> None:
    """A visitor is gone: what nobody else looks at ends; if it has `begun`, only where asked."""
    with _CHANGED:
        turns.leave(owner)
        for job in of(owner):
            stays = job.state == "running" and job.wanted < LATER and not begun
            if not stays and monotonic() - job.looked > limits.AWAY_SECONDS:
                cancel(job)
                if job.owner == owner:
                    del _BOOK[job.key]


def forget(job: Job) -> None:
    """Let the work of an ended job be started anew, or waited for again with others."""
    with _CHANGED:
        shared = _BOOK.get(job.key)
        if shared is not None and job.goes_on:
            shared.given_up = {who: one for who, one in shared.given_up.items() if one is not job}
        if job.active and job.stop:
            job.stopped_by = ""  # who cancelled it asks anew, before it has come to its end
        elif not job.active and shared is job:
            del _BOOK[job.key]
            results.give_another_chance(job.key)


def of(owner: str, active: bool = True) -> list[Job]:
    """The active jobs of a visitor, in the order they were asked for; or those that ended."""
    with _CHANGED:
        return [job for job in _BOOK.values() if job.active == active and job.owner == owner]


def seen(owner: str) -> None:
    """A page of this visitor is open: their jobs take turns with those of others."""
    turns.SEEN[owner] = monotonic()


def quiet_for() -> float:
    """Seconds since a page was drawn for anybody; 0 while any job is active."""
    with _CHANGED:
        if any(job.active for job in _BOOK.values()):
            return 0.0
        return monotonic() - max(turns.SEEN.values(), default=-inf)


def running(lane: Lane) -> Job | None:
    """The job that has this lane now."""
    return _HOLDS.get(lane)


def place(job: Job) -> tuple[int, float | None]:
    """The place of a job that waits, from 1, and about how many seconds until its turn.

    None where that is not known of one before it.
    """
    with _CHANGED:
        waiting = turns.in_order(_waiting(job.lane))
        before = waiting[: waiting.index(job)] if job in waiting else waiting
        first = running(job.lane)
        ahead = [*([first] if first is not None and first.wanted < LATER else []), *before]
        left = [turns.seconds_before(other, job) for other in ahead]
        known = [seconds for seconds in left if seconds is not None]
        return len(before) + 1, sum(known) if len(known) == len(left) else None


def wait(seconds: float = 60) -> bool:
    """Block until no job is active, for tests and warm-up; whether that came in time."""
    with _CHANGED:
        return _CHANGED.wait_for(lambda: not any(j.active for j in _BOOK.values()), seconds)


def wait_for(job: Job, seconds: float) -> bool:
    """Block until this job has ended; whether that came in time."""
    with _CHANGED:
        return _CHANGED.wait_for(lambda: not job.active, seconds)


def _waiting(lane: Lane) -> list[Job]:
    return [j for j in _BOOK.values() if j.lane == lane and (j.aside or j.state == "waiting")]


def _run(lane: Lane) -> None:
    """Give the lane to one job after another."""
    let_pages_go_first(BELOW.get(lane, 0))
    while True:
        with _CHANGED:
            while lane in _HOLDS or (job := turns.next_of(_waiting(lane))) is None:
                _CHANGED.wait()
            _HOLDS[lane] = job
            begins = not job.aside
            turns.begin(job)
            _CHANGED.notify_all()
        if begins:
            Thread(target=_work, args=(job,), name=f"job {lane}", daemon=True).start()


def _work(job: Job) -> None:
    thread, looked = get_ident(), monotonic()

    def between() -> None:
        nonlocal looked
        if job.stop:
            raise Cancelled
        now = monotonic()
        if now - looked >= LOOK and get_ident() == thread:
            looked = now
            if job.seconds > limits.MAX_JOB_SECONDS:
                raise MipsError(TOO_LONG.format(period(limits.MAX_JOB_SECONDS)))
            if job.lane == "measure":
                _stand_aside(job)

    state = job.run(between)
    with _CHANGED:
        job.end(state)
        if _HOLDS.get(job.lane) is job:
            del _HOLDS[job.lane]
        _CHANGED.notify_all()


def _stand_aside(job: Job) -> None:
    """Let another go first whose turn it is by now, and wait for the next turn; or go on."""
    with _CHANGED:
        other, began = turns.next_of(_waiting(job.lane)), monotonic()
        if other is None or not turns.lets_first(job, other):
            return
        job.worked, job.aside = job.seconds, True
        del _HOLDS[job.lane]
        _CHANGED.notify_all()
        _CHANGED.wait_for(lambda: job.stop or not job.aside)
    stood_aside(monotonic() - began)
    if job.stop:
        raise Cancelled
