"""The job behind the clock."""

import time

import pytest

from pages._ui.state import session
from pages._ui.work import jobs, measurement
from tests.pages.compare_page import FEW, rows_of_clock, timed
from tests.pages.conftest import session_of, small_dataset, texts


def test_timing_can_be_cancelled_and_started_anew(app, monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    at = app("compare.py", settle=False, **FEW)
    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at.button(key="time").click().run()
        at.button(key="cancel clock").click().run()
        for job in jobs.of(session_of(at).owner):  # of Home, visited before: it would go on
            jobs.cancel(job)
        assert jobs.wait(10)
        at.run()
        assert "Cancelled" in texts(at)
    assert "PCA-tree" in rows_of_clock(timed(at)).index


@pytest.mark.parametrize("n", [1, 30])
def test_little_data_is_timed_too_or_refused_in_words(app, monkeypatch, n):
    dataset = small_dataset(n=n)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    monkeypatch.setattr("pages._ui.compare.clock_work.available", list)
    monkeypatch.setattr("mips_core.studies.wall_clock.run.available", list)
    at = timed(app("compare.py", settle=False, k="100", queries="rows 5 0.1 no", **FEW))
    assert "Exact search" in rows_of_clock(at).index
    assert "too few to hold some out" in texts(at)
