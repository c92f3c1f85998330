"""Where the items stand: started, cancelled, refused; only what moves them is computed anew."""

import time
from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES
from mips_core.base.errors import DataError
from mips_core.groups.projection import Layout, pca_layout
from mips_core.groups.projection.run import framed
from pages._ui.map import places
from pages._ui.parts import map_space
from tests.pages.conftest import session_of, texts
from tests.pages.map_page import a_map, held, message, opened, progress, settled, until


def test_a_map_is_cancelled_and_started_again(monkeypatch, fits):
    quick = places.project

    def slow(dataset, recipe, reduction, progress):
        xy = np.zeros((dataset.n, 2), np.float32)
        while True:
            progress(0.4, "UMAP, epoch 120 of 200", Layout(xy, "umap", False, epoch=120))
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(places, "project", slow)
        at = opened()
        at = until(at, "UMAP, epoch 120 of 200").run()
        at.button(key="cancel map").click().run()
        at = settled(at)
        assert "**Cancelled at epoch 120.** The picture stays as it is." in texts(at)
        assert message(at)["layout"]["settled"]
        assert not held(message(at)["layout"]["places"]).any()
        assert not fits
    assert places.project is quick
    at.button(key="again map").click().run()
    at = settled(at)
    assert len(fits) == 1
    assert "Cancelled" not in texts(at)
    assert message(at)["layout"]["note"] == "all settled"


def test_a_map_that_was_cancelled_stays_so_while_another_visitor_goes_on(monkeypatch):
    hold = []

    def slow(dataset, recipe, reduction, progress):
        xy = framed(pca_layout(map_space.Space(recipe, reduction).rows(dataset)))
        while not hold:
            progress(0.4, "UMAP, epoch 120 of 200", Layout(xy, "umap", False, epoch=120))
            time.sleep(0.01)
        return Layout(2 * xy, "umap", epoch=200)

    monkeypatch.setattr(places, "project", slow)
    first = until(opened(), "UMAP, epoch 120 of 200").run()
    second = opened()
    first.button(key="cancel map").click().run()
    second = until(second, "UMAP, epoch 120 of 200").run()
    first.run()
    assert "**Cancelled at epoch 120.** The picture stays as it is." in texts(first)
    assert progress(second) == "**Map** · UMAP, epoch 120 of 200"
    hold.append(True)
    done = held(message(settled(second))["layout"]["places"])
    assert "Cancelled" not in texts(first.run())
    assert held(message(first)["layout"]["places"]) == pytest.approx(done)


def test_a_map_that_cannot_be_made_says_so_and_the_shadow_stays(monkeypatch):
    def fails(*_):
        raise DataError("The process that makes maps ended.", "Start it again.")

    monkeypatch.setattr(places, "project", fails)
    at = a_map()
    assert "The process that makes maps ended" in " ".join(e.value for e in at.error)
    assert message(at)["n"] == 400
    assert at.button(key="again map")


def test_only_what_moves_the_items_makes_a_new_map(fits):
    at = a_map()
    for name, value in (("colour", "norm"), ("names", False), ("outlines", "hull")):
        session_of(at).states["map"] = replace(session_of(at).states["map"], **{name: value})
        at = settled(at.run())
    session_of(at).indexes[0] = INDEXES["flat-kmeans"](n_clusters=7)
    at = settled(at.run())
    assert message(at)["levels"][0]["label"] == "7 clusters"
    at.number_input(key="context seed 0").set_value(5).run()
    settled(at)
    assert len(fits) == 1
    for name, value in (("neighbours", 30), ("apart", 0.5), ("space", "cosine")):
        session_of(at).states["map"] = replace(session_of(at).states["map"], **{name: value})
        at = settled(at.run())
    assert [(r.n_neighbors, r.min_dist, r.space) for r, _ in fits[1:]] == [
        (30, 0.1, "index"),
        (30, 0.5, "index"),
        (30, 0.5, "cosine"),
    ]


def test_pca_is_a_choice_of_its_own(fits):
    at = a_map()
    at.segmented_control(key="map layout umap").set_value("pca").run()
    at = settled(at)
    assert at.query_params["map"] == "layout=pca"
    pca = framed(pca_layout(map_space.rows_of(session_of(at).dataset, "index", None)))
    assert held(message(at)["layout"]["places"]) == pytest.approx(pca.ravel())
    assert len(fits) == 1
