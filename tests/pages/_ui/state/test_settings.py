"""Which settings are wanted, and which are taken back."""

import time

from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PadToSphere
from pages._ui.state import settings
from pages._ui.work import jobs, measurement
from tests.pages.conftest import session_of


def test_work_that_waits_for_a_view_left_behind_is_taken_back(app, monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    monkeypatch.setattr(measurement, "measure", slow)
    at = app("tradeoff.py", settle=False)
    session = session_of(at)
    settings.start_missing(session, settings.settings_of(session))
    before = len(jobs.of(session.owner))
    at.number_input(key="context seed 0").set_value(5).run()
    waiting = [job for job in jobs.of(session.owner) if job.state == "waiting"]
    assert before > 3
    assert waiting
    assert all(job.key[-1] == 5 for job in waiting)


def test_variations_follow_the_grid_and_keep_the_rest():
    index = FlatKMeans(n_clusters=50, reduction=PadToSphere())
    tried = settings.variations(index, 400, 6)
    assert {step.reduction for step in tried} == {PadToSphere()}
    counts = [step.n_clusters for step in FlatKMeans.grid(400, 6)]
    assert [step.n_clusters for step in tried] == [50, *counts]
