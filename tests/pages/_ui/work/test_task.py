"""A task: named by its inputs, made once, by a job or here."""

from threading import Event, Thread

import pytest

from mips_core import DataError, MipsError
from pages._ui.work import jobs, looks, results
from pages._ui.work.task import NEXT, Task, once, while_same


def counting(key, **options):
    """A task, and the list of how often it was made."""
    made = []
    return Task(key, "Counting", lambda progress: made.append(1) or len(made), **options), made


def test_a_job_makes_it_once_and_others_find_its_result():
    task, made = counting(("numbers", 1))
    assert task.unsettled
    assert task.ask("me") is None
    assert jobs.wait(5)
    assert (task.ask("you"), task.result, task.so_far, made) == (1, 1, 1, [1])
    same, _ = counting(("numbers", 1))
    assert same.here() == 1
    assert not task.unsettled
    assert not task.active


def test_what_is_quick_is_made_at_once_and_without_a_job():
    task, made = counting("quick", quick=True)
    assert (task.ask("me"), task.ask("me"), made, task.job) == (1, 1, [1], None)


def test_what_failed_stays_so_until_it_is_asked_again():
    def fail(progress):
        raise DataError("It is too large.", "Take less.")

    shown = Task("shown", "", fail, lane="show")
    measured = Task("measured", "", fail)
    for task in (shown, measured):
        task.start("me")
    assert jobs.wait(5)
    with pytest.raises(MipsError, match="It is too large"):
        shown.ask("me")
    assert measured.ask("me") is None
    assert not measured.unsettled
    measured.ask_again("me")
    assert measured.job is None
    assert measured.unsettled


def test_a_button_starts_it_anew_before_all_else():
    task, made = counting("pressed")
    task.start("me", 5)
    jobs.cancel(task.job)
    jobs.wait(5)
    results.forget_all()
    task.start_now("me")
    assert task.job.wanted == NEXT
    assert jobs.wait(5)
    assert task.result == len(made)


def test_a_button_is_heard_before_the_page_has_said_whose_it_is():
    begun, go_on = Event(), Event()
    task = Task("both", "", lambda progress: begun.set() or go_on.wait(5))
    try:
        for who in ("ann", "bob"):
            jobs.seen(who)
            task.start(who)
        assert begun.wait(5)
        jobs.cancel(task.job, "ann")
        looks.asks("ann")
        assert task.job.goes_on
        pressed = Thread(target=task.start_now, args=("ann",))  # a callback: another thread
        pressed.start()
        pressed.join()
        assert task.active
    finally:
        go_on.set()
        looks.asks("")
    assert jobs.wait(5)


def test_what_a_job_knows_so_far_is_told_until_it_is_done():
    shown, go_on = Event(), Event()

    def make(progress):
        progress(0.5, "half", "some of it")
        shown.set()
        go_on.wait(5)
        return "all of it"

    task = Task("long", "", make)
    assert task.so_far is None
    results.give_another_chance("long")
    task.start("me")
    assert shown.wait(5)
    assert task.so_far == "some of it"
    go_on.set()
    jobs.wait(5)
    assert task.so_far == "all of it"
    results.forget_all()
    assert task.so_far is None


def test_once_makes_nothing_that_is_remembered():
    assert [once("one", lambda n=n: n) for n in (7, 8)] == [7, 7]


def test_what_hangs_on_other_inputs_is_made_anew_and_the_last_alone_is_kept():
    made = []

    def of(inputs):
        return while_same("sum", inputs, lambda: made.append(inputs) or sum(inputs))

    assert [of((1, 2)), of((1, 2)), of((3, 4)), of((1, 2))] == [3, 3, 7, 3]
    assert made == [(1, 2), (3, 4), (1, 2)]
