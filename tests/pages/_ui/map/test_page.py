"""The map and all that hangs on it: what comes first, what comes by jobs."""

import time

import pytest

from mips_core.groups.projection import Layout, pca_layout
from mips_core.groups.projection.run import framed
from pages._ui.map import places
from pages._ui.parts import map_space
from pages._ui.work import jobs
from tests.pages.conftest import session_of
from tests.pages.map_page import a_map, do, held, message, opened, settled, until


def test_the_first_picture_is_there_before_umap_and_umap_streams_into_it(monkeypatch):
    hold = []

    def project(dataset, recipe, reduction, progress):
        xy = framed(pca_layout(map_space.Space(recipe, reduction).rows(dataset)))
        while not hold:
            progress(0.4, "UMAP, epoch 80 of 200", Layout(-xy, "umap", False, epoch=80))
            time.sleep(0.01)
        return Layout(2 * xy, "umap", epoch=200)

    monkeypatch.setattr(places, "project", project)
    at = opened()
    first = message(at)
    assert first["n"] == 400
    assert not first["layout"]["settled"]
    pca = framed(pca_layout(map_space.rows_of(session_of(at).dataset, "index", None)))
    at = until(at, "UMAP, epoch 80 of 200").run()
    assert held(message(at)["layout"]["places"]) == pytest.approx(-pca.ravel())
    hold.append(True)
    last = message(settled(at))
    assert last["layout"]["settled"]
    assert held(last["layout"]["places"]) == pytest.approx(2 * pca.ravel())
    assert last["topic"] == first["topic"]
    assert not [b for b in at.button if b.key == "cancel map"]


def test_large_data_is_worked_on_by_jobs(monkeypatch):
    """Nothing that takes long is done in the run of the page."""
    monkeypatch.setattr("pages._ui.work.task.QUICK", 0)
    at = settled(a_map(map="follow=yes,outlines=hull,layout=pca", query="item 3"))
    made = {key[:2] if key[0] == "map" else key[0] for key in jobs._BOOK}
    assert made >= {("map", "pca"), "map levels", "map search", "map outlines"}
    told = message(at)
    assert told["levels"]
    assert told["followed"]["item"] == 3
    assert len(told["outlines"]["groups"])


def test_what_a_job_ends_within_the_run_that_began_it_is_drawn(monkeypatch):
    monkeypatch.setattr("pages._ui.work.task.QUICK", 0)
    at = settled(a_map(map="layout=pca"))
    start = jobs.start

    def at_once(*args, **kwargs):
        job = start(*args, **kwargs)
        assert jobs.wait(60)
        return job

    monkeypatch.setattr(jobs, "start", at_once)
    assert message(do(at, follow="item 3"))["followed"]["item"] == 3
