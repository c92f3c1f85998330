"""The order in which jobs come to their turn, by a clock that is set by hand."""

import pytest

from mips_core.base import limits
from pages._ui.work import turns
from pages._ui.work.job import LATER, Job


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(turns, "monotonic", lambda: now[0])
    monkeypatch.setattr(turns, "SEEN", {})
    monkeypatch.setattr(turns, "_SERVED", {})
    return now


def asked(owner, wanted=0.0, name=""):
    turns.SEEN[owner] = 1000.0
    return Job(name or f"{owner} {wanted}", "", None, owner, wanted)


def taken(waiting):
    """The owners as the lane is given to one job after another, each until it ends."""
    order = []
    while (job := turns.next_of(waiting)) is not None:
        turns.begin(job)
        waiting.remove(job)
        order.append(job)
    return order


@pytest.mark.parametrize("before", range(6))
def test_many_builds_of_one_visitor_hold_up_another_by_one_task_at_most(clock, before):
    waiting = [asked("ann", number) for number in range(5 + before)]
    for _ in range(before):  # some have run when ben comes
        turns.begin(job := turns.next_of(waiting))
        waiting.remove(job)
    waiting.append(asked("ben"))
    assert "ben" in [job.owner for job in taken(waiting)[:2]]


def test_the_queue_that_is_shown_is_the_one_that_is_served(clock):
    wishes = (("ann", 2), ("ann", 1), ("ann", LATER), ("ben", 7), ("ben", 3), ("cy", 9))
    waiting = [asked(owner, wanted, f"{owner}{wanted}") for owner, wanted in wishes]
    turns.begin(asked("ann", 0, "before"))
    shown = [job.key for job in turns.in_order(waiting)]
    assert shown == ["ben3", "cy9", "ann1", "ben7", "ann2", f"ann{LATER}"]
    assert [job.key for job in taken(waiting)] == shown


def test_long_work_gives_way_to_the_next_visitor_once_it_had_its_slice(clock):
    long, mine, other = asked("ann"), asked("ann", -1), asked("ben", 5)
    turns.begin(long)
    assert not turns.lets_first(long, other)
    clock[0] += limits.SLICE_SECONDS
    assert turns.lets_first(long, other)
    assert not turns.lets_first(long, mine)
    long.aside = True
    assert [job.key for job in taken([long, mine])] == [long.key, mine.key]


def test_what_nobody_asked_for_gives_way_at_once_and_goes_on_before_any_other_begins(clock):
    ahead, more, mine = asked("ann", LATER), asked("ben", LATER), asked("ann", 3)
    turns.begin(ahead)
    assert turns.lets_first(ahead, mine)
    assert not turns.lets_first(ahead, more)
    ahead.aside = True
    turns.SEEN.clear()  # whoever is here: only one of this kind holds memory
    assert [job.key for job in taken([more, ahead, mine])] == [mine.key, ahead.key, more.key]


def test_only_so_many_begin(clock):
    begun = [asked(f"visitor {number}") for number in range(limits.MAX_BEGUN)]
    for job in begun:
        turns.begin(job)
        job.aside = True
    assert turns.next_of([asked("new"), *begun]) is begun[0]
    assert turns.next_of([asked("new"), *begun[1:]]).owner == "new"


def test_who_is_away_waits_for_who_is_here(clock):
    gone = asked("ann")
    clock[0] += limits.AWAY_SECONDS + 1
    turns.SEEN["ben"] = clock[0]
    here = Job("b", "", None, "ben", 9)
    assert [job.owner for job in taken([gone, here])] == ["ben", "ann"]


def test_long_work_of_another_visitor_holds_up_for_a_slice_only(clock):
    mine, long, other = asked("ann"), asked("ann", 1), asked("ben")
    assert turns.seconds_before(mine, long) is None
    mine.expected = other.expected = 400.0
    assert turns.seconds_before(mine, long) == 400
    assert turns.seconds_before(other, long) == limits.SLICE_SECONDS
    other.expected = 0.5
    assert turns.seconds_before(other, long) == 0.5
    reading = Job("file", "", None, "cy", 0, lane="read")
    other.expected = 400.0
    assert turns.seconds_before(other, reading) == 400


def test_what_waits_for_a_lock_lets_any_go_first_for_a_while(clock):
    waits, holds, begun = asked("ann"), asked("ann", LATER), asked("ann", 1)
    for job in (holds, begun, waits):
        turns.begin(job)
    assert not turns.lets_first(waits, holds)
    waits.blocked = clock[0] + limits.SLICE_SECONDS
    assert turns.lets_first(waits, holds)
    assert turns.lets_first(waits, begun)
    assert not turns.lets_first(holds, waits)
    waits.aside = holds.aside = True
    assert turns.in_order([waits, holds]) == [holds, waits]
    assert turns.next_of([waits, holds]) is holds
    assert turns.next_of([waits]) is waits
    clock[0] += limits.SLICE_SECONDS  # nobody here may hold it: it looks again
    assert turns.next_of([waits, holds]) is waits
