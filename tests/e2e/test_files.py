"""A curve and a lesson as files: they open from the disk, ask no one, and act as in the app."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core.data.catalog import shipped
from mips_core.figures.map import PointColours
from mips_core.figures.map_file import map_html
from pages._ui.elements.live_curve import Build, Choice, CurvePoints, LiveMessage, live_curve_file
from pages._ui.parts.lesson.course import lessons
from pages._ui.parts.lesson.message import lesson_file
from pages._ui.parts.lesson.place import place_of
from tests.e2e.harness import AppPage
from tests.mips_core.figures.maps import mapped

pytestmark = pytest.mark.browser
MOST = 5_000_000  # bytes of a file
WIDTHS = [1280, 390]


def points(best):
    """Ten efforts of a made-up build."""
    y = np.linspace(0.2, best, 10).astype(np.float32)
    zeros = np.zeros(10, np.int32)
    cost = {"centroids": np.full(10, 20, np.float32), "candidates": np.arange(10, 110, 10.0)}
    spread = np.tile(np.array([[5, 5]], np.int32), (10, 1))
    return CurvePoints(np.arange(1, 11, dtype=np.int32), y, y - 0.02, y + 0.02, cost, zeros, spread)


def curve():
    builds = [Build(f"{k}", f"{k} clusters", "flat-kmeans", k, points(k / 100)) for k in (80, 90)]
    builds.append(Build("95", "95 clusters", "flat-kmeans", 0, None, "to be built"))
    message = LiveMessage(
        figure={"data": [], "layout": {"xaxis": {"type": "log"}}}, alt="Precision.",
        builds=builds, chosen=Choice("95", 4), n=1_000, m=10, K=1, file_name="curve",
        sentence="{effort} of {live} find **{precision}%**", sentence_below_one="{speedup}",
        lessons={"precision": 5},
    )  # fmt: skip
    return live_curve_file(message, "Some data", "Above.", "Below.")


@pytest.fixture
def opened(browser, tmp_path):
    """Open a file without a network, and hold that nothing was asked or went wrong."""
    contexts = []

    def go(content, width=1280, **known):
        assert len(content) < MOST
        file = tmp_path / "page.html"
        file.write_bytes(content)
        context = browser.new_context(
            viewport={"width": width, "height": 800}, offline=True, **known
        )
        page = context.new_page()
        app = AppPage(page, file.as_uri())
        contexts.append((context, app))
        page.goto(file.as_uri())
        return app

    yield go
    for context, app in contexts:
        context.close()
        assert not app.faults


def state(app, name):
    return app.page.evaluate(f"() => document.querySelector('.mx')?.dataset.{name} ?? ''")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_curve_is_dragged_and_its_sentence_follows(opened, width, scheme):
    app = opened(curve(), width, color_scheme=scheme)
    app.until(lambda: state(app, "effort"), "4")
    assert state(app, "mode") == scheme
    assert state(app, "build") == "80"
    app.drawn()
    before = app.page.locator(".mx-sentence").inner_text()
    app.drag("Probes", 0.3, 0.9, moves=8)
    app.until(lambda: state(app, "effort"), lambda effort: int(effort) > 7)
    assert app.page.locator(".mx-sentence").inner_text() != before
    app.drag("Clusters", 0.0, 1.0, moves=4)
    app.until(lambda: state(app, "build"), "90")
    assert app.page.locator(".mx-why, [data-title='Copy link']").count() == 0
    assert app.page.locator("h1").inner_text() == "Some data"
    assert not app.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_the_picture_of_a_curve_is_saved_from_the_file(opened, kind):
    app = opened(curve())
    app.drawn()
    with app.page.expect_download() as saved:
        app.page.get_by_role("button", name=kind, exact=True).click()
    assert saved.value.suggested_filename == f"curve.{kind.lower()}"


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_is_drawn_and_its_steps_step(opened, name):
    app = opened(lesson_file(place_of(str(lessons()[name].number))))
    app.until(lambda: app.page.locator(".mx-pic svg > *").count())
    assert app.page.locator(".mx-live-words").inner_text()
    assert app.page.locator("a[href]").count() == 0
    before = state(app, "state")
    app.page.keyboard.press("p")
    app.until(lambda: state(app, "step"), "1")
    for at in range(2, len(lessons()[name].steps) + 1):
        app.page.keyboard.press("ArrowRight")
        app.until(lambda: state(app, "step"), str(at))
    assert state(app, "state") != before or len(lessons()[name].steps) == 1
    app.page.keyboard.press("ArrowRight")  # there is no other lesson
    app.page.keyboard.press("Escape")
    app.until(lambda: state(app, "step"), "0")


NAMES_ON_MARKS = """() => {
  const boxes = (what) => [...document.querySelectorAll(`.mx-pic svg ${what}`)]
    .map((node) => [node.textContent, node.getBoundingClientRect()])
  const marks = boxes("circle").filter(([, box]) => box.width > 8 && box.width < 60)
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
  return boxes("text").filter(([, box]) => marks.some(([, mark]) => meet(box, mark)))
    .map(([name]) => name)
}"""


def test_where_it_is_narrow_no_word_lies_on_a_mark(opened):
    app = opened(lesson_file(place_of("12")), width=390)
    app.until(lambda: app.page.locator(".mx-pic svg text").count(), lambda count: count > 3)
    assert app.page.evaluate(NAMES_ON_MARKS) == []


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_the_picture_of_a_lesson_is_saved_from_the_file(opened, kind):
    app = opened(lesson_file(place_of("5")))
    app.until(lambda: app.page.locator(".mx-pic svg > *").count())
    with app.page.expect_download() as saved:
        app.page.get_by_role("button", name=kind, exact=True).click()
    assert saved.value.suggested_filename.endswith(kind.lower())


def test_the_map_of_the_words_that_ship_is_drawn(opened):
    words = shipped("glove-6b-50d")
    items = replace(mapped(words.n, hostile=False), labels=words.labels)
    app = opened(map_html(items, PointColours()))
    app.page.wait_for_selector(".js-plotly-plot .gl-canvas", state="attached")


@pytest.mark.parametrize("kind", ["curve", "lesson"])
def test_without_scripts_a_file_says_so(opened, kind):
    made = curve() if kind == "curve" else lesson_file(place_of("5"))
    app = opened(made, java_script_enabled=False)
    assert "switched off here" in app.page.inner_text("body")


@pytest.mark.parametrize(("kind", "node"), [("curve", ".mx-tile-value"), ("lesson", "h1")])
def test_a_file_prints_light_from_a_dark_screen(opened, kind, node):
    made = curve() if kind == "curve" else lesson_file(place_of("5"))
    app = opened(made, color_scheme="dark")
    app.until(lambda: state(app, "mode"), "dark")
    colour = f"() => getComputedStyle(document.querySelector('{node}')).color"
    before = app.page.evaluate(colour)
    app.page.emulate_media(media="print")
    app.until(lambda: app.page.evaluate(colour), "rgb(24, 32, 43)")
    assert before != "rgb(24, 32, 43)"
