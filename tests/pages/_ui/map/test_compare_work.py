"""Which items changed cluster, for every index and in every state."""

import threading
import time

import pytest

from mips_core import INDEXES
from mips_core.base.errors import DataError
from mips_core.groups.clusters import moved
from pages._ui.map import compare_work
from pages._ui.work import jobs, measurement
from tests.pages._ui.map.two_indexes import (
    BOTH,
    assert_compared_right,
    compared,
    groups_of,
    said,
    table,
)
from tests.pages.conftest import session_of
from tests.pages.map_page import a_map, held, message, opened, settled, widget


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
    session = session_of(at)
    assert compare_work.is_coming(session)
    at.button(key="cancel build").click().run()
    assert jobs.wait(30)
    at.run()
    assert "cancelled." in said(at)
    assert not compare_work.is_coming(session)
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
