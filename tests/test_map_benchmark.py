"""The benchmark of the map measures both ways and sets ours against umap-learn's."""

import os
import sys
import time

import numpy as np
import pytest

from benchmarks.map import ROWS, alone, peak, prepare, show
from mips_core.groups.projection import run, umap_process
from mips_core.groups.projection.kept_child import KeptChild


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MIPS_EXPLORER_CACHE", str(tmp_path / "kept"))
    prepare(np.random.default_rng(0).normal(size=(80, 4)).astype(np.float32), tmp_path)
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_our_way_is_timed_to_the_first_picture_and_to_the_last(folder, monkeypatch):
    monkeypatch.setattr(run, "fit_umap", lambda start, *others: start)
    keeper = KeptChild(umap_process._started)
    monkeypatch.setattr(umap_process, "_KEPT", keeper)
    row = alone("ours, reproducible", folder, time.time())
    keeper.end()
    assert len(row["first"]) == len(row["last"]) == 2
    assert all(0 <= first <= last for first, last in zip(row["first"], row["last"], strict=True))
    assert 0.5 < row["trust"] <= 1
    assert row["MB"] > 50


def test_the_table_tells_how_many_times_as_long_ours_takes(capsys):
    mine = {"first": [1.0, 0.5], "last": [3.0, 2.0], "trust": 0.9, "MB": 400}
    other = {"last": [6.0, 8.0], "trust": 0.8, "MB": 300}
    show("words", {"ours, parallel": mine, "umap-learn, parallel": other})
    printed = capsys.readouterr().out
    assert "ours / umap-learn, parallel: cold 0.50, warm 0.25" in printed
    assert set(ROWS) >= {"ours, parallel", "umap-learn, parallel"}


@pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")
def test_a_process_tells_its_peak_of_memory():
    assert peak(os.getpid()) > 10
