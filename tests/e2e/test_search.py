"""Search in a browser: dragging its effort, what is missed, labels, words, and its link."""

import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser


def sentence(app):
    """What the page says of the query, once it was asked."""
    found = app.page.locator(".mx-answers .mx-sentence")
    return found.inner_text() if found.count() else ""


def cells(app, table, column):
    """The text of a column, from 1, of one of the tables."""
    return app.page.locator(f".mx-table-of-{table} td:nth-child({column})").all_inner_texts()


def test_dragging_the_effort_changes_the_answers(app):
    app.goto("search?query=query+1&effort=1&method=none")
    app.until(lambda: "Opening 1 of 141 clusters" in sentence(app))
    assert app.page.locator(".mx-found table").count() == 2
    thumb = app.page.get_by_role("slider", name="Probes")
    box = thumb.bounding_box()
    middle = box["y"] + box["height"] / 2
    app.page.mouse.move(box["x"] + 10, middle)
    app.page.mouse.down()
    for share in (0.3, 0.6):  # the answers follow before it is let go
        app.page.mouse.move(box["x"] + share * box["width"], middle, steps=4)
        effort = thumb.evaluate("(slider) => slider.valueAsNumber + 1")
        app.until(lambda effort=effort: f"Opening {effort} of 141 clusters" in sentence(app))
    app.page.mouse.move(1279, middle, steps=8)
    app.page.mouse.up()
    app.until(lambda: "Opening 141 of 141 clusters" in sentence(app))
    assert "finds 10 of the true top 10" in sentence(app)
    app.until(lambda: app.page.url, lambda url: "effort=141" in url)
    app.until(lambda: app.page.locator(".mx-table-of-walk .mx-note").inner_text(),
              lambda text: text.startswith("At 141 probes."))  # fmt: skip
    assert not app.page.locator(".mx-table-of-walk.mx-pale").count()
    thumb.press("ArrowLeft")
    app.until(lambda: "Opening 140 of 141 clusters" in sentence(app))
    app.assert_clean()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_an_item_is_found_by_its_label_and_its_link_reopens_it(app):
    app.goto("search?method=none")
    app.until(lambda: sentence(app).startswith("Query 0 "))
    app.page.get_by_role("radio", name="An item").click()
    app.until(lambda: sentence(app).startswith("Row 0 “the”"))
    box = app.page.get_by_role("textbox", name="Find by label")
    box.fill("Queens")
    box.press("Enter")
    app.until(lambda: "“queens”" in sentence(app))
    app.page.get_by_role("combobox", name="Matches, 2").click()
    app.page.get_by_role("option", name="queensland").click()
    app.until(lambda: "“queensland”" in sentence(app))
    app.until(lambda: app.page.url, lambda url: "item+6375" in url)
    assert not app.overflows()
    said = sentence(app)
    app.page.reload()
    app.until(lambda: sentence(app), said)
    app.assert_clean()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_words_are_asked_and_what_they_miss_is_explained(app):
    app.goto("search?query=words+&effort=1&method=none")
    box = app.page.get_by_role("textbox", name="Words")
    box.fill("king - man + womann")
    box.press("Enter")
    app.until(lambda: app.page.get_by_text("No label is “womann”").count() and box.count() == 1)
    box.fill("king - man + woman")
    box.press("Enter")
    app.until(lambda: sentence(app).startswith("king − man + woman. Opening 1 of 141 clusters"))
    app.until(lambda: any("probes find it." in text for text in cells(app, "missed", 3)))
    marks = cells(app, "true", 2)
    missed = [name for mark, name in zip(marks, cells(app, "true", 3), strict=True) if "✕" in mark]
    assert {mark.split()[0] for mark in marks} == {"✓", "✕"}
    assert [text.split()[1] for text in cells(app, "missed", 2)] == missed
    assert set(cells(app, "missed", 5)) <= set(cells(app, "returned", 3))
    assert f"{missed[0]} is found next" in sentence(app) or len(missed) > 1
    cost = app.page.locator(".mx-answers .mx-tile-value").nth(1).inner_text()
    assert cells(app, "walk", 7)[-1] == cost
    assert not app.overflows()
    app.page.get_by_role("button", name="Show on the map").click()
    sought = app.page.get_by_label("Search on the map")
    app.until(lambda: sought.count() and sought.input_value(), "king − man + woman", seconds=60)
    app.until(lambda: app.page.url, lambda url: "follow%3Dyes" in url)
    app.assert_clean()
