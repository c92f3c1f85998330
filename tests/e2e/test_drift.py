"""Drift in a browser: vectors move, a later version is uploaded, a link reopens what was asked."""

import csv
import io

import numpy as np
import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
FEW = "drift?queries=rows+60+0.1+no&method=largest-norm&index=flat-kmeans:n_clusters=40"


def measure(app):
    app.page.get_by_role("button", name="Measure", exact=True).click()
    app.page.locator(".st-key-drift-csv").wait_for(timeout=60_000)
    app.page.locator(".st-key-cancel-drift").wait_for(state="detached", timeout=60_000)


def test_new_items_come_and_what_was_measured_is_taken_away(app):
    few = FEW.replace("rows", "own")
    app.goto(f"{few}&data=simulated-ratings&drift=change=new,rounds=1")
    measure(app)
    app.drawn(2)
    names = {trace["name"] for trace in app.figures()[0]["traces"]}
    assert names >= {"Frozen clusters", "Refreshed", "Rebuilt"}
    saved = app.download(app.page.locator(".st-key-drift-csv button"))
    table = list(csv.DictReader(io.StringIO(saved.path().read_text())))
    assert {row["way"] for row in table} == {"frozen", "refreshed", "rebuilt"}
    assert {row["simulated_change"] for row in table} == {"False"}
    app.assert_clean()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_a_later_version_is_uploaded_on_a_phone(app, tmp_path):
    later = tmp_path / "<img src=x onerror=alert(1)>.npy"
    np.save(later, np.random.default_rng(0).normal(size=(900, 50)).astype(np.float32))
    app.goto(FEW)
    app.page.get_by_role("radio", name="A new version").or_(
        app.page.get_by_text("A new version", exact=True)
    ).first.click()
    app.until(lambda: app.page.url, lambda url: "version" in url)
    app.page.locator("input[type=file]").set_input_files(later)
    app.page.get_by_text("onerror").first.wait_for()
    measure(app)
    app.page.get_by_text("Matched by row number, 900 items moved").wait_for()
    app.drawn(1)
    assert not app.overflows()
    app.page.reload()
    app.page.get_by_text("Give the data as they are now").wait_for()
    app.assert_clean()
