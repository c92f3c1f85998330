"""Tune in a browser: search, drag the target, use what was found, cancel."""

import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser

QUICK = "tune?method=pca-tree&method=largest-norm&seed=3&queries=rows+200+0.1+no"
# Slow enough to be cancelled in time.
SLOW = "tune?method=ip-tree&method=wta-hash&method=top-down-kmeans&seed=93"


def answer(app):
    """What the green or the yellow box says; "" while there is none."""
    box = app.page.locator('[data-testid="stAlert"]').filter(has_text="of the true top 10")
    return box.inner_text() if box.count() else ""


def rows(app):
    """Precision, cost from the top: the marks of the picture, and whether all are inside."""
    return app.page.evaluate(
        "() => { const plot = document.querySelector('.mx-plain .js-plotly-plot');"
        " const [low, high] = plot._fullLayout.yaxis.range;"
        " return plot._fullData.filter((t) => t.mode === 'markers')"
        "   .map((t) => [t.x[0], high < t.y[0] && t.y[0] < low]) }"
    )


def drawn_target(app, thumb):
    """Where the thumb stands, once the picture shows the same; "" before."""
    target = thumb.get_attribute("aria-valuetext")
    return target if app.page.get_by_text(f"target {target}").count() else ""


def press(app, name):
    app.page.get_by_role("button", name=name, exact=True).click()


def test_tuning_to_a_target_and_using_what_was_found(app):
    app.goto(QUICK)
    app.page.get_by_text("Nothing was tried yet").wait_for()
    press(app, "Find the cheapest setting")
    app.until(lambda: answer(app), lambda said: "at least 9" in said, seconds=60)
    app.until(app.page.get_by_text("indexes are in").count, 0, seconds=60)
    app.drawn(1)
    assert all(inside for _, inside in rows(app))
    first = answer(app)

    thumb = app.page.get_by_role("slider", name="Precision@10, at least")
    box = thumb.bounding_box()
    middle = box["y"] + box["height"] / 2
    app.page.mouse.move(box["x"] + 0.65 * box["width"], middle)
    app.page.mouse.down()
    said = [first]
    for share in (0.4, 0.1):  # the answer follows before it is let go
        app.page.mouse.move(box["x"] + share * box["width"], middle, steps=4)
        said.append(app.until(lambda: answer(app), lambda now: now not in ("", *said)))
        target = app.until(lambda: drawn_target(app, thumb))
    app.page.mouse.up()
    app.until(lambda: app.page.url, lambda url: f"precision%3D{target}" in url)
    app.until(lambda: all(inside for _, inside in rows(app)))
    method = answer(app).split(",")[0]

    press(app, "Use this setting")
    app.page.get_by_text("Kept beside your other indexes").wait_for()
    app.page.get_by_role("link", name="See it on Build").click()
    built = app.page.locator('[data-testid="stAlert"]').filter(has_text="built in")
    app.until(built.inner_text, lambda text: text.startswith(method))
    app.assert_clean()


def test_a_search_can_be_cancelled_and_gone_on_with(app):
    app.goto(SLOW)
    press(app, "Find the cheapest setting")
    press(app, "Cancel")
    app.page.get_by_text("Cancelled after").wait_for()
    app.page.get_by_role("button", name="Go on with the other").click()
    press(app, "Cancel")
    app.page.get_by_text("Cancelled after").wait_for()
    app.assert_clean()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_a_phone_shows_answer_and_picture_without_scrolling_sideways(app):
    app.goto(f"{QUICK}&tune=precision=0.9")
    if not answer(app):  # known from the first test, where it ran
        press(app, "Find the cheapest setting")
    app.until(lambda: answer(app), seconds=60)
    app.until(app.page.get_by_text("indexes are in").count, 0, seconds=60)
    app.drawn(1)
    assert all(inside for _, inside in rows(app))
    assert not app.overflows()
    app.assert_clean()
