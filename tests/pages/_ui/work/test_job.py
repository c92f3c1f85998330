"""A job: how long it takes still, how a failure is told, what it holds."""

import weakref
from threading import Event

import numpy as np
import pytest

from mips_core.base.errors import DataError
from pages._ui.work import job as module
from pages._ui.work import jobs
from pages._ui.work.job import Job


def test_what_is_left_is_told_by_what_was_done_or_expected(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    job = Job("a", "", None, "me", 0)
    assert job.seconds_left is None
    job.expected = 60.0
    assert job.seconds_left == 60
    job.state, job.turn = "running", 90.0
    assert (job.seconds, job.seconds_left) == (10, 50)
    job.fraction = 0.5
    assert job.seconds_left == 10
    job.worked, job.aside = 10, True
    now[0] = 1000
    assert (job.seconds, job.seconds_left) == (10, 10)  # it stands aside
    job.state = "done"
    assert job.seconds_left is None


@pytest.mark.parametrize(
    ("error", "words"),
    [(DataError("Row 3 is short.", "Mend it."), "Row 3 is short. Mend it."),
     (OSError(28, "No space left", "/tmp/x/y"), "disk is full: no room is left for /tmp/x/y"),
     (OSError(5, "Input/output error"), "The log of the server"),
     (MemoryError(), "not enough memory"), (ZeroDivisionError("1/0"), "The log of the server"),
     (SystemExit(1), "The log of the server")],
)  # fmt: skip
def test_a_failure_is_told_in_words(error, words):
    def work(progress):
        raise error

    job = Job("bad", "", work, "me", 0)
    assert job.run(lambda: None) == "failed"
    assert words in job.error
    assert "Traceback" not in job.error


class Data(np.ndarray):
    """An array that can be referred to weakly."""


def begun(key, hold=None):
    """A job that works on some data, and a reference to them."""
    data = np.zeros(10).view(Data)

    def work(progress, data=data):
        progress(0.5, "half", ["so far"])
        if hold is not None:
            hold.wait(5)
            progress(0.6, "more")
        return 1

    return jobs.start(key, "", work, "me"), weakref.ref(data)


def test_a_job_that_ended_holds_its_data_no_longer():
    job, data = begun("ended")
    assert jobs.wait(5)
    jobs.start("another", "", lambda progress: 2, "me")  # the worker goes on to this
    assert jobs.wait(5)
    assert (job.state, job.partial) == ("done", None)
    assert data() is None
    assert job.work(print) is None


def test_one_that_was_cancelled_keeps_what_it_showed():
    hold = Event()
    job, data = begun("stopped", hold)
    waiting, others = begun("never begun")
    while job.partial is None:
        hold.wait(0.01)
    jobs.cancel(job)
    jobs.cancel(waiting)
    hold.set()
    assert jobs.wait(5)
    assert (job.state, job.partial) == ("cancelled", ["so far"])
    jobs.start("another one", "", lambda progress: 2, "me")
    assert jobs.wait(5)
    assert (data(), others()) == (None, None)
