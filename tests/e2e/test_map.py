"""Map in a browser: a first visit, a search dragged along, a lasso, and links that reopen it."""

import csv

import numpy as np
import pytest

from mips_core.data.catalog import shipped
from mips_core.groups.projection import pca_layout, rows_of
from mips_core.groups.projection.run import framed
from tests.e2e.harness import ROOT
from tests.e2e.test_map_element import draw_lasso, inside, on_screen, state

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
N = 20_000


def opened(app, address=""):
    """Open the page, and wait until all words are drawn."""
    app.goto(f"map?method=none&{address}")
    app.until(lambda: state(app).get("drawn"), N, seconds=60)


def said(app):
    """What the map says of the search that is followed."""
    found = app.page.locator(".mx-sentence")
    return found.inner_text() if found.count() else ""


def saved(app, button):
    """The rows of a table taken away."""
    table = app.download(app.page.get_by_role("button", name=button))
    with table.path().open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def use(app, path, X):
    """Search these rows instead: fewer words than are shipped, so that UMAP takes a moment."""
    np.save(path, X)
    app.goto("data?method=none")
    app.page.get_by_text("Upload", exact=True).first.click()
    app.page.get_by_text("Here you see how files are understood").wait_for()
    app.page.locator("input[type=file]").set_input_files(path)
    app.page.get_by_role("button", name="Use this data").click(timeout=30_000)
    button = app.page.locator(".st-key-context button").first
    app.until(button.inner_text, lambda text: text.startswith(path.stem))


def test_a_first_visit_shows_all_items_and_then_umap(app, tmp_path):
    n = 700
    use(app, tmp_path / "few.npy", shipped("glove-6b-50d").items[:n])
    app.page.get_by_test_id("stSidebarNav").get_by_role("link", name="Map").click()
    app.until(lambda: state(app).get("drawn"), n, seconds=60)  # UMAP's process is not there yet
    words = app.page.get_by_text(f"UMAP of {n} items by 15 neighbours each")
    words.wait_for(timeout=90_000)
    assert state(app)["webgl"]
    assert state(app)["drawn"] == n
    app.page.reload()
    words.wait_for(timeout=60_000)
    app.until(lambda: state(app).get("drawn"), n)
    assert not app.page.get_by_text("UMAP, epoch").count()  # it is remembered
    assert not app.overflows()
    app.assert_clean()


def test_a_query_is_chosen_and_its_search_dragged_along(app):
    opened(app, "map=layout%3Dpca&effort=1")
    box = app.page.get_by_label("Search on the map")
    box.fill("castle")
    app.page.get_by_role("option", name="castle row", exact=False).first.wait_for()
    box.press("Enter")
    app.until(lambda: said(app), lambda text: text.startswith("castle, 1 probe:"))
    app.until(lambda: len(state(app)["opened"]), 1)
    thumb = app.page.get_by_role("slider", name="Probes")
    thumb.scroll_into_view_if_needed()
    track = thumb.bounding_box()
    middle = track["y"] + track["height"] / 2
    app.page.mouse.move(track["x"] + 10, middle)
    app.page.mouse.down()
    app.page.mouse.move(track["x"] + track["width"] / 2, middle, steps=4)
    app.until(lambda: state(app)["position"] > 8)  # it follows before it is let go
    assert "effort=1&" in f"{app.page.url}&"
    app.page.mouse.move(1279, middle, steps=4)
    app.page.mouse.up()
    app.until(lambda: said(app), lambda text: text.startswith("castle, 141 probes: 20,000 of"))
    assert "10 of 10 true answers found" in said(app)
    app.until(lambda: app.page.url, lambda url: "effort=141" in url)
    app.page.get_by_role("link", name="Open this query in Search").click()
    app.page.get_by_text("Opening 141 of 141 clusters").wait_for()
    assert "“castle”" in app.page.get_by_text("this index finds").inner_text()
    app.assert_clean()


def test_a_lasso_lists_the_items_in_it_and_they_can_be_taken_away(app):
    opened(app, "map=layout%3Dpca,names%3Dno")
    app.idle()  # so that nothing below moves the picture
    places = on_screen(app, framed(pca_layout(rows_of(shipped("glove-6b-50d"), "index", None))))
    at = np.median(places, axis=0)
    corners = at + 40 * np.array([[-1, -1], [1, -1], [1.2, 1], [-1, 0.8]])
    wanted = np.flatnonzero(inside(places, corners))
    app.page.get_by_role("button", name="Lasso", exact=False).first.click()
    draw_lasso(app, [*corners, corners[0]])
    app.until(lambda: len(state(app)["selected"] or ()), len(wanted))
    app.page.get_by_role("heading", name=f"{len(wanted):,} items selected").wait_for()
    assert state(app)["selected"] == wanted.tolist()
    taken = saved(app, f"CSV of these {len(wanted):,}")
    assert [int(row["row"]) for row in taken] == wanted.tolist()
    app.assert_clean()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_link_reopens_the_same_map(app):
    opened(app, "map=layout%3Dpca,colour%3Dnorm,follow%3Dyes,focus%3D7&query=item+500&effort=3")
    heading = app.page.get_by_role("heading", name="items", exact=False).last
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 1.01)
    app.until(lambda: len(state(app)["opened"]), 3)
    before = said(app), heading.inner_text()
    app.until(lambda: app.page.url, lambda url: "focus%3D7" in url)
    app.page.reload()
    app.until(lambda: state(app).get("drawn"), N, seconds=60)
    app.until(lambda: (said(app), heading.inner_text()), before)
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 1.01)
    assert not app.overflows()
    app.assert_clean()
