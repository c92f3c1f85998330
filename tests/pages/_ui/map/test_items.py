"""The table below the map, and the way to a group by name."""

import numpy as np

from mips_core import INDEXES
from tests.pages.conftest import session_of
from tests.pages.map_page import a_map, do, held, message, settled, table, widget


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
