"""The benchmark of growth measures every work, and reads sizes to move on at off its lines."""

import pytest

from benchmarks.growth import points
from benchmarks.growth.axes import axes
from benchmarks.growth.lines import FARTHEST, PATIENCE, Axial, moves, pays_after
from benchmarks.growth.page import page
from benchmarks.growth.points import (
    ALL,
    BATCH,
    EXACT,
    EXACT_ONE,
    FULL,
    GROWING,
    ONE,
    TREE_ONE,
    TRUTH,
    Point,
    Size,
    measure,
)

TOLD = {"precision": 0.91, "half": 0.01, "speedup": 12.0}
MACHINE = {"processor": "A processor", "cores": 2}


def made_up(**seconds):
    """All axes, with works that take `seconds` a unit of what changes, or 1 ms."""
    return [
        Axial(
            axis,
            [
                Point(size, work, seconds.get(work, 1e-3) * value, 2.0**20, TOLD)
                for size, value in zip(axis.sizes, axis.values, strict=True)
                for work in axis.works
            ],
        )
        for axis in axes(quick=True)
    ]


def test_every_work_is_measured_once(monkeypatch):
    monkeypatch.setattr(points, "LONG", 0.0)
    monkeypatch.setattr(points, "ASKED_ALONE", 2)
    size = Size(n=300, d=6, k=12, m=20)
    found = measure(size, ALL)
    assert sorted(point.work for point in found) == sorted(ALL)
    assert all(point.size == size and point.seconds > 0 for point in found)
    told = {point.work: point.told for point in found}
    assert told[BATCH]["precision"] >= points.ENOUGH
    assert told[GROWING] == told[BATCH]
    assert told[FULL]["speedup"] > 0
    assert [point.work for point in measure(size, (TRUTH,))] == [TRUTH]


def test_sizes_to_move_on_at_are_where_the_lines_say():
    n = 2_000  # within what is measured
    most = axes(quick=True)[0].values[-1]
    items = made_up(
        **{
            EXACT_ONE: PATIENCE["query"] / n,
            TRUTH: PATIENCE["truth"] / (2 * most),
            FULL: PATIENCE["build"] * 2,
            GROWING: 1e-12,
            TREE_ONE: 1e-6,
            ONE: 2e-6,
        }
    )[0]
    query, truth, full, one, batch, machines, memory = moves(items)
    assert (query.size, query.sign) == (pytest.approx(n, rel=1e-3), "")
    assert (truth.size, truth.sign) == (pytest.approx(2 * most, rel=1e-3), "~")
    assert (full.size, full.sign) == (items.axis.values[0], "under ")
    assert one.size == items.axis.values[0]
    assert batch.size is None  # as quick as flat, never quicker
    assert (machines.size, machines.sign) == (FARTHEST * most, "over ")
    a_row = 4 * items.axis.sizes[-1].d + 2**20 / most
    assert memory.size == pytest.approx(16e9 / a_row, rel=1e-3)


def test_an_index_pays_after_as_many_queries_as_make_up_for_its_build():
    items = made_up(**{EXACT: 3.0, BATCH: 1.0, GROWING: 4.0})[0]
    m = items.axis.sizes[0].m
    assert pays_after(items) == [(n, pytest.approx(2 * m)) for n in items.axis.values]
    never = made_up(**{EXACT: 1.0, BATCH: 1.0})[0]
    assert pays_after(never) == [(n, None) for n in never.axis.values]


def test_the_page_has_a_table_for_every_axis():
    text = page(made_up(), MACHINE, {"numpy": "2"})
    for axis in axes(quick=True):
        assert f"## Growth in {axis.name}" in text
        for work in axis.works:
            assert f"| {work} |" in text
    assert "`python -m benchmarks.growth" in text
    assert "`QUICK=1 python -m" in page(made_up(), MACHINE, {"numpy": "2"}, quick=True)
    assert "1.00 ± 0.00" in text
    assert "± 0.0100" in text
    assert "12.0× at 0.910" in text
