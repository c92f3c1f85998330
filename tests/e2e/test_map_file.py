"""The map as a file: it opens from the disk, asks no one for anything, and shows text as text."""

from pathlib import Path

import numpy as np
import pytest

from mips_core.figures.map import PointColours
from mips_core.figures.map_file import map_html
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.map_table import MappedItems, SearchMarks
from tests.e2e.harness import AppPage

pytestmark = pytest.mark.browser

HOSTILE = "</script><img src=x onerror=alert(1)> & %{x} <b>"
PLACE = """
() => {
  const plot = document.querySelector(".js-plotly-plot")
  const { xaxis, yaxis } = plot._fullLayout
  const { left, top } = plot.getBoundingClientRect()
  return [left + xaxis._offset + xaxis.d2p(3), top + yaxis._offset + yaxis.d2p(3)]
}
"""
LETTERS = "() => document.querySelector('.hovertext')?.textContent ?? ''"


def items():
    """Item 0 stands alone at (3, 3)."""
    xy = np.random.default_rng(0).normal(size=(50, 2)).astype(np.float32)
    xy[0] = 3
    of = (np.arange(50) % 2).astype(np.int32)
    sizes, central = np.array([25, 25], np.int32), np.array([0, 1], np.int32)
    colours, nouns = np.array([0, 1], np.uint8), ("cluster", "clusters")
    labels = [HOSTILE, *(f"word {i}" for i in range(1, 50))]
    level = GroupLevel("2 clusters", nouns, of, sizes, labels[:2], central, colours, None, None)
    true = np.array([0, 4], np.int32)
    search = SearchMarks(HOSTILE, (0, 0), -1, "1 probe", of == 0, true, np.array([True, False]))
    return MappedItems(HOSTILE, xy, np.full(50, 2.5), labels, (level,), search=search)


def test_it_opens_offline_and_tells_of_the_item_under_the_pointer(browser, tmp_path):
    (tmp_path / "map.html").write_bytes(map_html(items(), PointColours()))
    context = browser.new_context(viewport={"width": 1000, "height": 700}, offline=True)
    page, faults = context.new_page(), []
    page.on("request", lambda request: faults.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: said.type == "error" and faults.append(said.text))
    page.goto((tmp_path / "map.html").as_uri())
    page.wait_for_selector(".js-plotly-plot .gl-canvas", state="attached")
    assert page.title() == f"{HOSTILE}: map"
    page.mouse.move(*page.evaluate(PLACE), steps=3)
    AppPage(page, "").until(lambda: page.evaluate(LETTERS))
    assert page.evaluate(LETTERS) == f"{HOSTILE}row 0 · norm 2.5 · cluster 0, size 25"
    notes = page.locator(".annotation-text").all_text_contents()
    assert "</script><img src=x onerror…, 1 probe" in notes
    assert "word 4, missed" in notes
    assert page.locator("img[src=x]").count() == 0
    assert page.locator(".modebar-btn").count() > 3
    assert page.locator("[data-title^=Share]").count() == 0
    with page.expect_download() as picture:
        page.locator("[data-title^=Download]").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    asked = [fault for fault in faults if not fault.startswith(("data:", "blob:"))]
    assert asked == [(tmp_path / "map.html").as_uri()]
    context.close()
