"""The map element in a real browser with software WebGL, on made-up items."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pages._ui.elements.map import items_of
from tests.e2e.harness import AppPage
from tests.e2e.map_page import EFFORTS, HOSTILE, ids_told, places_of

APP = Path(__file__).with_name("map_app.py")
pytestmark = pytest.mark.browser
N, K = 2000, 24


def state(app):
    return app.page.evaluate("() => document.querySelector('.mx-map')?.mapState?.() ?? {}")


def opened(app, address="", n=N):
    """Open the map, and wait until all its points are drawn."""
    app.goto(f"?n={n}&{address}")
    app.until(lambda: state(app).get("drawn"), n, seconds=60)
    if "follow" in address:  # all items, not only what the search is about
        press(app, "Reset the view")
        app.until(lambda: state(app)["camera"]["zoom"], 1)
    return app


def stage(app):
    return app.page.locator(".mx-stage")


def on_screen(app, places):
    """Where places of the map are in the window: float64 (n, 2) px."""
    box, now = stage(app).bounding_box(), state(app)
    edge = 1  # its border
    x = box["x"] + edge + now["origin"][0] + places[:, 0].astype(float) * now["scale"]
    y = box["y"] + edge + now["origin"][1] - places[:, 1].astype(float) * now["scale"]
    return np.stack([x, y], axis=1)


def said(app):
    return app.page.get_by_text(re.compile(r"^run \d+:")).inner_text()


def says(app, *parts):
    """Wait until the page says all this."""
    app.until(lambda: said(app), lambda text: all(part in text for part in parts))


def press(app, button):
    app.page.get_by_role("button", name=button, exact=True).click()


def inked(app):
    """The share of the picture that is not ground, and the mean colour of all."""
    with Image.open(io.BytesIO(stage(app).screenshot())) as picture:
        pixels = np.asarray(picture.convert("RGB"), float)
    ground = pixels[len(pixels) // 2, 4]
    return (np.abs(pixels - ground).max(axis=2) > 24).mean(), pixels.mean()


def inside(points, corners):
    """Which points lie in the closed line: the even-odd rule, from its definition."""
    within = np.zeros(len(points), bool)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for i in np.flatnonzero((y1 > points[:, 1]) != (y2 > points[:, 1])):
            x, y = points[i]
            within[i] ^= x < x1 + (x2 - x1) * (y - y1) / (y2 - y1)
    return within


def draw_lasso(app, corners):
    app.page.mouse.move(*corners[0])
    app.page.mouse.down()
    for corner in corners[1:]:
        app.page.mouse.move(*corner)
    app.page.mouse.up()


def star(middle, radius):
    """A line that is not convex, of whole px."""
    turns = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    away = radius * np.where(np.arange(14) % 2, 0.45, 1.0)
    return np.round(middle + away[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1))


def written_as_python_reads(app):
    """Items written in the browser come back in Python, in no more than a bit each."""
    rng = np.random.default_rng(2)
    cases = [
        (1, [0]), (9, [8]), (300, list(range(300))), (300, [0, 127, 128, 255, 299]),
        (300, list(range(0, 300, 2))), (1_000_000, [0, 999_999]),
        *((n, np.flatnonzero(rng.random(n) < share).tolist() or [0])
          for n in (10, 1000, 30_000) for share in (0.01, 0.5, 0.99)),
    ]  # fmt: skip
    write = """
      async (cases) => {
        const all = performance.getEntriesByType("resource").map(({ name }) => name)
        const { textOf } = await import(all.find((name) => name.endsWith("/map_items.js")))
        return cases.map(([n, items]) => textOf(Int32Array.from(items), n))
      }
    """
    for (n, items), text in zip(cases, app.page.evaluate(write, cases), strict=True):
        assert items_of(text, n).tolist() == items
        assert len(text) <= 4 * -(-(1 + -(-n // 8)) // 3)


def first_view(app, places):
    """Zoom of the view to start with in a long picture, and how many items it leaves out."""
    return app.page.evaluate(
        """
        async (numbers) => {
          const all = performance.getEntriesByType("resource").map(({ name }) => name)
          const file = (name) => import(all.find((address) => address.endsWith(`/${name}.js`)))
          const { Camera } = await file("map_camera")
          const { boundsOf, homeOf, outside } = await file("map_fit")
          const [places, size] = [Float32Array.from(numbers), { width: 1000, height: 560 }]
          const camera = new Camera()
          camera.bounds = boundsOf(places)
          camera.moveTo(homeOf(camera, places, size))
          return [camera.zoom, outside(camera, places, size)]
        }
        """,
        places.astype(float).ravel().tolist(),
    )


def the_first_view_fills_the_picture(app):
    """Few items that lie far out are left out, where the others become much larger for it."""
    rng, n = np.random.default_rng(0), 4000
    assert first_view(app, rng.random((n, 2))) == [1, 0]
    assert first_view(app, rng.normal(size=(150, 2))) == [1, 0]  # of so few none is left out
    zoom, out = first_view(app, rng.normal(size=(n, 2)))
    assert zoom > 1.5
    assert 0 < out < 0.12 * n
    upright = rng.normal(size=(n, 2)) * [0.2, 1]
    assert first_view(app, upright)[1] < 0.12 * n


def test_a_hundred_thousand_points_appear_and_idle_costs_nothing(app):
    opened(app, "k=140", n=100_000)
    now = state(app)
    assert now["webgl"]
    assert inked(app)[0] > 0.1
    app.idle()
    frames = state(app)["frames"]
    app.page.wait_for_timeout(400)  # nothing is to happen
    assert state(app)["frames"] == frames
    written_as_python_reads(app)
    the_first_view_fills_the_picture(app)
    app.assert_clean()


def test_a_million_points_load_and_all_can_be_selected(app):
    opened(app, "k=140&unlabelled", n=1_000_000)
    assert inked(app)[0] > 0.1
    box = stage(app).bounding_box()
    left, top, right, bottom = box["x"] + 3, box["y"] + 3, box["x"] + box["width"] - 60, 0
    bottom = box["y"] + box["height"] - 3
    press(app, "Draw a lasso around items")
    draw_lasso(app, [(left, top), (right, top), (right, bottom), (left, bottom)])
    says(app, "lasso", ids_told(np.arange(1_000_000)))
    app.assert_clean()


@pytest.mark.parametrize("zoomed", [False, True])
def test_a_lasso_selects_exactly_what_is_inside(app, zoomed):
    opened(app, n=20_000)
    if zoomed:
        stage(app).focus()
        for key in ("+", "+", "+", "ArrowLeft", "ArrowUp"):
            app.page.keyboard.press(key)
        app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 2)
    at = on_screen(app, places_of(20_000, K)[0])
    box = stage(app).bounding_box()
    corners = star((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), 190)
    wanted = np.flatnonzero(inside(at, corners))
    assert 30 < len(wanted) < 15_000
    app.page.keyboard.down("Shift")
    draw_lasso(app, corners)
    app.page.keyboard.up("Shift")
    says(app, f"lasso, {ids_told(wanted)}")
    assert state(app)["selected"] == wanted.tolist()
    app.page.get_by_text(f"{len(wanted):,} items selected").wait_for()
    press(app, "Clear the selection")
    says(app, "no choice, nothing")
    assert state(app)["selected"] is None
    app.assert_clean()


def test_hover_tells_what_an_item_is_and_a_click_keeps_it(app):
    opened(app)
    at = on_screen(app, places_of(N, K)[0])
    card = app.page.locator(".mx-map-passing")
    app.page.mouse.move(*(at[0] - 2))
    card.wait_for()
    assert state(app)["hovered"] == 0
    size = np.bincount(places_of(N, K)[1])[0]
    lines = card.inner_text().splitlines()
    assert lines[0] == HOSTILE
    assert re.fullmatch(rf"row 0 · norm [\d.]+ · cluster 0, name 0 \({size} items\)", lines[1])
    assert app.page.locator("img[src=x]").count() == 0
    app.page.mouse.click(*at[0])
    says(app, f"click, {ids_told([0])}")
    card.wait_for(state="hidden")  # the card that stays tells the same
    app.page.mouse.move(*(at[0] - 80))
    app.until(lambda: state(app)["hovered"], -1)
    press(app, "Ask with this item")
    says(app, "asked 1 with 0")
    press(app, "Show its cluster")
    says(app, "focus 0", "asked 1 with 0")
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 1)
    app.page.keyboard.press("Escape")
    says(app, "nothing", "focus -1")
    assert state(app)["pinned"] == -1
    app.assert_clean()


def test_shift_and_click_adds_and_takes_away(app):
    opened(app, "colour=kinds")
    at, group = places_of(N, K)
    at = on_screen(app, at)
    away = np.linalg.norm(at[:, None] - at[None], axis=2) + 1e9 * np.eye(N)
    alone = np.sort(np.argsort(away.min(axis=1))[-3:])  # far from all others
    for item in alone:
        app.page.keyboard.down("Shift")
        app.page.mouse.click(*at[item])
        app.page.keyboard.up("Shift")
    says(app, f"click, {ids_told(alone)}")
    name = ["noun", "verb", HOSTILE][group[alone[-1]] % 3]
    assert f"Part: {name}" in app.page.locator(".mx-map-card:not(.mx-map-passing)").inner_text()
    app.page.keyboard.down("Shift")
    app.page.mouse.click(*at[alone[0]])
    app.page.keyboard.up("Shift")
    says(app, f"click, {ids_told(alone[1:])}")
    app.page.get_by_text("2 items selected").wait_for()
    app.assert_clean()


def test_the_slider_opens_the_right_clusters_and_answers_say_if_they_are_found(app):
    opened(app, "follow&lost")
    at, group = places_of(N, K)
    middles = np.stack([at[group == g].mean(axis=0) for g in range(K)])
    order = np.argsort(np.linalg.norm(middles - middles[group[5]], axis=1), kind="stable")
    sizes = np.bincount(group)[order].cumsum()
    assert state(app)["opened"] == order[:5].tolist()
    assert state(app)["standing"] == sizes[4] - 1  # one was lost
    few = inked(app)[1]
    app.page.mouse.move(*on_screen(app, at)[5])
    card = app.page.locator(".mx-map-passing")
    app.until(card.inner_text, lambda text: text.startswith("found: word 5"))
    app.drag("Probes", 0.5, 1)
    most = int(EFFORTS[EFFORTS <= K][-1])
    app.until(lambda: state(app)["opened"], order[:most].tolist())
    assert state(app)["standing"] == sizes[most - 1] - 1
    says(app, "effort 4")
    assert inked(app)[1] < few - 1  # more points stand out
    app.assert_clean()


@pytest.mark.parametrize("address", ["bare&unlabelled", "bare&follow", ""])
def test_one_item_and_no_clusters(app, address):
    n = 20 if "follow" in address else 1
    opened(app, f"{address}&tree", n=n)
    stage(app).focus()
    app.page.keyboard.press("+")
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 1)
    app.page.keyboard.press("0")
    if "follow" in address:  # the first shows the search
        app.page.keyboard.press("0")
    app.until(lambda: state(app)["camera"]["zoom"], 1)
    app.page.mouse.click(*on_screen(app, places_of(n, n)[0])[0])
    says(app, f"click, {ids_told([0])}")
    app.page.get_by_text("1 item selected").wait_for()
    app.assert_clean()


def test_new_epochs_keep_camera_and_selection(app):
    opened(app, "epochs=2")
    stage(app).focus()
    for key in ("+", "+", "ArrowRight"):
        app.page.keyboard.press(key)
    press(app, "Choose ten")
    app.until(lambda: state(app)["selected"], list(range(10, 20)))
    camera, frames = state(app)["camera"], state(app)["frames"]
    assert camera["zoom"] > 1.5
    origin = state(app)["origin"]
    for epoch in (1, 2):
        press(app, "Next epoch")
        app.until(lambda: state(app)["note"], f"Epoch {epoch} of 2")
    app.until(lambda: state(app)["origin"], lambda moved: moved != origin)  # the places are new
    assert state(app)["camera"] == camera
    assert state(app)["selected"] == list(range(10, 20))
    assert state(app)["frames"] > frames
    press(app, "Focus on 3")
    app.until(lambda: state(app)["camera"], lambda moved: moved != camera)
    press(app, "Other data")
    app.until(lambda: state(app)["camera"], {"x": 0, "y": 0, "zoom": 1})
    app.assert_clean()


def test_keys_and_wheel_move_the_map_once_it_is_in_use(app):
    app.page.set_viewport_size({"width": 1280, "height": 460})  # so that the page scrolls
    opened(app)
    box = stage(app).bounding_box()
    app.page.mouse.move(box["x"] + 100, box["y"] + 200)
    app.page.mouse.wheel(0, 120)  # the page scrolls
    app.until(lambda: stage(app).bounding_box()["y"], lambda y: y < box["y"])
    assert state(app)["camera"]["zoom"] == 1
    box = stage(app).bounding_box()
    app.page.mouse.click(box["x"] + 20, box["y"] + 300)
    app.page.mouse.wheel(0, -240)
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: zoom > 1.2)
    assert stage(app).bounding_box()["y"] == box["y"]
    before = state(app)["camera"]
    app.page.keyboard.press("ArrowRight")
    app.until(lambda: state(app)["camera"]["x"], lambda x: x > before["x"])
    app.page.keyboard.press("0")
    app.until(lambda: state(app)["camera"]["zoom"], 1)
    press(app, "Zoom in")
    app.page.mouse.move(box["x"] + 200, box["y"] + 300)
    app.page.mouse.down()
    app.page.mouse.move(box["x"] + 260, box["y"] + 300, steps=3)
    app.page.mouse.up()
    assert state(app)["camera"]["x"] < 0
    assert state(app)["selected"] is None
    app.page.mouse.dblclick(box["x"] + 20, box["y"] + 300)
    app.until(lambda: state(app)["camera"], {"x": 0, "y": 0, "zoom": 1})
    app.assert_clean()


def test_a_lost_context_is_drawn_again_and_the_theme_is_followed(app):
    opened(app, "colour=values")
    lose = """
      () => new Promise((done) => {
        const canvas = document.querySelector(".mx-map-points")
        const context = canvas.getContext("webgl").getExtension("WEBGL_lose_context")
        canvas.addEventListener("webglcontextlost", () => setTimeout(() => {
          canvas.addEventListener("webglcontextrestored", () => requestAnimationFrame(done))
          context.restoreContext()
        }))
        context.loseContext()
      })
    """
    share, light = inked(app)
    frames = state(app)["frames"]
    app.page.evaluate(lose)
    app.until(lambda: state(app)["frames"], lambda drawn: drawn > frames)
    assert inked(app)[0] == pytest.approx(share, rel=0.1)
    app.page.emulate_media(color_scheme="dark")
    app.until(lambda: inked(app)[1], lambda mean: mean < light - 100)
    assert inked(app)[0] > share / 2
    app.assert_clean()


@pytest.mark.parametrize(("gone", "n"), [("once", 1999), ("always", 1998)])
def test_blocks_that_are_gone_are_asked_for_again_once(app, gone, n):
    app.goto(f"?n={n}&gone={gone}")  # of a size that no browser has in its cache
    if gone == "once":
        app.until(lambda: state(app).get("drawn"), n)
        assert not state(app)["trouble"]
    else:
        app.page.get_by_text("no longer on the server").wait_for()
        app.idle()
    assert said(app).startswith("run 2:")
    assert app.faults
    assert all("404" in fault for fault in app.faults)
    assert not app.exceptions()


def test_without_webgl_there_is_a_plain_picture(browser, server):
    context = browser.new_context(viewport={"width": 1000, "height": 900})
    app = AppPage(context.new_page(), server.url)
    app.page.add_init_script(
        "const known = HTMLCanvasElement.prototype.getContext\n"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {\n"
        "  return kind.startsWith('webgl') ? null : known.call(this, kind, ...rest)\n}"
    )
    app.goto("?n=50000")
    app.until(lambda: state(app).get("drawn"), 16_667)
    assert not state(app)["webgl"]
    app.page.get_by_text("one item in 3 of all 50,000").wait_for()
    assert inked(app)[0] > 0.05
    at = on_screen(app, places_of(50_000, K)[0])
    app.page.mouse.click(*at[0])
    says(app, f"click, {ids_told([0])}")
    app.assert_clean()
    context.close()


@pytest.mark.parametrize("width", [390])
def test_fingers(app):
    opened(app, "follow")
    assert not app.overflows()
    for button in app.page.locator(".mx-map-button:visible").all():
        assert button.bounding_box()["height"] >= 36
    stage(app).scroll_into_view_if_needed()
    at = on_screen(app, places_of(N, K)[0])
    left = int(np.argmin(at[:, 0]))
    app.page.touchscreen.tap(at[left, 0] - 6, at[left, 1])
    says(app, f"click, {ids_told([left])}")
    app.page.get_by_role("button", name="Ask with this item").wait_for()
    session = app.page.context.new_cdp_session(app.page)
    box = stage(app).bounding_box()
    middle = box["x"] + box["width"] / 2
    for kind, apart in [("touchStart", 30), ("touchMove", 60), ("touchMove", 120), ("touchEnd", 0)]:
        points = [
            {"x": middle + side * apart, "y": box["y"] + box["height"] / 2} for side in (-1, 1)
        ]
        sent = points if kind != "touchEnd" else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})
    session.detach()
    app.until(lambda: state(app)["camera"]["zoom"], lambda zoom: 3 < zoom < 5)
    app.assert_clean()
