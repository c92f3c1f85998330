"""An index taken away from Build in a browser, and opened there by another visitor."""

import re

import numpy as np
import pytest

from mips_core import load
from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
INDEX = "index=flat-kmeans:n_clusters=31&index=pca-tree&method=none"
QUERY = "query=query+1&seed=5"


def sentence(app):
    """What Search says of a query, once it was asked."""
    found = app.page.locator(".mx-answers .mx-sentence")
    return found.inner_text() if found.count() else ""


def download(app, button, folder):
    download = app.download(app.page.get_by_role("button", name=button))
    path = folder / download.suggested_filename
    download.save_as(path)
    return path


def upload(app, path, words):
    """Upload a file, and wait until the page says so of it."""
    inputs = app.page.locator("input[type=file]")
    app.until(inputs.count, 1)  # after an upload an empty one takes its place
    app.idle()
    inputs.set_input_files(path)
    app.page.get_by_text(words).wait_for()


def test_an_index_is_taken_away_and_opened_by_another_visitor(app, tmp_path):
    app.goto(f"search?{INDEX}&{QUERY}&effort=4")
    app.until(lambda: "Opening 4 of 31 clusters" in sentence(app))
    app.idle()
    answer = sentence(app)
    app.page.get_by_role("link", name="Build").click()
    mine = download(app, "Download index", tmp_path)
    assert mine.name == "glove-6b-words-flat-kmeans.mips"
    stored = load(mine)
    assert (stored.effort, stored.seed) == (4, 5)

    theirs = download(app, "Download for faiss", tmp_path)
    faiss = pytest.importorskip("faiss", reason="faiss is not installed: pip install faiss-cpu")
    Q = stored.items[:50]
    _, ids = faiss.read_index(str(theirs)).search(Q, 10)
    np.testing.assert_array_equal(ids, stored.search(Q, 10)[0])
    app.page.get_by_role("tab", name="In faiss").click()
    app.page.get_by_text("index.nprobe = 4").wait_for()

    app.goto("build?method=none&index=pca-tree&seed=5&query=query+1")
    app.page.get_by_text("built in").wait_for()  # the page is drawn anew at its end
    upload(app, theirs, "is a file of faiss.")
    upload(app, mine, "flat-kmeans.mips is open.")
    app.page.get_by_text(re.compile("opened from glove-6b-words-flat-kmeans.mips")).wait_for()
    app.until(lambda: app.page.url, lambda url: "effort=4" in url)
    app.page.set_viewport_size({"width": 390, "height": 844})
    app.idle()
    assert not app.overflows()
    app.page.set_viewport_size({"width": 1280, "height": 900})
    app.page.get_by_role("link", name="Search").click()
    app.until(lambda: sentence(app), answer)
    app.assert_clean()
