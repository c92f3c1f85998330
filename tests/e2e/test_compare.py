"""Compare in a browser: two methods, a speedup that is dragged, and the clock."""

import numpy as np
import pytest

from mips_core.studies.noise import SPEEDUPS
from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
# Both are built in no time.
QUICK = (
    "compare?queries=rows+60+0.1+no&method=pca-tree&compare=first%3Dpca-tree,second%3Dlargest-norm"
)


def sentence(app):
    """What the page says of the two at the speedup of its slider."""
    found = app.page.locator(".st-key-compare-sentence p").first
    return found.inner_text() if found.count() else ""


def test_dragging_the_speedup_changes_the_sentence(app):
    app.goto(QUICK)
    app.until(lambda: "95% interval" in sentence(app), seconds=60)
    assert sentence(app).startswith("At 30×, PCA-tree keeps")
    app.drawn(1)
    thumb = app.page.get_by_role("slider", name="At the speedup")
    box = thumb.bounding_box()
    middle = box["y"] + box["height"] / 2

    def place(rung):
        return box["x"] + 10 + rung / (len(SPEEDUPS) - 1) * (box["width"] - 20)

    app.page.mouse.move(place(SPEEDUPS.index(30)), middle)
    app.page.mouse.down()
    for speedup in (15, 5):  # it follows before the slider is let go
        app.page.mouse.move(place(SPEEDUPS.index(speedup)), middle, steps=4)
        app.until(lambda speedup=speedup: sentence(app).startswith(f"At {speedup}×, "))
    app.page.mouse.up()
    app.until(lambda: app.page.url, lambda url: "speedup%3D5" in url)
    app.assert_clean()


def test_it_opens_with_the_setting_in_use_at_its_speedup(app):
    few = "queries=rows+60+0.1+no&method=pca-tree&index=largest-norm&effort=2800"
    app.goto(f"compare?{few}")
    app.until(lambda: "95% interval" in sentence(app), seconds=60)
    said = sentence(app)
    assert "Largest norms" in said
    assert not any(said.startswith(f"At {speedup}×, ") for speedup in SPEEDUPS)
    app.page.get_by_role("tab", name="Runs").click()
    app.page.get_by_role("button", name="Keep this run").wait_for()
    app.until(lambda: app.page.url, lambda url: "first%3Dlargest-norm" in url and "runs" in url)
    app.assert_clean()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_another_method_is_chosen_and_the_link_reopens_it(app):
    app.goto(QUICK)
    app.page.get_by_role("combobox", name="Another method").click()
    app.page.get_by_role("option", name="PCA-tree").click()
    app.page.get_by_text("PCA-tree is chosen twice").wait_for()
    app.page.get_by_role("combobox", name="One method").click()
    app.page.get_by_role("option", name="Largest norms").click()
    app.until(lambda: sentence(app).startswith("At 30×, PCA-tree keeps"), seconds=60)
    app.until(lambda: app.page.url, lambda url: "first%3Dlargest-norm" in url)
    assert not app.overflows()
    app.page.reload()
    app.until(lambda: sentence(app).startswith("At 30×, PCA-tree keeps"))
    app.assert_clean()


def test_a_timing_can_be_cancelled(app):
    app.goto(
        "compare?compare=view%3Dclock&method=ip-tree&method=wta-hash&seed=94"
    )  # slow enough to be cancelled
    cancel = app.page.locator(".st-key-cancel-clock button")
    app.press(app.page.get_by_role("button", name="Time them", exact=True), cancel)
    app.press(cancel, app.page.get_by_text("What was measured stays."))
    app.assert_clean()


def test_searches_are_timed(app, tmp_path):
    np.save(tmp_path / "few.npy", np.random.default_rng(0).normal(size=(300, 6)))
    app.goto("data")
    app.page.get_by_text("Upload", exact=True).first.click()
    app.page.locator("input[type=file]").set_input_files(tmp_path / "few.npy")
    app.page.get_by_role("button", name="Use this data").click()
    app.until(app.page.locator(".st-key-context").inner_text, lambda text: "few" in text)
    app.page.get_by_role("link", name="Compare").click()
    app.page.get_by_role("tab", name="The clock").click()
    time_them = app.page.get_by_role("button", name="Time them", exact=True)
    again = app.page.get_by_role("button", name="Time them again")
    app.press(time_them, app.page.locator(".st-key-cancel-clock button").or_(again))
    again.wait_for(timeout=60_000)
    app.drawn(2)
    curves, marks = ({trace["name"] for trace in figure["traces"]} for figure in app.figures())
    assert "Flat k-means" in curves
    assert {"inner products", "clock, one by one", "clock, in a batch"} <= marks
    app.page.get_by_text("all threads are").wait_for()
    half = app.page.get_by_text("At a precision of 0.5: ")
    app.press(app.page.get_by_role("radio", name="50%"), half)
    app.until(lambda: app.page.url, lambda url: "view%3Dclock" in url and "precision%3D0.5" in url)
    assert time_them.count() == 0  # it is timed already
    app.assert_clean()
