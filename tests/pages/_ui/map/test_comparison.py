"""Two indexes held beside each other on the map: what is drawn, chosen and taken away."""

from io import BytesIO

import numpy as np
import pandas as pd

from mips_core import Dataset
from mips_core.groups.clusters import moved
from pages._ui.map import compare_work, comparison
from pages._ui.map.scene import scene_of
from pages._ui.parts import result_table
from pages._ui.state import session
from tests.pages._ui.map.two_indexes import (
    BOTH,
    assert_compared_right,
    compared,
    groups_of,
    said,
    table,
)
from tests.pages.conftest import session_of, small_dataset
from tests.pages.map_page import a_map, do, message, settled, widget


def test_with_one_index_kept_there_is_a_way_to_another():
    at = a_map(index=["flat-kmeans"])
    assert "only index that is kept" in said(at)
    assert not [s for s in at.selectbox if s.label == "Compare with"]
    assert table(at) is None


def test_another_index_is_chosen_and_in_the_link():
    at = a_map(index=BOTH)
    box = widget(at.selectbox, "Compare with")
    assert box.options[0] == "None"
    assert len(box.options) == 2
    assert table(at) is None
    assert "Changed cluster" not in widget(at.selectbox, "Colour by").options
    at = settled(box.set_value(2).run())
    assert_compared_right(at, groups_of(at, 0), groups_of(at, 1))
    assert at.query_params["map"] == "other=2"
    assert "can have a match" in said(at)
    again = a_map(index=BOTH, map=at.query_params["map"])
    assert table(again).equals(table(at))
    at = settled(widget(at.selectbox, "Compare with").set_value(0).run())
    assert table(at) is None


def test_any_level_of_both_can_be_compared():
    at = compared(map="other=2,other_level=1")
    assert_compared_right(at, groups_of(at, 0), groups_of(at, 1, 0))
    at = settled(widget(at.selectbox, "Its level").set_value(0).run())
    assert_compared_right(at, groups_of(at, 0), groups_of(at, 1, 1))
    at = compared(at="1", map="other=1,level=1")
    assert_compared_right(at, groups_of(at, 1, 0), groups_of(at, 0))
    assert not [s for s in at.selectbox if s.label == "Its level"]


def test_what_changed_in_a_cluster_is_selected():
    at = compared()
    scene = scene_of(session_of(at))
    found = moved(groups_of(at, 0), groups_of(at, 1))
    row = found.rows[1]
    comparison._select(scene, scene.level, found, 1)
    at.run()
    items = np.flatnonzero(found.items & (scene.level.of == row.group))
    assert message(at)["chosen"].tolist() == items.tolist()
    assert message(at)["focus"] == row.group
    assert at.dataframe[0].value["row"].tolist() == items.tolist()
    assert at.session_state["map moved cluster"]["selection"]["rows"] == [1]
    at = do(at, focus=row.group, selected=None)
    at = do(at, focus=found.rows[0].group)  # another one, on the map
    assert at.session_state["map moved cluster"]["selection"]["rows"] == []
    comparison._select(scene, scene.level, found, None)
    at.run()
    assert message(at)["focus"] == -1
    assert not message(at)["chosen"].size


def test_the_same_index_is_said_to_be_the_same():
    at = compared(map="other=1,colour=moved")
    assert "**This is the index on the map: nothing differs.**" in said(at)
    assert table(at) is None
    assert message(at)["colouring"]["kind"] == "groups"
    assert len(widget(at.selectbox, "Compare with").options) == 3
    at = settled(widget(at.selectbox, "Compare with").set_value(2).run())
    assert_compared_right(at, groups_of(at, 0), groups_of(at, 1))


def test_many_clusters_are_all_in_the_file(monkeypatch):
    rng = np.random.default_rng(1)
    labels = [f"item {i}\ud800" for i in range(3_000)]
    data = Dataset(rng.normal(size=(3_000, 8)).astype(np.float32), labels=labels, name="many")
    monkeypatch.setattr(session, "load_from_catalog", lambda key: data)
    indexes = ["flat-kmeans:n_clusters=1500", "flat-kmeans:n_clusters=40"]
    at = compared(index=indexes, queries="rows 20 0.1 no")
    first, second = groups_of(at, 0), groups_of(at, 1)
    assert len(table(at)) == 1_000
    assert "The CSV holds all." in said(at)
    scene = scene_of(session_of(at))
    beside = compare_work.other_index(session_of(at))
    found = compare_work.moved_of(scene, beside)
    columns = comparison._all_columns(scene.level, beside.level, found)
    kept = pd.read_csv(BytesIO(result_table.csv(columns)))
    assert len(kept) == len(np.unique(first))
    assert kept["items"].sum() == 3_000
    assert kept["changed"].sum() == moved(first, second).items.sum()
    for row in kept[kept["match_number"] >= 0].head(20).itertuples():
        assert row.stayed == ((first == row.cluster_number) & (second == row.match_number)).sum()


def test_one_item_and_a_link_to_an_index_that_is_gone(monkeypatch):
    data = Dataset(np.ones((1, 3), np.float32), name="one")
    monkeypatch.setattr(session, "load_from_catalog", lambda key: data)
    at = compared(index=["flat-kmeans", "ip-tree"])
    assert "**No item changed cluster.**" in said(at)
    at = a_map(index=BOTH, map="other=9")
    assert not at.error
    assert widget(at.selectbox, "Compare with").value == 0


def test_names_are_shown_as_text(monkeypatch):
    label = "<script>alert(1)</script> **x**"
    data = Dataset(small_dataset().items, labels=[label] * 400, name="hostile")
    monkeypatch.setattr(session, "load_from_catalog", lambda key: data)
    at = compared()
    names = table(at)["cluster"]
    assert names.str.startswith((label, "cluster ")).all()  # one holds nearly all
    assert names.str.startswith(label).any()
    assert "<script>" not in said(at)
