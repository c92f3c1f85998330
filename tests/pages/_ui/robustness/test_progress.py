"""How far the work is, cancelled, gone on with, failed."""

import time

from mips_core.base.errors import DataError
from pages._ui.work import jobs
from tests.pages.conftest import session_of, texts
from tests.pages.robustness_page import FEW, opened, settled, waiting_forever, waits


def test_cancelled_work_stays_so_until_it_goes_on(app, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("pages._ui.robustness.study.under_noise", waiting_forever)
        at = app("robustness.py", settle=False, method=FEW)
        session = session_of(at)
        deadline = time.monotonic() + 60
        while not any(j.key[0] == "under noise" and j.active for j in jobs.of(session.owner)):
            assert time.monotonic() < deadline
            time.sleep(0.02)
            at.run()
        assert "You may leave the page; the work goes on." in texts(at)
        at.button(key="cancel noise").click().run()
        assert jobs.wait(300)
        at.run()
        assert not at.exception
        assert jobs.of(session.owner) == []
        assert "Cancelled after" in texts(at)
        assert not waits(session, 7)
    at.button(key="go on with noise").click().run()
    settled(at)
    assert "Cancelled after" not in texts(at)
    assert at.dataframe[0].value["builds"].unique() == [3]


def test_a_failure_is_said_and_not_tried_for_ever(app, monkeypatch):
    def fail(*inputs, **known):
        raise DataError("The noise is too large.", "Take less.")

    monkeypatch.setattr("pages._ui.robustness.study.noisy_queries", fail)
    at = opened(app)
    assert "could not be done" in texts(at)
    assert "The noise is too large." in texts(at)
    assert len(at.dataframe) == 0
