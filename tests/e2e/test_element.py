"""The chart element in a real browser, on made-up curves."""

import re
from pathlib import Path

import pytest

from mips_core.figures.styles import METHODS
from tests.e2e.element_page import HOSTILE

APP = Path(__file__).with_name("element_app.py")
pytestmark = pytest.mark.browser


@pytest.fixture
def live(app):
    app.goto()
    app.drawn(3)
    app.page.locator(".mx-live .mx-point circle[cx]").wait_for()
    return app


def data(app):
    return app.page.evaluate("() => ({...document.querySelector('.mx-live').dataset})")


def becomes(app, **told):
    """Wait until the element tells this of itself."""
    app.until(lambda: told.items() <= data(app).items())


def ring(app):
    names = "['cx', 'cy'].map((name) => Number(ring.getAttribute(name)))"
    return app.page.locator(".mx-live .mx-point circle").evaluate(f"(ring) => {names}")


def tiles(app):
    return app.page.locator(".mx-tile-value").all_inner_texts()


def sentence(app):
    return app.page.locator(".mx-sentence").inner_text()


def says(app, start):
    """Wait for a sentence that starts so."""
    app.until(lambda: sentence(app), lambda text: text.startswith(start))


def commits(app):
    return app.page.get_by_text(re.compile(r"\d+ commits, build")).inner_text()


def committed(app, told):
    """Wait until Python tells this, and see that nothing follows."""
    app.until(lambda: commits(app), told)
    app.idle()
    assert commits(app) == told


def press(app, button):
    app.page.get_by_role("button", name=button, exact=True).click()


def spread(app):
    return next(f["traces"][0]["y"] for f in app.figures() if f["traces"][0]["type"] == "bar")


def curves(app, group):
    found = next(f for f in app.figures() if len(f["traces"]) > 5)
    return [t for t in found["traces"] if t["group"] == group]


def shown(app, group):
    """Which values `visible` takes among the traces of a group."""
    return {t["visible"] for t in curves(app, group)}


def points(app):
    """Points of a curve that each press of "New data" makes longer by one."""
    return len(curves(app, "pca-tree")[0]["x"])


def new_data(app):
    """Press the button, and wait until the new data are drawn."""
    before = points(app)
    press(app, "New data")
    app.until(lambda: points(app), before + 1)


def test_first_picture(live):
    assert "10 of 140 clusters" in sentence(live)
    assert data(live)["effort"] == "10"
    assert tiles(live)[0] == f"{float(data(live)['precision']):.3f}"
    assert (
        live.page.get_by_label("Probes", exact=True).get_attribute("aria-valuetext")
        == "10 of 140 clusters"
    )
    plot = live.page.locator(".mx-live [role=img]").first
    assert "one curve for each method" in plot.get_attribute("aria-label")
    committed(live, "0 commits, build 141, effort 10")
    live.assert_clean()


def test_dragging_probes_redraws_each_move_and_commits_once(live):
    before, where, found, bars = data(live), ring(live), tiles(live), spread(live)
    live.drag("Probes", 9 / 139, 0.6, moves=40)
    after = data(live)
    assert int(after["draws"]) - int(before["draws"]) > 20
    assert int(after["effort"]) == pytest.approx(0.6 * 139 + 1, abs=2)
    assert float(after["precision"]) > float(before["precision"])
    assert ring(live)[0] < where[0] - 50
    assert ring(live)[1] < where[1]
    assert tiles(live) != found
    assert sum(live.until(lambda: spread(live), lambda drawn: drawn != bars)) == 500
    committed(live, f"1 commits, build 141, effort {after['effort']}")
    assert data(live)["effort"] == after["effort"]
    live.assert_clean()


def test_nothing_reaches_python_during_a_drag(live):
    box = live.page.get_by_label("Probes", exact=True).bounding_box()
    live.page.mouse.move(box["x"] + 100, box["y"] + 18)
    live.page.mouse.down()
    live.page.mouse.move(box["x"] + 300, box["y"] + 18, steps=10)
    live.frame()
    effort = data(live)["effort"]
    assert int(effort) > 30
    live.page.wait_for_timeout(500)  # nothing is to happen
    committed(live, "0 commits, build 141, effort 10")
    live.page.mouse.up()
    committed(live, f"1 commits, build 141, effort {effort}")


def test_the_point_stands_on_its_curve(live):
    thick = next(t for t in curves(live, "flat-kmeans") if t["width"] == 2.75)
    at = data(live)
    i = min(range(len(thick["x"])), key=lambda j: abs(thick["x"][j] - float(at["speedup"])))
    assert thick["x"][i] == pytest.approx(float(at["speedup"]))
    assert thick["y"][i] == pytest.approx(float(at["precision"]))


RUN = """
(input) => {
  for (let i = 0; i < 5; i++) {
    input.stepUp()
    for (const name of ["input", "change"]) input.dispatchEvent(new Event(name, { bubbles: true }))
  }
}
"""


def test_keys_step_and_a_run_of_steps_is_one_choice(live):
    slider = live.page.get_by_label("Probes", exact=True)
    slider.focus()
    live.page.keyboard.press("ArrowRight")
    becomes(live, effort="11")
    committed(live, "1 commits, build 141, effort 11")
    slider.evaluate(RUN)  # as keys do, but no busy machine can pause between them
    becomes(live, effort="16")
    committed(live, "2 commits, build 141, effort 16")
    live.page.keyboard.press("PageUp")
    effort = live.until(lambda: int(data(live)["effort"]), lambda effort: effort > 16)
    assert effort in (29, 30)


STEP = """
() => new Promise((done) => {
  const input = document.querySelector(".mx-slider-effort input")
  input.stepUp()
  input.dispatchEvent(new Event("input", { bubbles: true }))
  setTimeout(() => done(document.querySelector(".mx-spoken").textContent), 150)
})
"""


def test_the_sentence_is_read_out_after_a_rest_only(live):
    spoken = live.page.locator(".mx-spoken")
    assert spoken.inner_text() == ""
    assert live.page.evaluate(STEP) == ""
    live.until(spoken.inner_text)
    assert spoken.inner_text() == sentence(live)
    assert "11 of 140" in spoken.inner_text()


def test_below_one_says_so(live):
    live.drag("Probes", 9 / 139, 1)
    says(live, "At this setting the search costs more than exact search: 0.99×")


def test_clusters_switch_in_the_browser_and_keep_the_probes(live):
    live.drag("Clusters", 0.5, 0.75, moves=10)
    becomes(live, build="283", effort="10")
    assert "10 of 282 clusters" in sentence(live)
    committed(live, "1 commits, build 283, effort 10")
    live.drag("Clusters", 0.75, 0, moves=10)
    becomes(live, build="35", effort="10")
    assert "10 of 34 clusters" in sentence(live)
    committed(live, "2 commits, build 35, effort 10")


def test_a_build_that_is_not_ready_says_so_and_appears(live):
    point = live.page.locator(".mx-live .mx-point")
    plot = live.page.locator(".mx-live .mx-plot")
    live.drag("Clusters", 0.5, 1, moves=10)
    becomes(live, ready="false")
    assert sentence(live) == "Building 566 clusters · 40%"
    assert tiles(live) == ["–"] * 4
    point.wait_for(state="hidden")
    committed(live, "1 commits, build 566, effort 10")
    place = plot.bounding_box()
    press(live, "More progress")
    says(live, "Building 566 clusters · 80%")
    press(live, "Build it")
    becomes(live, ready="true")
    assert "10 of 565 clusters" in sentence(live)
    point.wait_for()
    live.until(plot.bounding_box, place)
    live.assert_clean()


def test_hidden_curves_stay_hidden_after_new_data(live):
    chip = live.page.get_by_role("button", name="SRP-hash")
    chip.click()
    assert chip.get_attribute("aria-pressed") == "false"
    live.until(lambda: shown(live, "srp-hash"), {False})
    new_data(live)
    assert shown(live, "srp-hash") == {False}
    live.page.get_by_role("button", name="Flat k-means").click()
    live.page.locator(".mx-live .mx-point").wait_for(state="hidden")
    chip.click()
    live.until(lambda: shown(live, "srp-hash"), {True})


def test_zoom_survives_new_data_and_a_new_build(live):
    box = live.page.locator(".mx-live .nsewdrag").first.bounding_box()
    live.page.mouse.move(box["x"] + 200, box["y"] + 60)
    live.page.mouse.down()
    live.page.mouse.move(box["x"] + 500, box["y"] + 260, steps=8)
    live.page.mouse.up()
    zoomed = live.until(lambda: live.figures()[0]["x"], lambda x: x[1] - x[0] < 1.5)
    new_data(live)
    assert live.figures()[0]["x"] == zoomed
    live.drag("Clusters", 0.5, 0.75, moves=6)
    becomes(live, build="283")
    committed(live, "1 commits, build 283, effort 10")
    assert live.figures()[0]["x"] == zoomed


def test_python_may_move_the_slider_but_not_during_a_drag(live):
    live.drag("Probes", 9 / 139, 0.5)
    committed(live, f"1 commits, build 141, effort {data(live)['effort']}")
    press(live, "Ten probes")
    becomes(live, effort="10")
    new_data(live)
    assert data(live)["effort"] == "10"


def test_new_data_during_a_drag_leaves_the_slider(live):
    before = points(live)
    box = live.page.get_by_label("Probes", exact=True).bounding_box()
    live.page.mouse.move(box["x"] + 100, box["y"] + 18)
    live.page.mouse.down()
    live.page.mouse.move(box["x"] + 400, box["y"] + 18, steps=5)
    live.frame()
    effort = data(live)["effort"]
    button = live.page.get_by_role("button", name="New data", exact=True)
    button.evaluate("(button) => button.click()")  # the mouse is held elsewhere
    live.until(lambda: points(live), before + 1)
    assert data(live)["effort"] == effort
    live.page.mouse.move(box["x"] + 500, box["y"] + 18, steps=5)
    live.until(lambda: int(data(live)["effort"]), lambda moved: moved > int(effort))
    live.page.mouse.up()


def test_names_on_curves_do_not_touch(live):
    boxes = [name.bounding_box() for name in live.page.locator(".mx-live .mx-name").all()]
    assert len(boxes) >= 3
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = (
                one["x"] + one["width"] <= other["x"]
                or other["x"] + other["width"] <= one["x"]
                or one["y"] + one["height"] <= other["y"] + 1
                or other["y"] + other["height"] <= one["y"] + 1
            )
            assert apart


# Names, and the label of the point, that a curve or a dotted line runs through.
CROSSED = """
() => {
  const texts = [...document.querySelectorAll(".mx-live :is(.mx-name, .mx-point-label)")]
    .filter(({ style }) => style.opacity !== "0" && style.visibility !== "hidden")
    .map((node) => [node.textContent, node.getBoundingClientRect()])
  const lines = document.querySelectorAll(".mx-live :is(.js-line, .mx-point line)")
  const drawn = ({ style }) => style.display !== "none" && style.strokeWidth !== "0px"
  const points = [...lines].filter(drawn).flatMap((line) => {
    const part = line.getTotalLength() / 399, matrix = line.getScreenCTM()
    const at = (i) => line.getPointAtLength(part * i).matrixTransform(matrix)
    return Array.from({ length: 400 }, (_, i) => at(i))
  })
  const inside = ({ left, right, top, bottom }) => ({ x, y }) =>
    x > left && x < right && y > top + 2 && y < bottom - 2
  return [texts.length, texts.filter(([, box]) => points.some(inside(box))).map(([text]) => text)]
}
"""


def test_no_label_covers_a_curve_or_is_crossed(live):
    assert live.page.locator(".mx-point rect").count() == 0  # no ground that wipes curves out
    for start, end in ((0.07, 0.3), (0.3, 0.02), (0.02, 0.95)):
        live.until(lambda: live.page.evaluate(CROSSED), lambda seen: seen[0] > 2 and not seen[1])
        live.drag("Probes", start, end, moves=6)
    live.until(lambda: live.page.evaluate(CROSSED), lambda seen: seen[0] > 2 and not seen[1])


def test_theme_follows_without_a_reload(live):
    assert live.figures()[0]["font"] == "#18202B"
    live.page.evaluate("() => { window.stayed = true }")
    live.page.emulate_media(color_scheme="dark")
    becomes(live, mode="dark")
    live.until(lambda: live.figures()[0]["font"], "#E8ECF1")
    assert live.page.evaluate("() => window.stayed")
    assert curves(live, "srp-hash")[0]["color"] == "#F08A24"
    chip = live.page.get_by_role("button", name="SRP-hash").locator(".mx-glyph")
    assert chip.evaluate("(node) => getComputedStyle(node).color") == "rgb(240, 138, 36)"
    live.assert_clean()


@pytest.mark.parametrize("width", [390])
def test_narrow(live):
    live.page.locator(".mx-live.mx-narrow").wait_for()
    assert not live.overflows()
    for control in live.page.locator(".mx-chip, .mx-save, .mx-range").all():
        assert control.bounding_box()["height"] >= 36
    assert live.page.locator(".mx-live .mx-name").count() == 0
    order = [".mx-sliders", ".mx-sentence", ".mx-plot", ".mx-chips", ".mx-tiles"]
    tops = [live.page.locator(f".mx-live {part}").bounding_box()["y"] for part in order]
    assert tops == sorted(tops)
    assert live.page.locator(".modebar-btn").count() == 0
    live.assert_clean()


def test_resizing_moves_between_layouts(live):
    live.page.set_viewport_size({"width": 500, "height": 844})
    live.page.locator(".mx-live.mx-narrow").wait_for()
    live.until(live.overflows, False)
    live.page.set_viewport_size({"width": 1280, "height": 900})
    live.page.locator(".mx-live.mx-wide").wait_for()


@pytest.mark.parametrize("width", [1280, 390])
def test_hostile_text_is_text(app):
    app.goto("?hostile=1")
    app.drawn(3)
    app.until(app.page.locator(".mx-live .annotation").all_text_contents, [HOSTILE])
    assert app.page.get_by_role("button", name=HOSTILE).count() == 1
    assert app.page.locator("img[src=x]").count() == 0
    app.assert_clean()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_saving_the_picture(live):
    svg = live.download("SVG")
    assert svg.suggested_filename == "curves.svg"
    text = svg.path().read_text()
    assert text.startswith("<svg")
    assert "10 probes" in text
    png = live.download("PNG")
    assert png.suggested_filename == "curves.png"
    content = png.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 20_000
    live.assert_clean()


def test_the_plain_chart_updates_in_place(live):
    node = live.page.locator(".mx-plain .js-plotly-plot")
    node.evaluate("(plot) => { plot.kept = true }")
    before = len(live.figures()[-1]["traces"][0]["x"])
    press(live, "New data")
    live.until(lambda: len(live.figures()[-1]["traces"][0]["x"]), before + 1)
    assert node.evaluate("(plot) => plot.kept")


def test_a_panel_names_its_own_curves(app):
    app.goto("?panels=1")
    app.drawn(4)
    names = app.page.locator(".mx-plain").nth(1).locator(".mx-name")
    app.until(lambda: names.count() > 0)
    [name] = names.all_text_contents()
    assert name[2:] == METHODS["hierarchical-kmeans"].label  # after its sign
