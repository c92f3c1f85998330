"""Two indexes held beside each other on the map: which items changed cluster, in every state."""

import threading
import time
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from mips_core import INDEXES, Dataset
from mips_core.base.errors import DataError
from mips_core.groups.clusters import moved
from mips_core.groups.projection import Layout, pca_layout
from mips_core.groups.projection.run import framed
from pages._ui.map import compare_work, comparison
from pages._ui.map import work as map_work
from pages._ui.map.scene import scene_of
from pages._ui.parts import map_space, result_table
from pages._ui.state import session
from pages._ui.work import jobs, measurement
from tests.pages.conftest import small_dataset
from tests.pages.test_map import a_map, do, held, message, opened, settled, widget
from tests.pages.test_pages import session_of, texts

BOTH = ["flat-kmeans", "hierarchical-kmeans"]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """A layout that comes at once in the place of UMAP's."""

    def project(dataset, recipe, reduction, progress):
        rows = map_space.Space(recipe, reduction).rows(dataset)
        return Layout(framed(pca_layout(rows)), "umap")

    monkeypatch.setattr(map_work, "project", project)


def compared(**address):
    """The page with the second index beside the first, everything there."""
    return a_map(**{"index": BOTH, "map": "other=2", **address})


def groups_of(at, position, level=-1):
    """(n,) the group of each item in a kept index."""
    chosen = session_of(at)
    asked = chosen.measurement_of(chosen.kept[position])
    return asked.index.searcher(asked.built.structure).groups()[level]


def table(at):
    """The table of what changed; None where there is none."""
    return next((e.value for e in at.dataframe if "changed" in e.value), None)


def said(at):
    """All texts, boxes included."""
    return " ".join([texts(at), *(e.value for e in [*at.info, *at.error, *at.caption])])


def assert_compared_right(at, first, second):
    """The table and the sentence against counts by hand; groups (n,) of both."""
    found, shown = moved(first, second), table(at)
    for row in shown.itertuples(index=False):
        inside = first == row.number
        assert row.items == inside.sum()
        assert row.stayed == (inside & ~found.items).sum()
        assert row.changed == (inside & found.items).sum()
        went = np.bincount(second[inside & found.items], minlength=1)
        assert row[-1] == went.max()
    assert shown["changed"].is_monotonic_decreasing
    assert f"{100 * found.share:.1f}% of the items changed" in said(at)
    assert f"**{found.adjusted_rand:.3f}**".replace("-", "−") in said(at)


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


def test_the_map_is_coloured_by_what_changed():
    at = compared()
    at = settled(at.button(key="colour by moved").click().run())
    told = message(at)["colouring"]
    assert told["kind"] == "kinds"
    assert told["label"] == "Changed cluster"
    assert told["names"] == ["stayed", "changed"]
    expected = moved(groups_of(at, 0), groups_of(at, 1)).items
    assert held(told["values"]).tolist() == expected.astype(int).tolist()
    assert held(message(at.run())["colouring"]["values"]).tolist() == expected.tolist()
    assert at.button(key="colour by moved").disabled
    assert widget(at.selectbox, "Colour by").value == "moved"
    again = a_map(index=BOTH, map=at.query_params["map"])
    assert message(again)["colouring"] == told
    at = settled(widget(at.selectbox, "Compare with").set_value(0).run())
    assert message(at)["colouring"]["kind"] == "groups"


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


def test_the_same_structure_asked_otherwise_has_moved_nothing():
    at = compared(index=["pca-tree", "pca-tree:boosting=no"])
    if session_of(at).kept[0].structure_key() != session_of(at).kept[1].structure_key():
        pytest.fail("take two settings of one structure")
    assert "**No item changed leaf.** The adjusted Rand index is **1.000**." in said(at)
    assert (table(at)["changed"] == 0).all()
    assert (table(at)["most went to"] == "").all()


@pytest.mark.parametrize("key", [key for key in INDEXES if key != "flat-kmeans"])
def test_every_index_is_compared_or_it_is_said_why_not(key):
    at = compared(index=["flat-kmeans", key], queries="rows 20 0.1 no")
    assert not at.error
    levels = (
        session_of(at)
        .kept[1]
        .searcher(session_of(at).measurement_of(session_of(at).kept[1]).built.structure)
        .groups()
    )
    one_way = " of one " not in INDEXES[key].group_nouns[1] or len(levels) == 1
    if one_way:
        assert_compared_right(at, groups_of(at, 0), groups_of(at, 1))
    else:
        assert table(at) is None
        assert "groups the items in several ways at once" in said(at)
        assert INDEXES[key].group_nouns[0] in said(at)


def test_what_groups_in_several_ways_is_not_compared_from_its_side_either():
    at = compared(index=["wta-hash", "flat-kmeans"], map="other=2,colour=moved")
    assert "groups the items in several ways at once" in said(at)
    assert table(at) is None
    assert message(at)["colouring"]["kind"] == "groups"


def test_the_other_index_is_built_where_it_was_not(monkeypatch):
    go = threading.Event()
    build = measurement.build

    def slow(dataset, index, seed, progress):
        while index.key == "hierarchical-kmeans" and not go.is_set():
            progress(0.3, "level 1")
            time.sleep(0.01)
        return build(dataset, index, seed, progress)

    monkeypatch.setattr(measurement, "build", slow)
    at = opened(index=BOTH, map="other=2")
    deadline = time.monotonic() + 20
    while "Hierarchical k-means" not in " ".join(e.proto.text for e in at.get("progress")):
        assert time.monotonic() < deadline
        at.run()
    assert table(at) is None
    chosen = session_of(at)
    assert compare_work.is_coming(chosen)
    at.button(key="cancel build").click().run()
    assert jobs.wait(30)
    at.run()
    assert "cancelled." in said(at)
    assert not compare_work.is_coming(chosen)
    go.set()
    at = settled(at.button(key="rebuild").click().run())
    assert_compared_right(at, groups_of(at, 0), groups_of(at, 1))


def test_large_data_is_compared_by_a_job(monkeypatch):
    monkeypatch.setattr(compare_work, "QUICK_GROUPS", 0)
    go = threading.Event()
    compare = compare_work.moved

    def slow(first, second):
        assert go.wait(30)
        return compare(first, second)

    monkeypatch.setattr(compare_work, "moved", slow)
    at = opened(index=BOTH, map="other=2,colour=moved")
    deadline = time.monotonic() + 20
    while "The two are being compared." not in said(at):
        assert time.monotonic() < deadline
        at.run()
    assert message(at)["colouring"]["kind"] == "groups"
    go.set()
    at = settled(at)
    assert_compared_right(at, groups_of(at, 0), groups_of(at, 1))
    assert message(at)["colouring"]["kind"] == "kinds"


@pytest.mark.parametrize("quick", [True, False])
def test_what_cannot_be_compared_says_why_and_the_map_stays(monkeypatch, quick):
    def fails(*_):
        raise DataError("There is a **hole**.", "Mend it.")

    monkeypatch.setattr(compare_work, "moved", fails)
    if not quick:
        monkeypatch.setattr(compare_work, "QUICK_GROUPS", 0)
    at = compared(map="other=2,colour=moved")
    assert "hole" in " ".join(error.value for error in at.error)
    assert message(at)["n"] == 400
    assert message(at)["colouring"]["kind"] == "groups"


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
    assert table(at)["cluster"].str.contains(label, regex=False).all()
    assert "<script>" not in said(at)
