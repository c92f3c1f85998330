"""The treemap, the legend and the search box, beside the map and linked with it."""

import json
import random
from pathlib import Path

import pytest

from mips_core.data.labels import matching
from pages._ui.elements import serve
from tests.e2e.map_panels_page import HOSTILE, NAMES, SIZES

APP = Path(__file__).with_name("map_panels_app.py")
pytestmark = pytest.mark.browser

TREE = ".mx-tree-host"
CELLS, MARKS = ".mx-tree-cells", ".mx-tree-marks"
LARGEST_FIRST = [0, 1, 3, 4, 5, 6, 7, 8]
MISS = [0xC2, 0x18, 0x5B]
# How many px of a canvas have a colour, given as [red, green, blue].
COUNT = """
(canvas, [red, green, blue]) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let i = 0; i < data.length; i += 4) {
    count += data[i] === red && data[i + 1] === green && data[i + 2] === blue && data[i + 3] === 255
  }
  return count
}
"""
PIXEL = """
(canvas, [x, y]) => Array.from(canvas.getContext("2d").getImageData(x, y, 1, 1).data)
"""


def opened(app, path=""):
    """The map at this address, all of it drawn."""
    app.goto(path)
    app.until(lambda: state(app)["drawn"] > 0)
    return app


def state(app):
    return app.page.evaluate("() => document.querySelector('.mx-map')?.mapState?.() ?? {drawn: 0}")


def words(app):
    return app.page.locator(".mx-tree-words").inner_text()


def told(app):
    """What Python says was done."""
    return app.page.get_by_text("focus ").inner_text()


def of_module(app, name, body):
    """What a function with this body answers in the page; `module` is one of our files."""
    address = f"new URL('{serve.address()}{name}', document.baseURI).href"
    return app.page.evaluate(f"async () => {{ const module = await import({address}); {body} }}")


def test_cells_are_walked_by_size_and_shown_on_the_map(app):
    opened(app)
    tree = app.page.locator(TREE)
    assert tree.get_attribute("data-cells") == "8"
    assert tree.get_attribute("aria-label").startswith("8 clusters as a treemap. Arrow keys")
    tree.focus()
    for group in LARGEST_FIRST[:3]:
        app.until(lambda: words(app), lambda said, g=group: said.startswith(f"{NAMES[g]}: "))
        app.page.keyboard.press("ArrowRight")
    app.page.keyboard.press("End")
    app.until(lambda: words(app), "hat: cluster 8, 1 item, share of misses 0.5")
    assert tree.get_attribute("aria-label") == words(app)
    app.page.keyboard.press("ArrowLeft")
    app.page.keyboard.press("Enter")
    app.until(lambda: told(app), "focus 7, not selected nothing, asked None")
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 1)
    app.page.keyboard.press("Escape")
    app.until(lambda: told(app), "focus -1, not selected nothing, asked None")
    app.until(lambda: state(app)["camera"]["zoom"], 1)
    app.assert_clean()


def test_a_click_shows_a_cluster_and_another_all_again(app):
    opened(app)
    legend = app.page.locator(".mx-legend").inner_text()
    assert legend == "Colours tell neighbouring clusters apart; 8 clusters, 8 colours"
    tree = app.page.locator(TREE)
    tree.click(position={"x": 20, "y": 60})
    app.until(lambda: told(app), "focus 0, not selected nothing, asked None")
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 1)
    tree.click(position={"x": 20, "y": 60})
    app.until(lambda: told(app), "focus -1, not selected nothing, asked None")
    app.until(lambda: state(app)["camera"]["zoom"], 1)


def test_an_item_under_the_pointer_on_the_map_marks_its_cell(app):
    opened(app)
    box = app.page.locator(".mx-stage").bounding_box()
    at = app.page.evaluate(
        "() => { const {origin, scale} = document.querySelector('.mx-map').mapState()"
        "; return {origin, scale} }"
    )
    x, y = app.page.evaluate(PLACE_OF_THE_LAST)
    app.page.mouse.move(
        box["x"] + at["origin"][0] + x * at["scale"], box["y"] + at["origin"][1] - y * at["scale"]
    )
    app.until(lambda: words(app), lambda said: said.startswith("hat: cluster 8, 1 item"))


PLACE_OF_THE_LAST = """
async () => {
  const known = performance.getEntriesByType("resource").map(({ name }) => name)
  for (const name of known.filter((name) => name.includes("/blobs/"))) {
    const bytes = await (await fetch(name)).arrayBuffer()
    if (bytes.byteLength === 120 * 2 * 4) return Array.from(new Float32Array(bytes).slice(-2))
  }
}
"""


def test_a_followed_search_fills_the_cells_it_opens_and_crosses_its_misses(app):
    opened(app, "?follow=1")
    tree, marks = app.page.locator(TREE), app.page.locator(MARKS)
    app.until(lambda: tree.get_attribute("data-opened"), "1")
    crossed = marks.evaluate(COUNT, MISS)
    assert crossed > 0
    faded = app.page.locator(CELLS).evaluate(PIXEL, [30, 150])
    slider = app.page.get_by_label("Probes", exact=True)
    slider.focus()
    app.page.keyboard.press("ArrowRight")
    app.until(lambda: tree.get_attribute("data-opened"), "2")
    full = app.page.locator(CELLS).evaluate(PIXEL, [30, 150])
    assert sum(full[:3]) < sum(faded[:3]) - 100  # stronger on a white ground
    assert 0 < marks.evaluate(COUNT, MISS) < crossed
    app.page.keyboard.press("ArrowRight")
    app.until(lambda: tree.get_attribute("data-opened"), "3")
    tree.hover(position={"x": 20, "y": 60})
    lost = "apple: cluster 0, 40 items, share of misses 0, 39 candidates, 1 true answer missed"
    app.until(lambda: words(app), lost)
    slider.focus()
    app.page.keyboard.press("End")
    app.until(lambda: tree.get_attribute("data-opened"), "8")
    app.until(lambda: marks.evaluate(COUNT, MISS), 0)
    app.assert_clean()


def test_cells_may_show_a_measure(app):
    opened(app)
    before = app.page.locator(CELLS).evaluate(PIXEL, [30, 150])
    app.page.get_by_label("Cells show").select_option("Share of misses")
    app.until(lambda: app.page.locator(CELLS).evaluate(PIXEL, [30, 150]), lambda now: now != before)
    assert app.page.locator(".mx-tree-scale .mx-legend-end").all_inner_texts() == ["0", "0.5"]
    tree = app.page.locator(TREE)
    tree.focus()
    for _ in range(LARGEST_FIRST.index(4)):
        app.page.keyboard.press("ArrowRight")
    app.until(lambda: words(app), "dog: cluster 4, 10 items, share of misses not known")


def test_other_levels_and_levels_that_do_not_nest(app):
    opened(app, "?level=1&flat=1&follow=1")
    tree = app.page.locator(TREE)
    assert tree.get_attribute("data-cells") == "4"
    app.until(lambda: tree.get_attribute("data-opened"), "1")
    assert app.page.get_by_label("Cells show").is_hidden()  # nothing else is known of this level
    tree.hover(position={"x": 10, "y": 60})
    app.until(lambda: words(app), "A: cluster 0, 70 items, not opened, 2 true answers missed")
    app.assert_clean()


AREAS = """
  const levels = LEVELS
  const cells = module.cellsOf(levels, levels.length - 1, 60, 20)
  return cells.map(({ group, left, top, right, bottom }) => [group, left, top, right, bottom])
"""


def test_areas_are_sizes_and_groups_of_a_group_lie_together(app):
    opened(app)
    draw = random.Random(1)
    sizes = [draw.choice([0, 1, 2, 5, 30]) for _ in range(200)]
    parents = [draw.randrange(9) if size else -1 for size in sizes]
    unit = 60 * 20 / sum(sizes)
    for nested in (True, False):
        levels = [{"sizes": [1] * 9}, {"sizes": sizes, "parents": parents if nested else None}]
        cells = of_module(app, "map_tree_layout.js", AREAS.replace("LEVELS", json.dumps(levels)))
        by_size = sorted((g for g in range(200) if sizes[g]), key=lambda g: (-sizes[g], g))
        assert [group for group, *_ in cells] == by_size
        boxes = {}
        for group, left, top, right, bottom in cells:
            assert (right - left) * (bottom - top) == pytest.approx(sizes[group] * unit)
            box = boxes.get(parents[group], (60, 20, 0, 0))
            ends = zip((min, min, max, max), box, (left, top, right, bottom), strict=True)
            boxes[parents[group]] = tuple(end(one, other) for end, one, other in ends)
        held = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes.values())
        assert (held == pytest.approx(60 * 20)) == nested  # boxes around them fill the whole, once


def test_kinds_have_swatches_and_without_labels_rows_are_asked(app):
    opened(app, "?colour=kinds&unlabelled=1")
    assert app.page.locator(".mx-legend-kind").all_inner_texts() == ["x", HOSTILE]
    box = app.page.get_by_label("Search on the map")
    box.fill("120")
    app.until(lambda: app.page.locator(".mx-find-said").inner_text(), "Rows are 0 to 119.")
    box.fill("119")
    app.until(lambda: options(app), ["Row 119"])
    box.press("Enter")
    app.until(lambda: told(app), "focus -1, not selected nothing, asked 'item 119'")
    app.assert_clean()


@pytest.mark.parametrize("width", [390])
def test_narrow(app):
    opened(app, "?follow=1&colour=values")
    assert app.page.locator(TREE).bounding_box()["height"] == 180
    assert not app.overflows()
    legend = app.page.locator(".mx-legend")
    app.until(legend.inner_text, lambda text: text.split() == ["Norm", "1", "119", "not", "known"])
    app.page.get_by_label("Search on the map").fill("a")
    first = listed(app).first
    first.wait_for()
    assert first.bounding_box()["height"] >= 36
    assert not app.overflows()
    app.assert_clean()


def options(app):
    return listed(app).all_inner_texts()


def listed(app):
    return app.page.locator(".mx-find-list").get_by_role("option")


def test_a_label_is_found_and_asked(app):
    opened(app)
    box = app.page.get_by_label("Search on the map")
    box.focus()
    app.until(lambda: options(app), ["Query 0 “fig”"])
    box.fill("strasse")
    found = ["Straße\nrow 5", "STRASSE\nrow 6", "strasse 8\nrow 7", "eine strasse\nrow 8"]
    app.until(lambda: options(app), found)
    assert app.page.locator(".mx-find-said").inner_text() == "4 labels"
    for _ in range(3):
        app.page.keyboard.press("ArrowDown")
    active = app.page.locator(f"#{box.get_attribute('aria-activedescendant')}")
    assert active.get_attribute("aria-selected") == "true"
    app.page.keyboard.press("Enter")
    app.until(lambda: told(app), "focus -1, not selected nothing, asked 'item 7'")
    assert options(app) == []
    box.fill("img SRC")
    app.until(lambda: len(options(app)), 8)
    count = int(SIZES[1])
    said = f"{count} labels, the first 8 listed"
    assert app.page.locator(".mx-find-said").inner_text() == said
    listed(app).nth(1).click()
    app.until(lambda: told(app), "focus -1, not selected nothing, asked 'item 41'")
    box.fill("apple 1 + dog 100")
    app.until(lambda: options(app), ["apple 1 + dog 100\nsum of words"])
    app.page.keyboard.press("Enter")
    asked = "asked 'words apple 1 + dog 100'"
    app.until(lambda: told(app), lambda said: said.endswith(asked))
    box.fill("no such word")
    app.until(
        lambda: app.page.locator(".mx-find-said").inner_text(), "No label holds “no such word”."
    )
    app.page.keyboard.press("Escape")
    assert box.input_value() == ""
    app.until(lambda: app.page.locator(".mx-find-said").inner_text(), "")
    assert app.page.locator("img[src=x]").count() == 0
    app.assert_clean()


def test_the_box_names_what_is_followed_and_ends_it(app):
    opened(app, "?follow=1")
    box = app.page.get_by_label("Search on the map")
    app.until(box.input_value, "castle")
    box.fill("dog")
    box.press("Tab")  # nothing was chosen
    app.until(box.input_value, "castle")
    app.page.get_by_role("button", name="End this search").click()
    app.until(lambda: told(app), "focus -1, not selected nothing, asked ''")


FOUND = """
  const labels = LABELS
  const found = []
  for (const text of TEXTS) found.push(await module.matching(labels, text, 1000, () => false))
  return found.map(({ items, count }) => [items, count])
"""
MILLION = """
  const labels = Array.from({ length: 1000000 }, (_, i) => `Word number ${i}`)
  let turns = 0
  const clock = setInterval(() => { turns += 1 }, 0)
  const found = await module.matching(labels, "NUMBER 99999", 8, () => false)
  clearInterval(clock)
  const left = await module.matching(labels, "word", 8, () => true)
  return { found, left, turns }
"""


def test_labels_come_in_the_library_s_order_and_a_million_while_the_page_is_live(app):
    opened(app)
    draw = random.Random(0)
    parts = ["a", "A", "b", "ß", "SS", "é", "É", "Σ", "ς", "σ", " ", "<", "İ", "ﬁ", "1", "日"]
    labels = ["".join(draw.choices(parts, k=draw.randrange(6))) for _ in range(400)]
    texts = ["", " ", *("".join(draw.choices(parts, k=draw.randrange(1, 3))) for _ in range(60))]
    body = FOUND.replace("LABELS", json.dumps(labels)).replace("TEXTS", json.dumps(texts))
    for text, (items, count) in zip(texts, of_module(app, "map_find_labels.js", body), strict=True):
        assert items == matching(labels, text), text
        assert count == len(items)
    told = of_module(app, "map_find_labels.js", MILLION)
    assert told["found"] == {"items": [99_999, *range(999_990, 999_997)], "count": 11}
    assert told["left"] is None  # a search that a newer one overtook
    assert told["turns"] >= 3
