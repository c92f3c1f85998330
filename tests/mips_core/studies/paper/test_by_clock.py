"""Claim 16 by the clock: which settings are timed, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.paper import by_clock, run
from mips_core.studies.paper.wording import clock_of, rows
from tests.mips_core.studies.paper.paper_cases import N, data, sums, whole


def test_the_cheapest_setting_with_the_precision_is_timed():
    told = sums([0.5, 0.95, 0.97, 0.99], [10, 50, 40, 90])
    assert by_clock.setting_at(told, 0) == (0, 3)
    assert by_clock.setting_at(sums([0.2, 0.6, 0.5], [1, 3, 2]), 0) == (0, 2)  # the most precise


@pytest.fixture
def timed(monkeypatch):
    monkeypatch.setattr(by_clock, "available", list)
    monkeypatch.setattr("mips_core.studies.wall_clock.run.ROUNDS", 1)
    plan = {
        "flat": [FlatKMeans(n_clusters=8)], "hierarchical": [HierarchicalKMeans(n_clusters=16)],
        "pca-tree": INDEXES["pca-tree"].grid(N, 8)[:1],
        "product-quantization": INDEXES["product-quantization"].grid(N, 8)[:1],
    }  # fmt: skip
    every = {name: sums([0.5, 0.95], [10, 50]) for name in plan}
    return by_clock.timed(data().searched, plan, every, (1,), 1)


def test_times_of_all_are_told_and_that_another_library_is_missing(timed):
    words = by_clock.in_words(timed)
    for label in ("Flat k-means", "Hierarchical k-means", "PCA-tree", "Product quantization"):
        assert label in words
    assert "By the clock, at precision@1 of 0.9, a query took on one thread" in words
    assert "ScaNN is not installed: pip install scann adds its time." in words


def test_what_is_slower_or_falls_short_is_said_so(timed):
    def row(each, seconds):
        took = {way: replace(one, seconds=seconds) for way, one in each.took.items()}
        return replace(each, took=took, precision=0.5 if each.key == "pca-tree" else 1.0)

    slow = {"pca-tree": 0.001, "product-quantization": 0.004}
    changed = replace(timed, rows=tuple(row(one, slow.get(one.key, 1.0)) for one in timed.rows))
    words = by_clock.in_words(changed)
    assert "Product quantization: 4.0× as long as PCA-tree takes" in words
    assert "PCA-tree 1.00 ms (at 0.50 only)" in words or "(at 0.50 only)" in words


def test_a_verdict_says_what_the_clock_says_or_that_it_was_not_asked(monkeypatch):
    result = whole()
    assert {row["claim"] for row in rows(result) if row["clock"]} == {16}
    assert "--clock" in next(row["clock"] for row in rows(result) if row["claim"] == 16)
    told = replace(result, clocks={"Few words": "fast"})
    assert {clock_of(told, one) for one in told.judgements} == {"", "fast", by_clock.NOT_TIMED}
    assert np.isfinite(result.comparisons)


def test_a_run_is_timed_only_where_asked(monkeypatch):
    class Measured:
        def __init__(self, data, *more):
            self.data = data

        def run(self, progress):
            yield whole().sets[0]

    monkeypatch.setattr(run, "OneSet", Measured)
    monkeypatch.setattr(run, "_scale", lambda *more: whole().scale)
    monkeypatch.setattr(run, "judged", lambda views: (whole().judgements, 1))
    monkeypatch.setattr(run, "_by_clock", lambda one, progress: "fast")
    assert run.run_paper([data()], None, True).clocks == {}
    assert run.run_paper([data()], None, True, clock=True).clocks == {"Few words": "fast"}
