"""All queries on the Search page in a browser: they follow the slider, and one is picked."""

import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
ROW = 35  # px of a row of a table, and of its head


def summary(app):
    """How much all queries miss, once it is told."""
    found = app.page.get_by_text("true answers are missed: precision")
    return found.inner_text() if found.count() else ""


def pick(app, row):
    """Mark a row of the worst queries by the box at its start."""
    table = app.page.locator('[class*="st-key-diagnosis-queries"] [data-testid="stDataFrame"]')
    table.scroll_into_view_if_needed()
    table.click(position={"x": 20, "y": ROW * (row + 1.5)})


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_all_queries_follow_the_slider_and_one_is_picked(app):
    app.goto("search?effort=6&method=none")
    assert not summary(app)  # one query is shown first
    app.page.get_by_role("tab", name="All queries").click()
    app.until(lambda: summary(app).startswith("At 6 probes "))
    app.page.get_by_role("slider", name="Probes").press("ArrowRight")
    app.until(lambda: summary(app).startswith("At 7 probes "))
    app.until(lambda: app.page.locator(".js-plotly-plot").count(), 4)
    assert not app.overflows()
    pick(app, 0)
    app.until(lambda: app.page.url, lambda url: "query=query+" in url)
    number = app.page.url.rpartition("query=query+")[2].partition("&")[0]
    app.until(lambda: app.page.get_by_text(f"Query {int(number):,} “").count() > 0)
    assert "effort=7" in app.page.url
    assert not summary(app)  # the query is shown
    app.assert_clean()
