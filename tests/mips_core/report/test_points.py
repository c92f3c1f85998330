"""The numbers of a report are those of the curves, and stand in their order."""

from itertools import product

import pytest

from mips_core import INDEXES
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.truth import truth_of
from mips_core.report import (
    html_of,
)
from mips_core.report.sentences import setting_of
from mips_core.studies.best_of_method import best_of_method
from tests.mips_core.report.reports import Page, cells, data, reported, scored


def test_every_number_of_its_tables_is_that_of_the_curve(case, made):
    evaluations, page = case[2], Page(html_of(made))
    for asked, caption in (("precision", "The fewest"), ("speedup", "The highest")):
        told = [row for row in made.targets if row.asked == asked]
        rows = page.rows(caption)
        assert len(rows) == len(told) == 8
        for row, target in zip(rows, told, strict=True):
            told = cells(*scored(evaluations, made, target.measured))
            below = asked == "precision" and target.measured.precision < target.value
            assert row[-4:] == [told[0] + " ✕" * below, *told[1:]]
            assert row[1] == target.method
            assert row[2].startswith("not reached") is not target.reached
    for curve in made.curves:
        group = [e for e in evaluations if e.index.key == curve.key]
        best = best_of_method(group, curve.K)
        for point, mean in zip(curve.points, best, strict=True):
            numbers = ("precision", "low", "high", "cost", "speedup")
            assert [getattr(point, n) for n in numbers] == [getattr(mean, n) for n in numbers]
            words = [s.in_words(made.data.n) for s in mean.settings]
            assert setting_of(made, point) == "; ".join(words)
        if curve.K == 10:
            rows = page.rows(f"{curve.method}: the best")
            assert [row[0] for row in rows] == [setting_of(made, p) for p in curve.points]
            assert [row[-4] for row in rows] == [f"{p.precision:.3f}" for p in curve.points]
    assert {curve.K for curve in made.curves} == {1, 10, 100}


def test_the_ledger_adds_up_and_gives_the_speedup(case, made):
    point = made.point
    curve, at = scored(case[2], made, point.measured)
    assert point.parts == {part: cost[at] for part, cost in curve.costs.items()}
    assert sum(point.parts.values()) == pytest.approx(point.measured.cost, rel=1e-12)
    assert point.measured.speedup == made.data.n / point.measured.cost
    *parts, total = Page(html_of(made)).rows("What a query costs")
    assert total[1] == f"{point.measured.cost:,.0f}"
    spent = [c for c in point.parts.values() if c]
    assert [float(row[1]) for row in parts] == [
        round(c) if c >= 10 else float(f"{c:.2g}") for c in spent
    ]


def test_what_cannot_be_reached_says_the_best_there_is():
    raw, searched = data()
    builder = Builder(searched.items, truth_of(searched), 10)
    hashes = builder.evaluations([INDEXES["srp-hash"](n_bits=16, n_tables=1)], 0)
    report = reported(raw, searched, hashes)
    assert "No setting measured finds 0.95 or more (the best finds" in report.point.chosen
    assert not any(row.reached for row in report.targets if row.asked == "precision")
    assert "not reached; nearest" in html_of(report)


def test_a_curve_goes_by_rising_speedup_and_methods_in_the_order_of_pictures(made):
    for curve in made.curves:
        speedups = [point.speedup for point in curve.points]
        assert len(speedups) > 2
        assert speedups == sorted(set(speedups))
    keys = ("flat-kmeans", "pca-tree")
    assert [(curve.K, curve.key) for curve in made.curves] == list(product((10, 1, 100), keys))
