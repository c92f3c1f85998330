"""A page is drawn again where a job that it asked for stands otherwise now."""

from threading import Event

import pytest

from pages._ui.work import jobs, looks
from pages._ui.work.looks import Looks


@pytest.fixture
def held():
    """What lets the job "long" go on; it is under way."""
    begun, go_on = Event(), Event()

    def work(progress):
        progress(0.1, "one")
        begun.set()
        go_on.wait(5)

    jobs.start("long", "", work, "me")
    assert begun.wait(5)
    yield go_on
    go_on.set()
    assert jobs.wait(5)


def looked(*keys):
    """What a page saw that asked for the jobs of these keys."""
    seen = Looks()
    with seen.noting():
        for key in keys:
            jobs.find(key)
    return seen


def test_nothing_is_new_until_the_job_moves_on_or_ends(held):
    job, seen = jobs.find("long"), looked("long")
    assert not seen.changed(jobs.find)
    job.fraction += 0.5 / looks.STEPS  # nobody sees so little
    assert not seen.changed(jobs.find)
    for name, value in {"fraction": 0.5, "message": "two", "partial": "a picture"}.items():
        setattr(job, name, value)
        assert seen.changed(jobs.find)
        seen = looked("long")
        assert not seen.changed(jobs.find)
    held.set()
    assert jobs.wait(5)
    assert seen.changed(jobs.find)


def test_without_steps_it_is_news_that_a_job_ends_and_not_how_far_it_is(held, monkeypatch):
    seen, clock = Looks(steps=False), [looks.monotonic()]
    with seen.noting():
        job = jobs.find("long")
    job.fraction, job.message, job.partial = 0.5, "two", "a picture"
    monkeypatch.setattr(looks, "monotonic", lambda: clock[0])
    clock[0] += 2 * looks.SLOWLY
    assert not seen.changed(jobs.find)
    held.set()
    assert jobs.wait(5)
    assert seen.changed(jobs.find)


def test_a_job_that_comes_or_is_taken_back_is_news(held):
    seen = looked("later")
    assert not seen.changed(jobs.find)
    jobs.start("later", "", lambda progress: 1, "me")
    assert seen.changed(jobs.find)
    seen = looked("later")
    jobs.take_back("me", {"later"})
    assert seen.changed(jobs.find)


def test_what_is_started_counts_as_asked_for_and_others_do_not(held):
    seen = Looks()
    with seen.noting():
        jobs.start("mine", "", lambda progress: 1, "me")
    jobs.find("long")
    assert list(seen.stood) == ["mine"]


def test_who_waits_hears_of_others_now_and_then(held, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(looks, "monotonic", lambda: clock[0])
    jobs.start("later", "", lambda progress: 1, "me")
    waits, runs = looked("later"), looked("long")
    clock[0] = looks.SLOWLY
    assert waits.changed(jobs.find)
    assert not runs.changed(jobs.find)


def test_a_page_may_ask_to_be_drawn_at_the_next_look():
    seen = looked()
    seen.again = True
    assert seen.changed(jobs.find)
    with seen.noting():
        pass
    assert not seen.changed(jobs.find)


def test_a_look_counts_as_one_at_the_job(held):
    seen, job = looked("long"), jobs.find("long")
    job.looked = 0.0
    seen.changed(jobs.find)
    assert job.looked > 0


def test_what_would_be_drawn_so_again_is_as_good_as_drawn(held):
    job, seen = jobs.find("long"), looked("long")
    job.message = "two"
    assert seen.changed(jobs.find)
    stand = seen.stand(jobs.find)
    job.message = "three"  # before it is known that "two" changes nothing
    seen.go_on(stand)
    assert seen.changed(jobs.find)
    seen.go_on(seen.stand(jobs.find))
    assert not seen.changed(jobs.find)
