"""What is asked of all vectors in parts, in a browser, done by a cluster of one worker."""

import shlex
import subprocess
import sys

import numpy as np
import pytest

from mips_core.data.folder import FILES
from mips_core.scale.write_parts import write_parts
from tests.e2e.harness import ROOT, AppPage, Server

APP = ROOT / "app.py"
OWN_SERVER = True  # with a cluster beneath
pytestmark = pytest.mark.browser
N, D = 24_000, 12


@pytest.fixture
def cluster(monkeypatch):
    """A worker; while it starts, so does what needs it. Its address and certificate are set."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mips_core", "parts", "cluster", "--workers", "1",
         "--memory-limit", "1GB"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        for _ in range(4):
            name, value = shlex.split(process.stdout.readline())[1].split("=", 1)
            monkeypatch.setenv(name, value)
        yield
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@pytest.fixture
def manifest(tmp_path, monkeypatch):
    """Of parts that are opened at start, as a sample."""
    X = np.random.default_rng(0).normal(size=(N, D)).astype(np.float32)
    manifest = write_parts([("X", X)], tmp_path / "words", rows=9_000)
    monkeypatch.setenv("MIPS_MAX_FILE_BYTES", "1MB")
    monkeypatch.setenv(FILES, str(manifest.path))
    return manifest


def test_all_is_built_by_the_cluster_where_a_sample_is_open(browser, manifest, cluster, tmp_path):
    with Server(APP, tmp_path / "log.txt") as server:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        app = AppPage(context.new_page(), server.url)
        app.goto("build?index=flat-kmeans:n_clusters=40&method=flat-kmeans")
        done = app.page.get_by_text("Flat k-means on all 24,000 vectors")
        app.page.get_by_text("by the cluster").first.wait_for(timeout=30_000)
        app.press(app.page.get_by_role("button", name="Build on all"), done)
        (run,) = manifest.path.parent.glob("run-*")
        app.page.get_by_text(run.name).wait_for()
        app.idle()
        app.assert_clean()
        context.close()
