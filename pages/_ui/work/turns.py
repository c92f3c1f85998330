"""Whose turn it is, of jobs that wait for one lane.

Lowest first: what waits for no lock, of who is here, asked for by hand, whose turn was longest ago;
and of one visitor's, what has begun, is most wanted, and was asked for first.
"""

from collections import defaultdict
from collections.abc import Collection
from time import monotonic

from mips_core.base import limits
from pages._ui.work.job import LATER, ORDER, Job, Lane

SEEN: dict[str, float] = {}  # owner -> when a page of theirs last looked
_SERVED: dict[tuple[Lane, str], int] = {}  # lane and owner -> when they last had a turn


def away(owner: str) -> bool:
    """Whether no page of this visitor has looked for a while."""
    return monotonic() - SEEN.get(owner, -limits.AWAY_SECONDS) > limits.AWAY_SECONDS


def leave(owner: str) -> None:
    """This visitor is gone."""
    SEEN.pop(owner, None)
    for turn in [turn for turn in _SERVED if turn[1] == owner]:
        del _SERVED[turn]


def begin(job: Job) -> None:
    """The turn of `job` begins."""
    job.turn, job.state, job.aside = monotonic(), "running", False
    _SERVED[job.lane, job.owner] = next(ORDER)


def next_of(waiting: Collection[Job]) -> Job | None:
    """Whose turn it is; where too many have begun and stand aside, no other begins.

    What nobody asked for begins only where nothing has: it would hold memory for long.
    """
    begun = [job for job in waiting if job.aside]
    asked = sum(job.wanted < LATER for job in begun)
    may_begin = asked < limits.MAX_BEGUN, not begun
    free = [job for job in waiting if job.aside or may_begin[job.wanted >= LATER]]
    return min(free, key=_turn, default=None)


def lets_first(job: Job, other: Job) -> bool:
    """Whether `job`, under way, lets `other` go first: it is asked for more, or the next visitor's.

    That one waits until `job` had SLICE_SECONDS, and cannot be gone. Who waits for a lock lets any
    go first: the one that holds it may stand aside, and would wait for ever.
    """
    first, second = _turn(other), _turn(job)
    if first[:3] != second[:3] or other.owner == job.owner:
        return first[:3] < second[:3]
    return first < second and monotonic() - job.turn >= limits.SLICE_SECONDS


def seconds_before(other: Job, job: Job) -> float | None:
    """About how long `other`, whose turn comes before, holds up `job`; None where nobody knows."""
    left = other.seconds_left
    if job.lane != "measure" or other.owner == job.owner:
        return left
    return limits.SLICE_SECONDS if left is None else min(left, limits.SLICE_SECONDS)


def in_order(waiting: Collection[Job]) -> list[Job]:
    """`waiting` as they come to their turn, one of each visitor and then the next of each."""
    turns: defaultdict[tuple[float | str, ...], list[Job]] = defaultdict(list)
    for turn, job in sorted((_turn(job), job) for job in waiting):
        turns[*turn[:3], job.owner].append(job)
    order = {
        job: (*visitor[:3], at, place)
        for place, (visitor, jobs) in enumerate(turns.items())
        for at, job in enumerate(jobs)
    }
    return sorted(order, key=order.__getitem__)


def _turn(job: Job) -> tuple[float, ...]:
    served = _SERVED.get((job.lane, job.owner), -1)
    asked = job.blocked > monotonic(), away(job.owner), job.wanted >= LATER, served
    return (*asked, not job.aside, job.wanted, job.number)
