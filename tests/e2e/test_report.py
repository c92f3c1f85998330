"""The report in a browser: taken from the page, opened from the disk, on screens and on paper."""

import json

import pytest

from mips_core.report import html_of
from tests.e2e.harness import ROOT
from tests.mips_core.report.reports import HOSTILE, data, measured, reported

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser

WIDER = "() => document.documentElement.scrollWidth > innerWidth"
COLOUR = "(name) => getComputedStyle(document.querySelector(name)).getPropertyValue('color')"
STROKE = "() => getComputedStyle(document.querySelector('.m-pca-tree .line')).stroke"
MOST = 5_000_000  # bytes of a file
SHOWN = "() => [...document.querySelectorAll('svg.picture')].filter((p) => p.clientWidth).length"


@pytest.fixture
def opened(browser, tmp_path):
    """A file in a browser of its own without a network, and all that the page asks for."""
    contexts = []

    def open_file(html, **known):
        file = tmp_path / "report.html"
        file.write_text(html, encoding="utf-8")
        assert file.stat().st_size < MOST
        contexts.append(browser.new_context(offline=True, **known))
        page, seen = contexts[-1].new_page(), []
        page.on("request", lambda request: seen.append(request.url))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.on("console", lambda message: seen.append(message.text))
        page.on("dialog", lambda dialog: seen.append(dialog.message))
        page.goto(file.as_uri())
        assert seen == [file.as_uri()]
        return page

    yield open_file
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def html():
    raw, searched = data(name=HOSTILE, notes=(HOSTILE,))
    known = {"title": HOSTILE, "note": HOSTILE, "misses": [HOSTILE]}
    return html_of(reported(raw, searched, measured(searched), **known))


def test_it_opens_offline_and_shows_hostile_text_as_text(opened, html):
    page = opened(html, viewport={"width": 1280, "height": 900})
    shown = "</script><script>alert(1)</script>&amp;<img src=x onerror=alert(1)> back"
    assert page.title() == shown.strip()
    assert page.locator("h1").inner_text() == shown
    assert page.locator("img").count() == 0
    assert page.evaluate("() => JSON.parse(document.getElementById('report').text).K") == 10
    assert page.evaluate(SHOWN) == 3  # the wide one, and two other K
    spot = page.locator("svg.wide .spot").nth(3)
    assert "inner products a query" in spot.locator("title").text_content()
    before = spot.evaluate("(disc) => getComputedStyle(disc).fill")
    spot.hover(force=True)
    assert spot.evaluate("(disc) => getComputedStyle(disc).fill") != before


def test_it_follows_the_screen_and_prints_light(opened, html):
    page = opened(html, viewport={"width": 390, "height": 844}, color_scheme="dark")
    assert not page.evaluate(WIDER)
    assert page.evaluate(SHOWN) == 3  # the narrow one in the place of the wide
    assert page.evaluate(COLOUR, "body") == "rgb(232, 236, 241)"
    dark = page.evaluate(STROKE)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})
    assert page.evaluate(COLOUR, "body") == "rgb(24, 32, 43)"
    assert page.evaluate(STROKE) != dark
    assert not page.evaluate(WIDER)


def test_the_file_from_the_page_says_what_the_page_says(app, opened):
    app.goto("report?queries=rows+60+0.1+no&method=largest-norm&index=largest-norm")
    box = app.page.get_by_test_id("stMarkdown").filter(has_text="of the true top 10")
    app.press(app.page.get_by_role("button", name="Measure "), box)  # once, by any test
    app.page.get_by_text("the rest may raise it").wait_for(state="hidden")
    app.idle()  # what the last of it says is drawn, and no button anew any more
    app.page.wait_for_timeout(3_000)  # two looks of a page that waits
    app.idle()
    said = box.first.inner_text()
    saved, notebook = (
        app.download(app.page.get_by_role("button", name=name))
        for name in ("Report (HTML)", "Notebook (.ipynb)")
    )
    assert json.loads(notebook.path().read_text())["nbformat"] == 4
    page = opened(saved.path().read_text(encoding="utf-8"))
    assert page.locator(".finding").inner_text() == said
    app.assert_clean()
