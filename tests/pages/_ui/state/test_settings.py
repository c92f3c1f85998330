"""Which settings are wanted, and which are taken back."""

import time
from itertools import groupby

from mips_core import INDEXES
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PadToSphere
from mips_core.studies.tuning import scouting
from pages._ui.state import settings
from pages._ui.state.session import methods, usual
from pages._ui.work import jobs, measurement
from pages._ui.work.measurement import Measurement
from tests.pages.conftest import session_of, small_dataset


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


def looked_at(session):
    """What the looks of all methods drawn have told."""
    sampled = settings.looks_of(session, settings.methods_drawn(session))
    assert settings.start_looks(session, sampled, "curve", 0)
    assert jobs.wait(60)
    assert not settings.start_looks(session, sampled, "curve", 0)
    return sampled


def test_of_few_items_all_settings_are_built_and_no_sample_is_looked_at(app):
    session = session_of(app("tradeoff.py"))
    every = settings.settings_of(session)
    assert every.built is None
    assert not every.looks
    assert set(every.all) >= {
        index for key in session.methods for index in settings.grid_of(session, key)
    }
    assert settings.built_of(session, "flat-kmeans") == settings.grid_of(session, "flat-kmeans")


def test_of_many_items_what_is_kept_is_built_then_what_a_sample_tells(app, many, monkeypatch):
    session = session_of(app("tradeoff.py", settle=False))
    before = settings.settings_of(session)
    sampled = {key for key in session.methods if settings.look_of(session, key) is not None}
    others = set(session.methods) - sampled  # of so few structures that all are built
    assert {"flat-kmeans", "hierarchical-kmeans"} <= sampled
    assert set(before.all) == {
        *session.kept,
        *(index for key in others for index in settings.grid_of(session, key)),
    }
    assert before.looks
    assert settings.unsettled(session, before)
    looked_at(session)
    after = settings.settings_of(session)
    for key in session.methods:
        look = settings.look_of(session, key)
        grid, built = settings.grid_of(session, key), settings.built_of(session, key)
        if look is None:
            assert key in others
            assert built == grid
            continue
        asked = settings.tried_on_sample(session, key)
        told = scouting.most_used(session.dataset, asked, session.K, session.seed)
        kept = [index for index in session.kept if index.key == key]
        assert built == list(dict.fromkeys([*kept, *told]))
        assert set(built) <= set(after.all)
        assert len(built) < len(grid)
    started = {}
    monkeypatch.setattr(Measurement, "evaluation", None)
    monkeypatch.setattr(
        Measurement, "start", lambda self, owner, wanted: started.update({self.index: wanted})
    )
    settings.start_missing(session, after)
    assert set(started) == set(after.all)
    assert min(started, key=started.get) == session.index


def test_a_look_at_a_sample_stays_wherever_the_slider_of_its_method_stands(many):
    session = usual(small_dataset(), "small")
    n, d, moved = session.source.n, session.source.d, 0
    for key in methods():
        session.keep(INDEXES[key]())
        before = settings.look_of(session, key)
        for step in settings.ladder(session.index, n, d):
            session.put_under_slider(step, 1)
            after = settings.look_of(session, key)
            assert (after and after.key) == (before and before.key)
            moved += before is not None
    assert moved > 20


def test_what_a_sample_is_asked_about_has_each_structure_in_one_piece(many):
    session = usual(small_dataset(), "small")
    for key in methods():
        asked = settings.tried_on_sample(session, key)
        assert len(set(asked)) == len(asked)
        assert set(asked) <= set(settings.grid_of(session, key))
        structures = [index.structure_key() for index in asked]
        assert len(list(groupby(structures))) == len(set(structures))


def test_the_others_of_many_items_are_built_once_asked_for(app, many):
    session = session_of(app("tradeoff.py", settle=False))
    assert not settings.is_whole(session)
    settings.build_all(session)
    assert settings.is_whole(session)
    assert settings.is_whole(session.snapshot())
    for key in session.methods:
        assert settings.built_of(session, key) == settings.grid_of(session, key)
        assert settings.look_of(session, key) is None
    session.whole_grids = "of other data"
    assert not settings.is_whole(session)
