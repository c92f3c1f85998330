"""Queries a second against precision: a curve for each search, with intervals."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core.figures.clock_curves import curves_figure, curves_of
from mips_core.figures.styles import LOOKS, METHODS, resolve, tokens
from mips_core.serving.other_libraries import RIVALS
from tests.mips_core.figures.test_wall_clock import CLOCK, timed

AT = {0.5: (0.52, 1e-4), 0.9: (0.89, 2e-4), 0.99: (0.99, 5e-4)}


def clock(target):
    precision, seconds = AT[target]
    rows = (
        timed("exact", "exact", 1.0, 1e-3),
        timed("product", "exact", 1.0, 2e-3),
        replace(
            timed("flat-kmeans", "method", 9.0, seconds), precision=precision,
            interval=(precision - 0.02, precision + 0.01), setting=f"{target}",
        ),
        replace(timed("hnswlib-hnsw", "rival", None, 1e-4), setting="ef = 10"),
        timed("of nobody", "rival", None, 1e-4),
    )  # fmt: skip
    return replace(CLOCK, rows=rows, target=target)


def test_a_search_is_a_curve_by_rising_precision_and_a_setting_is_drawn_once():
    drawn = curves_figure([clock(0.9), clock(0.5), clock(0.99)])
    resolve(drawn, tokens("dark"))
    ours, theirs = drawn["data"]
    assert (ours["legendgroup"], theirs["legendgroup"]) == ("flat-kmeans", "hnswlib-hnsw")
    assert ours["x"].tolist() == [0.52, 0.89, 0.99]
    assert ours["y"] == pytest.approx([1e4, 5e3, 2e3])
    np.testing.assert_allclose(ours["error_x"]["array"], 0.01)
    np.testing.assert_allclose(ours["error_x"]["arrayminus"], 0.02)
    assert len(theirs["x"]) == 1
    assert "precision@10 0.890 ± 1.5 points" in ours["customdata"][1]
    assert "5,000 queries a second, 200 µs each" in ours["customdata"][1]


def test_what_is_slower_than_the_quicker_exact_search_is_tinted_and_all_is_within_the_axes():
    layout = curves_figure([clock(0.9)])["layout"]
    tint, line = layout["shapes"]
    assert tint["y1"] == line["y0"] == line["y1"] == pytest.approx(1000)
    left, right = layout["xaxis"]["range"]
    assert left < 0.87
    assert right > 1
    low, high = (10**end for end in layout["yaxis"]["range"])
    assert low < 1000
    assert high > 1e4


def test_exact_search_alone_is_no_curve():
    alone = replace(CLOCK, rows=CLOCK.rows[:1])
    assert curves_of([alone]) == {}


def test_every_search_that_can_be_timed_has_a_look_of_its_own():
    assert set(LOOKS) >= {*METHODS, *RIVALS}
    for field in ("symbol", "glyph", "label"):
        assert len({getattr(style, field) for style in LOOKS.values()}) == len(LOOKS)
