"""Searches by the clock: a row for each, the quickest on top."""

from dataclasses import replace

import pytest

from mips_core.figures import wall_clock as clock_figures
from mips_core.figures.styles import resolve, tokens
from mips_core.studies.wall_clock import Clock, Timed
from mips_core.studies.wall_clock.timings import Took


def took(seconds):
    return {
        way: Took(seconds, seconds if way == "one by one" else None, seconds, seconds, 1, 9)
        for way in ("one by one", "batch", "batch, all threads")
    }


def timed(key, kind, speedup, seconds, reached=True):
    cost = None if speedup is None else 400 / speedup
    label = f"Search {key}"
    ends = (0.88, 0.92)
    return Timed(
        key, label, "a setting", kind, reached, 0.9, 0.9, ends, cost, speedup, None, took(seconds)
    )


CLOCK = Clock(
    rows=(
        timed("exact", "exact", 1.0, 1e-3),
        timed("flat-kmeans", "method", 20.0, 2e-4),
        timed("srp-hash", "method", 0.5, 4e-3, reached=False),
        timed("hnswlib-hnsw", "rival", None, 1e-4),
    ),
    **{"data": "small", "simulated": False, "metric": "inner product", "n": 400, "d": 6, "K": 10},
    **{"target": 0.9, "m_chosen": 250, "m_scored": 250, "split": True, "batch": 256, "rounds": 3},
    **{"threads": 2, "processors": 2, "versions": {}, "absent": ()},
)


def test_every_search_has_a_row_with_its_speedups_and_the_quickest_is_on_top():
    drawn = clock_figures.clock_figure(CLOCK)
    resolve(drawn, tokens("light"))
    layout = drawn["layout"]
    names = [name.strip() for name in layout["yaxis"]["ticktext"]]
    assert names == ["─ Search exact", "✚ Search srp-hash, 90%", "● Search flat-kmeans",
                     "♦ Search hnswlib-hnsw"]  # fmt: skip
    marks = {trace["name"]: trace for trace in drawn["data"] if "name" in trace}
    assert marks["clock, one by one"]["x"] == pytest.approx([1.0, 0.25, 5.0, 10.0])
    assert marks["inner products"]["x"] == [1.0, 0.5, 20.0]  # the rival does not tell
    assert marks["inner products"]["y"] == [0, 1, 2]
    low, high = layout["xaxis"]["range"]
    assert 10**low < 0.25
    assert 10**high > 20
    assert "not told" in marks["clock, one by one"]["customdata"][3]


def test_the_height_follows_the_rows_and_narrow_names_are_in_the_same_order():
    fewer = replace(CLOCK, rows=CLOCK.rows[:2])
    assert clock_figures.height(CLOCK) - clock_figures.height(fewer) == 2 * clock_figures.ROW
    names = clock_figures.narrow(CLOCK)["yaxis"]["ticktext"]
    assert [name.strip() for name in names] == ["─ Exact", "✚ SRP-hash, 90%", "● Flat",
                                                "♦ hnswlib HNSW"]  # fmt: skip
