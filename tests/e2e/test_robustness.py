"""Robustness in a browser: both sliders act while they are dragged, and a link reopens the view."""

import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
QUICK = "robustness?method=pca-tree&method=largest-norm&queries=rows+60+0.1+no"
SPEEDUP, SIGMA = "Same speedup for all", "Noise σ"
pytestmark = pytest.mark.browser


def state(app):
    """What the figure says of itself."""
    return app.page.evaluate("() => ({...document.querySelector('.mx-stepped')?.dataset})")


def sentence(app):
    return app.page.locator(".mx-sentence").inner_text()


def curve(app, group, panel=0):
    """The heights of a method's line in a panel."""
    drawn = [t for figure in app.figures() for t in figure["traces"] if t["group"] == group]
    lines = [t for t in drawn if t["mode"] == "lines+markers"]
    return lines[panel]["y"] if lines else []


def line(app):
    """Where the line stands, in px."""
    return float(app.page.locator(".mx-stepped .mx-overlay > line").get_attribute("x1"))


def ready(app):
    """Wait until all methods are measured at the speedup under the slider."""
    app.until(lambda: state(app).get("ready"), "true", seconds=120)
    app.drawn(1)


def open_page(app):
    app.goto(QUICK)
    ready(app)


class Held:
    """A slider held by the mouse: moved to shares of its track, let go at the end."""

    def __init__(self, app, label):
        self.app, self.slider = app, app.page.get_by_label(label, exact=True)

    def __enter__(self):
        self.box = self.slider.bounding_box()
        self._move(int(self.slider.input_value()) / int(self.slider.get_attribute("max")))
        self.app.page.mouse.down()
        return self

    def to(self, share):
        for step in range(1, 6):
            self._move(self.share + (share - self.share) * step / 5)
            self.app.frame()

    def _move(self, share):
        across = self.box["x"] + 10 + (self.box["width"] - 20) * share
        self.app.page.mouse.move(across, self.box["y"] + 18)
        self.share = share

    def __exit__(self, *_):
        self.app.page.mouse.up()


def test_both_sliders_act_while_dragged_and_the_link_reopens_the_view(app):
    open_page(app)
    said, where, address = sentence(app), line(app), app.page.url
    assert said.startswith("At σ 0.3 (")
    assert "of the true top 10," in said
    with Held(app, SIGMA) as sigma:
        sigma.to(0.125)
        app.until(lambda: sentence(app), lambda text: text.startswith("At σ 0.05 ("))
        assert line(app) < where - 200
        sigma.to(0)
        app.until(lambda: sentence(app), lambda text: "without noise, PCA-tree finds" in text)
        assert app.page.url == address  # Python has not heard of it
    app.until(lambda: app.page.url, lambda url: "sigma%3D0&" in url or url.endswith("sigma%3D0"))
    heights, reached = curve(app, "pca-tree"), curve(app, "pca-tree", panel=1)
    with Held(app, SPEEDUP) as speedup:
        speedup.to(3 / 12)
        ready(app)
        app.until(lambda: curve(app, "pca-tree"), lambda now: now[0] > heights[0])
        assert curve(app, "pca-tree", panel=1)[0] < reached[0]
        assert "speedup" not in app.page.url
    app.until(lambda: app.page.url, lambda url: "speedup%3D7" in url)
    app.page.get_by_text("Every number at 7×").wait_for()
    said, address = sentence(app), app.page.url
    assert said.startswith("At σ 0, without noise")
    app.page.goto("about:blank")
    app.page.goto(address)
    ready(app)
    app.until(lambda: sentence(app), said)
    assert app.page.get_by_label(SPEEDUP, exact=True).get_attribute("aria-valuetext") == "7×"
    app.assert_clean()


def test_the_clean_truth_has_a_ceiling_and_leaves_with_the_picture(app):
    open_page(app)
    before = curve(app, "pca-tree")
    app.page.get_by_text("Clean query", exact=True).click()
    app.until(lambda: len(curve(app, "exact")), 9)
    ceiling, below = curve(app, "exact"), curve(app, "pca-tree")
    assert ceiling[0] == 1
    assert ceiling[-1] < 0.9
    assert below[-1] < before[-1]
    assert "exact search itself finds" in sentence(app)
    names = app.page.locator(".mx-stepped .mx-name").all_text_contents()
    assert {name[2:] for name in names} >= {"PCA-tree", "Exact search, the ceiling"}
    app.until(lambda: app.page.url, lambda url: "truth%3Dclean" in url)
    app.page.locator(".mx-chip").filter(has_text="Largest norms").click()
    app.until(lambda: app.page.locator(".mx-name").filter(has_text="Largest norms").count(), 0)
    picture = app.download("SVG").path().read_text()
    assert "Exact search, the ceiling" in picture
    assert "Largest norms" not in picture
    app.assert_clean()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390])
def test_the_page_fits_a_narrow_screen(app):
    open_page(app)
    assert not app.overflows()
    assert app.page.locator(".mx-name").count() == 0  # the chips name the curves
    with Held(app, "σ") as sigma:
        sigma.to(1)
        app.until(lambda: sentence(app), lambda text: text.startswith("At σ 0.4 ("))
    app.assert_clean()
