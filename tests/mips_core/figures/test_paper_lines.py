"""Lines of the paper's figures: what a view says, with intervals around it."""

import pytest

from mips_core.figures.paper_lines import best_line, curves_panel, line_of, look_of, points_line
from mips_core.figures.styles import LOOKS
from mips_core.studies.paper.jackknife import share_of
from mips_core.studies.paper.run import view_of
from tests.mips_core.studies.paper.paper_cases import whole


@pytest.fixture
def view():
    return view_of(whole().sets[0])


def test_the_best_of_a_method_falls_with_the_speedup_and_lies_within_its_interval(view):
    line = best_line(view, "flat", 10)
    values = [spot.y for spot in line.spots]
    assert len(values) > 3
    assert values == sorted(values, reverse=True)
    assert all(0 <= spot.low <= spot.y <= spot.high <= 1 for spot in line.spots)
    assert values[0] == pytest.approx(view.precision("flat", 10, line.spots[0].x))


def test_points_of_a_fixed_p_are_those_that_none_beats(view):
    line = points_line(view, "k-means(2)", "k-means-2", 10)
    assert [spot.x for spot in line.spots] == sorted(spot.x for spot in line.spots)
    assert [spot.y for spot in line.spots] == sorted((s.y for s in line.spots), reverse=True)
    assert all("clusters" in spot.about for spot in line.spots)


def test_other_lines_go_through_the_places_given_and_all_have_looks(view):
    line = line_of(view, "drift", "D", [(0.1, share_of("drift", 0, 0))])
    assert line.spots[0].y == pytest.approx(view.share("drift", 0, 0))
    assert look_of("flat") == "flat-kmeans"
    names = ("short", "default", "wta-hash", "k-means-1", "refreshed")
    assert all(look_of(name) in LOOKS for name in names)
    assert curves_panel("K", [line], 10).y.title == "Precision@10"


@pytest.mark.parametrize("signed", [False, True])
def test_a_difference_may_lie_below_zero(view, signed):
    better, other = share_of("drift", 0, 0), share_of("norms", 0, 0)
    below = line_of(view, "d", "D", [(0.1, lambda v: other(v) - better(v) - 1)], signed)
    [spot] = below.spots
    assert spot.y < 0
    assert (spot.low <= spot.y) == signed
