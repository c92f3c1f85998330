"""The table below the map, and the way to a group by name."""

import numpy as np
import pytest

from mips_core import INDEXES
from pages._ui.parts.question.question import vector_of
from tests.pages.conftest import session_of, texts
from tests.pages.map_page import a_map, do, held, message, runs, settled, table, widget


def test_a_group_is_chosen_by_name_or_on_the_map():
    at = a_map()
    level = message(at)["levels"][0]
    box = widget(at.selectbox, "Show one cluster")
    largest = int(np.argmax(level["sizes"]))
    assert box.options[0] == f"{level['names'][largest]} · {level['sizes'][largest]:,}"
    box.set_value(largest).run()
    members = np.flatnonzero(held(level["of"]) == largest)
    assert table(at)["row"].tolist() == members.tolist()
    assert message(at)["focus"] == largest
    assert at.query_params["map"] == f"focus={largest}"
    at = do(at, focus=4)
    assert set(table(at)["cluster"]) == {level["names"][4]}
    session_of(at).indexes[0] = INDEXES["flat-kmeans"](n_clusters=6)
    at = settled(at.run())
    assert message(at)["focus"] == -1  # cluster 4 of other clusters is another
    again = a_map(map=f"focus={largest}")
    assert message(again)["focus"] == largest


def test_a_selection_is_summed_up_and_its_mean_asked():
    at = do(a_map(map="layout=pca"), selected=runs([3, 20, 31]), how="lasso")
    assert "They are in " in texts(at)
    assert "In their middle: " in texts(at).replace("\\", "")
    at = settled(at.button(key="ask with mean").click().run())
    session = session_of(at)
    mean = session.source.items[[3, 20, 31]].mean(axis=0)
    assert vector_of(session, session.query.partition(" ")[2]) == pytest.approx(mean)
    assert message(at)["followed"]["name"] == "The vector typed"


def test_only_what_is_selected_can_be_used():
    at = do(a_map(map="layout=pca"), selected=runs(range(5, 105)), how="lasso")
    labels = session_of(at).source.labels[5:105]
    at = settled(at.button(key="use only these").click().run())
    assert list(session_of(at).source.labels) == list(labels)
    assert message(at)["n"] == 100
