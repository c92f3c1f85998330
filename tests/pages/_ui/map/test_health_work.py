"""How the clusters fare: counted anew by hand, for every index."""

import threading

import numpy as np
import pytest

from mips_core import INDEXES
from pages._ui.map import health_work
from pages._ui.map.scene import scene_of
from pages._ui.parts import map_space
from tests.pages._ui.map.groups_by_hand import assert_counted_right, by_hand, table
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.map_page import a_map, do, message, settled, widget


def test_each_cluster_is_counted_at_the_effort_of_the_slider():
    at = a_map(effort="2", map="follow=yes", query="item 3")
    assert_counted_right(at)
    assert "At 2 probes, over 400 queries" in texts(at)
    assert " of all misses lie in " in texts(at)
    before = table(at)["misses"].tolist()
    at = do(at, effort=6)
    assert_counted_right(at)
    assert "At 7 probes, over 400 queries" in texts(at)
    assert table(at)["misses"].tolist() != before
    session_of(at).effort = 10**6  # all are opened
    at = settled(at.run())
    assert_counted_right(at)
    assert "**Nothing is missed.**" in texts(at)


def test_radii_are_those_of_the_unit_vectors_of_the_index():
    at = a_map()
    scene = scene_of(session_of(at))
    rows = map_space.rows_of(scene.dataset, "index", scene.measured.index.reduction).astype(float)
    shown = table(at)
    for group, radius in zip(shown["number"], shown["radius"], strict=True):
        inside = rows[scene.level.of == group]
        mean = np.linalg.norm(inside - inside.mean(axis=0), axis=1).mean()
        assert radius == pytest.approx(mean, rel=1e-5)


def test_the_treemap_can_show_what_is_counted():
    at = a_map(at="1", index=["flat-kmeans", "hierarchical-kmeans"], effort="2")
    coarse, fine = message(at)["levels"]
    scene = scene_of(session_of(at))
    opened, answers, misses = by_hand(scene)
    assert coarse["measures"] == {}
    told = {name: np.asarray(values).tolist() for name, values in fine["measures"].items()}
    assert told["Searches that open it"] == opened.tolist()
    assert told["True answers"] == answers.tolist()
    assert told["Misses of all queries"] == misses.tolist()
    assert next(iter(told)) == "Radius"
    widget(at.selectbox, "Level").set_value(1).run()
    at = settled(at)
    coarse, fine = message(at)["levels"]
    assert len(coarse["measures"]) == 4
    assert fine["measures"] == {}
    assert_counted_right(at)
    assert "boundary" not in texts(at)  # a search opens no whole branch


@pytest.mark.parametrize("key", INDEXES)
def test_groups_of_every_index_are_counted(key):
    at = a_map(index=[key], k="5", queries="rows 30 0.1 no")
    assert not at.error
    assert_counted_right(at)
    scene = scene_of(session_of(at))
    told = "boundary" in texts(at)
    missed = not table(at)["misses"].eq(0).all()
    assert told == (scene.measured.index.opens_groups and missed)


def test_one_cluster_one_query_and_more_answers_than_items(use):
    use(small_dataset(n=12))
    at = a_map(index=["flat-kmeans:n_clusters=1"], queries="rows 1 0.1 no", k="100")
    assert len(table(at)) == 1
    assert not [c for c in at.segmented_control if c.label == "First"]
    assert "over 1 query and the true top 12 of each: 0 missed of 12." in texts(at)
    assert_counted_right(at)
    at = a_map(index=["flat-kmeans:n_clusters=4"], queries="rows 1 0.1 no", k="100", effort="1")
    assert_counted_right(at)


def test_large_data_is_counted_by_a_job_and_the_last_count_stays_meanwhile(monkeypatch):
    monkeypatch.setattr(health_work, "QUICK_ANSWERS", 0)
    at = settled(a_map(effort="2"))
    assert_counted_right(at)
    before = table(at)["misses"].tolist()
    go = threading.Event()
    count = health_work.health

    def slow(*args):
        assert go.wait(30)
        return count(*args)

    monkeypatch.setattr(health_work, "health", slow)
    session_of(at).effort = 5
    at.run()
    assert table(at)["misses"].tolist() == before
    assert "At 2 probes, over 400 queries" in texts(at)
    assert "Being counted: 5 probes." in texts(at)
    assert message(at)["levels"][0]["measures"]
    go.set()
    at = settled(at)
    assert "At 5 probes, over 400 queries" in texts(at)
    assert_counted_right(at)
