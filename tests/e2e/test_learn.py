"""Every lesson in a browser, by existing: what is dragged moves, steps step, and words follow.

Reads the state from the element, as it stands after the last drawing.
"""

import json
import re
from functools import cache

import pytest

from benchmarks.lessons import STILL
from pages._ui.elements import serve
from pages._ui.parts.lesson import stored
from pages._ui.parts.lesson.course import FOLDER, WAYS, lessons, name_of
from pages._ui.parts.lesson.declaration import FACT, TERM, Slider
from pages._ui.text.glossary import GLOSSARY
from tests.e2e.harness import ROOT
from tests.pages.wire_reader import unpack

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
SENTENCE = ".mx-live-words"
PAGE = re.compile(rb"/Type\s*/Page\b")
LOWEST = """() => Math.max(...[...document.querySelectorAll(".mx-lesson > :not(.mx-spoken)")]
  .map((node) => node.getBoundingClientRect().bottom))"""


@cache
def facts(name):
    lesson = lessons()[name]
    made = unpack(stored.packed(name)) if lesson.stored else lesson.make()
    return {k: f"{v:,}" if isinstance(v, int) else str(v) for k, v in made["facts"].items()}


def told(name, text):
    """A text of a lesson as it is read."""
    filled = FACT.sub(lambda match: facts(name)[match[1]], text)
    return TERM.sub(r"\1", filled).replace("**", "")


def state(app):
    return json.loads(
        app.page.evaluate("() => document.querySelector('.mx-learn')?.dataset.state ?? '{}'")
    )


def step(app):
    return int(app.page.evaluate("() => document.querySelector('.mx-learn').dataset.step"))


def show(app, place, number=None):
    app.goto(f"learn?learn={place}")
    number = place.partition(":")[0] if number is None else number
    app.page.locator(f'.mx-learn[data-lesson="{number}"]').wait_for(timeout=60_000)


def moved(app, before):
    """Wait until the state is another, and its sentence says something."""
    after = app.until(lambda: state(app), lambda now: now != before)
    assert app.page.locator(SENTENCE).inner_text().strip()
    return after


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", list(lessons()))
def test_what_is_dragged_moves_by_pointer_and_by_keys(app, name, width):
    lesson = lessons()[name]
    show(app, str(lesson.number))
    assert state(app) == dict(lesson.state)
    assert not app.overflows()
    if width == 1280:
        page = app.page.locator(".mx-lesson").bounding_box()
        assert page["y"] + page["height"] <= 800, "on a screen of 1280 x 800 nothing scrolls"
        fresh = app.page.evaluate(STILL, f"{serve.address()}learn_still.js")
        assert fresh == (FOLDER / f"{name}.svg").read_text(), "draw its still anew"
    if lesson.handle:
        drag_handle(app, lesson)
    for control in lesson.controls:
        if isinstance(control, Slider) and all(
            lesson.state[k] == v for k, v in control.when.items()
        ):
            slide(app, control)
    app.until(lambda: app.page.url, lambda url: f"learn={lesson.number}" in url)
    app.assert_clean()


def drag_handle(app, lesson):
    handle = app.page.get_by_role("slider", name=lesson.handle.label, exact=True)
    before = state(app)
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    app.page.mouse.move(x, y)
    app.page.mouse.down()
    app.page.mouse.move(x + 60, y + 30, steps=4)
    app.page.mouse.up()
    dragged = moved(app, before)
    handle.press("ArrowUp")
    pressed = moved(app, dragged)
    key = lesson.handle.across.key
    handle.press("ArrowLeft")
    moved(app, pressed)
    if not lesson.handle.whole:
        handle.press("End")
        app.until(lambda: state(app)[key], lesson.handle.across.values[-1])
        handle.press("Home")
        app.until(lambda: state(app)[key], lesson.handle.across.values[0])
    assert handle.get_attribute("aria-valuetext")


def slide(app, control):
    slider = app.page.get_by_label(control.label, exact=True)
    slider.press("End")
    slider.press("Home")
    app.until(lambda: state(app)[control.key], control.values[0])
    slider.press("ArrowRight")
    app.until(lambda: state(app)[control.key], control.values[1])


@pytest.mark.parametrize("name", list(lessons()))
def test_steps_go_forwards_and_back_by_keys_and_say_what_is_declared(app, name):
    lesson = lessons()[name]
    app.page.set_viewport_size({"width": 1920, "height": 1080})
    show(app, str(lesson.number))
    app.page.keyboard.press("p")
    for at, prepared in enumerate(lesson.steps, 1):
        app.until(lambda: step(app), at)
        assert state(app) == {**lesson.state, **prepared.state}
        assert app.page.locator(".mx-say").inner_text() == told(name, prepared.say)
        if at < len(lesson.steps):
            app.page.keyboard.press("ArrowRight")
    assert app.page.evaluate(LOWEST) <= 1080
    app.page.keyboard.press("ArrowLeft")
    app.until(lambda: step(app), len(lesson.steps) - 1)
    app.page.keyboard.press("Escape")
    app.until(lambda: step(app), 0)
    app.page.locator(".mx-try summary").click()
    answer = app.page.locator(".mx-try > p")
    assert answer.inner_text() == told(name, lesson.answer)
    app.until(lambda: state(app).items() >= lesson.answer_state.items())
    app.until(lambda: app.page.url, lambda url: "step" not in url)
    with app.page.expect_popup() as opened:
        app.page.get_by_role("button", name="Worksheet").click()
    opened.value.locator("section").nth(1).locator("figure").last.wait_for()
    assert len(PAGE.findall(opened.value.pdf(format="A4", prefer_css_page_size=True))) == 2
    assert told(name, lesson.asks[0].question) in opened.value.locator("body").inner_text()
    opened.value.close()
    app.assert_clean()


def test_ten_minutes_are_walked_with_the_right_arrow_alone(app):
    app.goto("learn")
    app.page.get_by_role("button", name="Present: 10 minutes").click()
    for number in WAYS["10"]:
        lesson = lessons()[name_of(number)]
        app.page.locator(f'.mx-learn[data-lesson="{number}"]').wait_for(timeout=60_000)
        for at in range(1, len(lesson.steps) + 1):
            app.until(lambda: step(app), at)
            app.page.keyboard.press("ArrowRight")
    app.page.get_by_role("heading", name="Learn", exact=True).wait_for()
    app.assert_clean()


def test_a_term_opens_in_place_and_closes_again(app):
    show(app, "5")
    term = app.page.get_by_role("button", name="missed")
    term.click()
    entry = app.page.get_by_role("dialog", name="Miss", exact=True)
    assert GLOSSARY["miss"].text in entry.inner_text()
    app.page.keyboard.press("Escape")
    entry.wait_for(state="detached")
    assert term.evaluate("(node) => node === document.activeElement")
    show(app, "probe", number=0)
    app.page.get_by_role("dialog", name="Probe").wait_for()
    app.assert_clean()
