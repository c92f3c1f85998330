"""Which settings are wanted, and which are taken back."""

import time

from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PadToSphere
from mips_core.studies import forecast
from mips_core.studies.tuning import scouting
from pages._ui.state import settings
from pages._ui.work import jobs, measurement
from pages._ui.work.measurement import Measurement
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


def test_of_many_items_what_is_best_on_a_sample_is_built_first(app, monkeypatch):
    session = session_of(app("tradeoff.py"))
    every = settings.settings_of(session)
    assert settings.places_by_sample(session, every.all, "curve", 0) == {}
    assert not [job for job in jobs.of(session.owner) if job.key[0] == "order on a sample"]
    monkeypatch.setattr(forecast, "LARGE", 300)
    monkeypatch.setattr(scouting, "SAMPLES", (100, 200))
    assert settings.places_by_sample(session, every.all, "curve", 0) == {}  # until it has told
    assert jobs.wait(60)
    places = settings.places_by_sample(session, every.all, "curve", 0)
    order = scouting.in_order_of_use(session.dataset, every.all, session.K, session.seed)
    assert sorted(places, key=places.get) == order
    started = {}
    monkeypatch.setattr(Measurement, "evaluation", None)
    monkeypatch.setattr(
        Measurement, "start", lambda self, owner, wanted: started.update({self.index: wanted})
    )
    settings.start_missing(session, every)
    others = [index for index in order if index not in every.under_slider]
    assert sorted(others, key=started.get) == others
    assert min(started, key=started.get) == session.index
