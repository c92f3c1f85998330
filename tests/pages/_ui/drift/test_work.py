"""The job behind Drift."""

import time

import numpy as np

from mips_core.studies.drift import Recipe
from pages._ui.drift import work
from pages._ui.work import jobs
from tests.pages.conftest import session_of, texts
from tests.pages.data_page import npy
from tests.pages.drift_page import infos, measured, opened, table


def test_a_version_that_does_not_fit_is_refused_in_words(app, temporary):
    at = opened(app, drift="change=version")
    at.file_uploader[0].set_value([("other.npy", npy(np.ones((9, 2))), "")]).run()
    measured(at)
    assert "has 2 dimensions, small 6" in at.error[0].value
    assert not at.dataframe


def test_it_can_be_cancelled_keeps_what_is_known_and_started_anew(app, monkeypatch):
    at = opened(app)
    whole = work.decay

    def slow(*asked):
        *given, progress = asked

        def report(fraction, message, partial=None):
            progress(fraction, message, partial)
            while partial is not None:
                progress(fraction, "waiting")
                time.sleep(0.01)

        return whole(*given, report)

    with monkeypatch.context() as patch:
        patch.setattr(work, "decay", slow)
        at.button(key="drift measure").click().run()
        job = work.drift_of(session_of(at)).job
        while job.partial is None:
            time.sleep(0.01)
        at.run()
        assert "What is known so far" in texts(at)
        assert "rebuild is needed" not in texts(at)  # nothing has changed yet
        assert len(table(at)) == 3
        work.change(session_of(at), rounds=9)
        assert "being measured is of other choices" in infos(at.run())
        work.change(session_of(at), rounds=Recipe().rounds)
        assert "other choices" not in infos(at.run())
        at.button(key="cancel drift").click().run()
        assert jobs.wait(10)
        at.run()
        assert "Cancelled" in texts(at)
        assert len(table(at)) == 3
    assert len(table(measured(at))) == 63
