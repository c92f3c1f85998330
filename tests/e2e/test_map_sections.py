"""Below the map, in a browser: a cluster picked in a table is shown on the map."""

import pytest

from tests.e2e.harness import ROOT
from tests.e2e.test_map_element import state

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
N = 20_000
ROW = 35  # px of a row of a table, its head included
KMEANS = "index=flat-kmeans&index=hierarchical-kmeans&method=none"


def opened(app, view):
    """The page with its tables, on all words."""
    app.goto(f"map?{KMEANS}&map=layout%3Dpca%2C{view}")
    app.until(lambda: state(app).get("drawn"), N, seconds=60)


def pick(app, key, row):
    """Click the box before a row of the table of this key."""
    table = app.page.locator(f'[class*="st-key-{key}"] [data-testid="stDataFrame"]')
    table.scroll_into_view_if_needed()
    table.click(position={"x": 20, "y": ROW * (row + 1.5)})


def focused(app):
    """The number of the cluster that the address names; None where it names none."""
    _, found, rest = app.page.url.partition("focus%3D")
    return int(rest.split("%2C")[0].split("&")[0]) if found else None


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_a_cluster_picked_in_the_table_is_shown_on_the_map(app):
    opened(app, "order%3Dmost_misses")
    app.page.get_by_text("of all misses lie in").wait_for()
    assert not app.overflows()
    whole = state(app)["camera"]
    pick(app, "map-groups-cluster-4", 1)
    app.until(lambda: focused(app), lambda group: group is not None)
    app.until(lambda: state(app)["camera"], lambda camera: camera != whole)
    pick(app, "map-groups-cluster-4", 1)  # let go
    app.until(lambda: focused(app), None)
    app.assert_clean()


def test_what_changed_in_a_cluster_is_selected_on_the_map(app):
    opened(app, "other%3D2")
    said = app.page.get_by_text("of the items changed cluster.")
    said.wait_for(timeout=60_000)
    pick(app, "map-moved-cluster", 0)
    heading = app.page.get_by_role("heading", name="items selected")
    heading.wait_for()
    count = int(heading.inner_text().split()[0].replace(",", ""))
    app.until(lambda: len(state(app)["selected"] or ()), count)
    app.page.get_by_role("button", name="Colour the map by it").click()
    app.page.locator(".mx-legend", has_text="stayed").wait_for()
    first = focused(app)
    pick(app, "map-moved-cluster", 1)
    app.until(lambda: focused(app), lambda group: group not in (None, first))
    app.until(lambda: len(state(app)["selected"]), lambda now: now != count)
    app.assert_clean()
