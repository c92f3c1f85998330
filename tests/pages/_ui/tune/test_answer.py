"""The answer by a job: the page goes on, and what comes in meanwhile goes into the next."""

import time
from threading import Event, Semaphore

import pytest

from mips_core import DataError
from mips_core.studies.tuning import Need, cheapest, in_words
from mips_core.studies.tuning.wording import close_call_in_words
from pages._ui.tune import answer
from pages._ui.tune import search as tune_search
from pages._ui.work import jobs, measurement
from tests.pages.conftest import session_of
from tests.pages.tune_page import known, look, opened, run, search, sliders, words


@pytest.fixture
def by_job(monkeypatch):
    """Every answer takes a job, which waits for no one."""
    monkeypatch.setattr(answer, "FEW", -1)
    monkeypatch.setattr(answer, "PATIENCE", 0.0)


class Held:
    """Makes answers once it is let go on; how many settings each was made of."""

    def __init__(self, make):
        self.make, self.go, self.made_of = make, Event(), []

    def __call__(self, trials, *asked):
        self.made_of.append(len(trials))
        assert self.go.wait(60)
        return self.make(trials, *asked)


@pytest.fixture
def held(monkeypatch, by_job):
    held = Held(answer.answer_to)
    monkeypatch.setattr(answer, "answer_to", held)
    yield held
    held.go.set()


def begun(made):
    """What an answer was made of, when its job has reached a processor."""
    end = time.monotonic() + 60
    while not made and time.monotonic() < end:
        time.sleep(0.005)
    return made


def test_it_is_the_answer_of_the_library(by_job):
    at = search(opened())
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    assert at.success[0].value == in_words(tuned).removesuffix(close_call_in_words(tuned)).strip()
    assert not answer.under_way(session_of(at))


def test_the_press_is_answered_before_the_answer_is(held):
    at = opened(method=["flat-kmeans", "srp-hash"])  # one of them is known from Home
    assert begun(held.made_of) == [1]
    assert "is being worked out from 1 index." in words(at)
    began = time.monotonic()
    at.button(key="tune find").click().run()
    assert time.monotonic() - began < 30
    assert tune_search.busy(session_of(at))
    assert at.button(key="tune find").disabled
    held.go.set()
    at = look(at)
    assert at.success
    assert "worked out" not in words(at)


def test_what_is_measured_while_an_answer_is_made_goes_into_the_next_and_there_it_ends(held):
    at = opened(method=["flat-kmeans", "srp-hash"])
    assert begun(held.made_of) == [1]
    at.button(key="tune find").click().run()
    lane_free = time.monotonic() + 60
    while tune_search.missing(session_of(at)) > 1 and time.monotonic() < lane_free:
        at.run()  # what is measured meanwhile begins no other answer
        time.sleep(0.02)
    assert held.made_of == [1]
    held.go.set()
    at = look(at)
    assert held.made_of[-1] == len(known(at))
    count = len(held.made_of)
    assert count <= 2 + 2 * (tune_search.ROUNDS + 1)
    at = run(run(at))
    assert len(held.made_of) == count
    assert at.success


def test_provisional_answers_come_at_most_every_second(by_job, monkeypatch):
    made = []

    def counted(trials, *asked):
        made.append(len(trials))
        return make(trials, *asked)

    make, measure, permits = answer.answer_to, measurement.measure, Semaphore(0)

    def slowly(*inputs):
        assert permits.acquire(timeout=60)
        return measure(*inputs)

    monkeypatch.setattr(answer, "answer_to", counted)
    monkeypatch.setattr(answer, "SECONDS", 1000.0)
    at = opened(method=["flat-kmeans", "srp-hash"])
    assert begun(made) == [1]
    monkeypatch.setattr(measurement, "measure", slowly)
    at.button(key="tune find").click().run()
    seen, session, end = set(), session_of(at), time.monotonic() + 120
    while tune_search.watching(session):
        before = len(known(at))
        permits.release()
        while jobs.of(session.owner) and len(known(at)) == before and time.monotonic() < end:
            time.sleep(0.005)
        at.run()
        seen.add(len(known(at)))
        if made[-1] < len(known(at)) and tune_search.watching(session):
            assert " built and tried at" in words(at)  # how long these took is not known
    assert len(seen) > 3
    assert len(set(made)) <= 2  # what was known before the press, and perhaps the first after it
    at = run(at)
    assert made[-1] == len(known(at))
    assert f"{made[-1]} indexes built in " in words(at)
    assert at.success  # the last one does not wait


def test_another_question_shows_no_old_answer(held):
    held.go.set()
    at = search(opened())
    assert at.success
    held.go.clear()
    at.segmented_control(key="context K 10").set_value(1).run()
    assert not at.success
    assert "worked out" in words(at)
    held.go.set()
    at = run(at)
    assert "of the true top 1," in at.success[0].value


def test_other_methods_or_what_runs_in_faiss_alone_is_another_question():
    session = session_of(opened(method=["flat-kmeans", "srp-hash"]))

    def question():
        return answer.weighing_of(session).question

    before = question()
    session.methods.remove("srp-hash")
    fewer = question()
    tune_search.change(session, faiss=True)
    assert len({before, fewer, question()}) == 3
    tune_search.change(session, faiss=False)
    session.methods.insert(0, "srp-hash")
    assert question() == before


@pytest.mark.parametrize("last", ["another K", "Try again"])
def test_an_answer_that_cannot_be_made_is_said_and_not_begun_anew_for_the_same(
    by_job, monkeypatch, last
):
    at, tries = search(opened()), []

    def fails(*_):
        tries.append(1)
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(answer, "answer_to", fails)
        at = run(at.segmented_control(key="context K 10").set_value(1).run())
        for _ in range(2):
            at = run(at)
            assert not at.exception
            assert "**The answer could not be made.** **There is not enough" in at.error[0].value
            assert "worked out" not in words(at)
            assert sliders(at)
        assert len(tries) == 1
    assert run(at).error
    if last == "Try again":
        at = run(at.button(key="tune answer again").click().run())
    else:
        at = run(at.segmented_control(key="context K 10").set_value(100).run())
    assert not at.error
    assert at.success


def test_an_answer_that_is_refused_at_once_is_said_as_well(monkeypatch):
    at = search(opened())

    def refuses(*_):
        raise DataError("These are odd.", "Take others.")

    monkeypatch.setattr(answer, "answer_to", refuses)
    monkeypatch.setattr(answer, "FEW", 99)
    at.segmented_control(key="context K 10").set_value(1).run()
    assert not at.exception
    assert "These are odd" in at.error[0].value
    assert sliders(at)
