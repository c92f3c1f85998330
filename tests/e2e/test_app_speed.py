"""The benchmark of the app times what a person sees: a page that came, a picture that moved."""

import pytest

from benchmarks.app_speed import DRAGS, Times, drag, page_labels, visit_pages
from tests.e2e.harness import ROOT
from tests.e2e.test_app import PAGES
from tests.e2e.test_live import all_in, open_curve

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser


def test_visits_and_drags_are_timed(app):
    open_curve(app, "")
    all_in(app)
    labels = page_labels(app.page)
    assert labels[-1] == "Home"
    assert len(labels) == len(PAGES)
    times = Times()
    visit_pages(app, times, ["Methods", "Home"], "second visit")
    for label in ("Methods", "Home"):
        (seconds,) = times.taken[f"page change, second visit: {label}"]
        assert 0 < seconds < 60
    drag(app, times, "Home", moves=4)
    for label, (what, places) in DRAGS.items():
        samples = times.taken[f"drag, Home, {label}: {what}"]
        assert len(samples) >= len(places) - 1
        assert all(0 < seconds < 60 for seconds in samples)
    app.assert_clean()
