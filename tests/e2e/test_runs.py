"""Kept runs in a browser: kept, there after a refresh, taken away and opened elsewhere."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
# With its tab alone the page measures nothing but what the link lays down.
QUIET = "compare?queries=rows+60+0.1+no&method=none&index=pca-tree&compare=view%3Druns"
ONE = (
    "pca-tree:depth=14|0|1.10.100|glove-6b-50d|rows_60_0.1_no_0|inner%20product"
    "|%3Cb%3Eone%3C%2Fb%3E"
)


def kept(app):
    """How many runs the page says it keeps."""
    title = app.page.get_by_text("All kept runs:")
    return int(title.inner_text().split(":")[1].split()[0]) if title.count() else 0


def sentences(app):
    return app.page.locator(".st-key-runs-sentence p").all_inner_texts()


def names(app):
    """Of all traces."""
    return {trace["name"] for figure in app.figures() for trace in figure["traces"]}


def shelf(app):
    """The name of the list that the address holds."""
    return parse_qs(urlsplit(app.page.url).query).get("runs", [""])[0].partition("shelf=")[2]


def keep(app, name):
    """Keep what is chosen under this name."""
    app.idle()
    before = kept(app)
    field = app.page.get_by_label("Name of the run")
    field.fill(name)
    field.press("Enter")
    app.idle()
    app.page.get_by_role("button", name="Keep this run").click()
    app.until(lambda: kept(app), before + 1)


def test_two_runs_outlive_a_refresh_and_a_file_opens_elsewhere(app, tmp_path):
    app.goto(f"{QUIET}&runs={quote(f'shown={ONE}')}")
    app.until(lambda: kept(app), 1, seconds=60)
    first = app.until(lambda: shelf(app))
    keep(app, "two")
    app.drawn(1)
    said = app.until(lambda: sentences(app))
    assert "“<b>one</b>”" in said[0]
    app.until(lambda: shelf(app), lambda name: name != first)
    app.page.reload()
    app.until(lambda: kept(app), 2, seconds=60)
    assert app.until(lambda: sentences(app)) == said
    download = app.download("Download 2 runs")
    path = tmp_path / download.suggested_filename
    download.save_as(path)
    assert path.name == "2-runs.run.json"
    app.goto(QUIET)  # another visitor, who has the file
    app.page.get_by_text("No run is kept yet").wait_for(timeout=60_000)
    app.page.locator('input[type="file"]').set_input_files(path)
    app.until(lambda: kept(app), 2)
    assert app.until(lambda: sentences(app)) == said
    app.until(lambda: {"1  &lt;b&gt;one&lt;/b&gt;", "2  two"} <= names(app))
    app.page.set_viewport_size({"width": 390, "height": 844})
    app.idle()
    assert not app.overflows()
    app.assert_clean()
