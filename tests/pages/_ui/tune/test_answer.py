"""The answer by a job: the page goes on, and what comes in meanwhile goes into the next."""

import time
from threading import Event

import pytest

from mips_core.studies.tuning import Need, cheapest, in_words
from mips_core.studies.tuning.wording import close_call_in_words
from pages._ui.tune import answer
from pages._ui.tune import search as tune_search
from pages._ui.work import jobs, measurement
from tests.pages.conftest import session_of
from tests.pages.tune_page import known, look, opened, run, search, words


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


def test_it_is_the_answer_of_the_library(by_job):
    at = search(opened())
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    assert at.success[0].value == in_words(tuned).removesuffix(close_call_in_words(tuned)).strip()
    assert not answer.under_way(session_of(at))


def test_the_press_is_answered_before_the_answer_is(held):
    at = opened(method=["flat-kmeans", "srp-hash"])  # one of them is known from Home
    assert held.made_of == [1]
    assert "1 index is weighed" in words(at)
    began = time.monotonic()
    at.button(key="tune find").click().run()
    assert time.monotonic() - began < 30
    assert tune_search.busy(session_of(at))
    assert at.button(key="tune find").disabled
    held.go.set()
    at = look(at)
    assert at.success
    assert "weighed" not in words(at)


def test_what_is_measured_while_an_answer_is_made_goes_into_the_next_and_there_it_ends(held):
    at = opened(method=["flat-kmeans", "srp-hash"])
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

    make, measure = answer.answer_to, measurement.measure

    def slowly(*inputs):
        time.sleep(0.05)
        return measure(*inputs)

    monkeypatch.setattr(answer, "answer_to", counted)
    monkeypatch.setattr(answer, "SECONDS", 1000.0)
    monkeypatch.setattr(measurement, "measure", slowly)
    at = opened(method=["flat-kmeans", "srp-hash"])
    at.button(key="tune find").click().run()
    seen = set()
    while tune_search.watching(session_of(at)):
        at.run()
        seen.add(len(known(at)))
        time.sleep(0.02)
    assert len(seen) > 3
    assert len(set(made)) <= 2  # what was known before the press, and perhaps the first after it
    at = run(at)
    assert made[-1] == len(known(at))
    assert at.success  # the last one does not wait


def test_another_question_shows_no_old_answer(held):
    held.go.set()
    at = search(opened())
    assert at.success
    held.go.clear()
    at.segmented_control(key="context K 10").set_value(1).run()
    assert not at.success
    assert "weighed" in words(at)
    held.go.set()
    at = run(at)
    assert "of the true top 1," in at.success[0].value


def test_an_answer_that_cannot_be_made_is_said_and_tried_again(by_job, monkeypatch):
    at = search(opened())
    with monkeypatch.context() as patch:

        def fails(*_):
            raise MemoryError

        patch.setattr(answer, "answer_to", fails)
        at.segmented_control(key="context K 10").set_value(1).run()
        assert jobs.wait(60)
    at = run(at)
    assert not at.exception
    assert at.success
