"""Pieces of figures: what each of them puts where."""

import numpy as np

from mips_core.figures import pieces
from mips_core.figures.template import LAYOUT


def test_a_band_goes_along_its_upper_end_and_back_along_the_lower_one():
    band = pieces.band(np.array([1.0, 2]), np.array([0.1, 0.2]), np.array([0.3, 0.4]), "$good")
    assert band["x"].tolist() == [1, 2, 2, 1]
    assert band["y"].tolist() == [0.3, 0.4, 0.2, 0.1]
    assert (band["fill"], band["fillcolor"]) == ("toself", "$good@band")


def test_a_hollow_marker_has_a_rim_of_its_own_colour():
    assert pieces.marker("circle", 9, "$good")["line"] == {"width": 1, "color": "$background"}
    assert pieces.marker("circle-open", 9, "$good")["line"] == {"width": 1.5, "color": "$good"}


def test_a_dotted_line_goes_through_all_of_the_picture_or_as_far_as_is_said():
    up, across = pieces.dotted("$text", x=3), pieces.dotted("$text", y=0, layer="below")
    assert [up[name] for name in ("x0", "x1", "yref", "y0", "y1")] == [3, 3, "paper", 0, 1]
    assert [across[name] for name in ("xref", "x0", "x1", "y0", "y1")] == ["paper", 0, 1, 0, 0]
    assert across["layer"] == "below"
    short = pieces.dotted("$text", x=3, yref="y", y1=0.5)
    assert (short["yref"], short["y0"], short["y1"]) == ("y", 0, 0.5)


def test_panels_stand_side_by_side_and_on_a_phone_one_below_the_other():
    layout = pieces.panel_layout(1, 2, 0.1, {"title": {"text": "Items"}}, {"type": "log"})
    assert np.allclose(layout["xaxis2"]["domain"], [0.55, 1])
    assert (layout["xaxis2"]["anchor"], layout["yaxis2"]["anchor"]) == ("y2", "x2")
    assert layout["xaxis2"]["title"] == LAYOUT["xaxis"]["title"] | {"text": "Items"}
    assert pieces.axes_of(0) == {"xaxis": "x", "yaxis": "y"}
    assert pieces.panel_title(1, "Memory", yshift=2)["xref"] == "x2 domain"
    stacked = pieces.stacked(2, 0.1, "Items")
    assert np.allclose(stacked["yaxis"]["domain"], [0.55, 1])
    assert np.allclose(stacked["yaxis2"]["domain"], [0, 0.45])
    assert [stacked[axis]["title"]["text"] for axis in ("xaxis", "xaxis2")] == ["", "Items"]
