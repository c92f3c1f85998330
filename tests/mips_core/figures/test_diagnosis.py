"""The pictures of a diagnosis: what is drawn where, and that it is cut nowhere."""

import numpy as np
import pytest

from mips_core.figures.diagnosis import axis_start, more_figure, narrow, rates_figure
from mips_core.studies.misses import MoreEffort, Rates
from mips_core.studies.misses.rates import rate_interval

HITS, TRIALS = np.array([[3, 0, 9]] * 20), np.array([[4, 0, 9]] * 20)


def rates(edges=("1", "2", "3", "4")):
    answers, found = TRIALS.sum(axis=0), HITS.sum(axis=0)
    queries = np.count_nonzero(TRIALS, axis=0)
    names = ["1 to 2", "2 to 3", "3 to 4"]
    return Rates(names, edges, "items", answers, found, queries, rate_interval(HITS, TRIALS))


def test_each_class_with_answers_is_a_dot_with_its_interval():
    figure = rates_figure(rates(), "flat-kmeans", "By item", "norm", overall=0.9, start=0.5)
    (dots,), layout = figure["data"], figure["layout"]
    assert dots["x"].tolist() == [0, 2]
    assert dots["y"] == pytest.approx([0.75, 1.0])
    low = dots["y"] - dots["error_y"]["arrayminus"]
    high = dots["y"] + dots["error_y"]["array"]
    assert np.stack([low, high], axis=1) == pytest.approx(rates().interval[[0, 2]])
    assert dots["customdata"][0].endswith("80 true answers, 20 queries")
    assert layout["xaxis"]["tickvals"] == [-0.5, 0.5, 1.5, 2.5]
    assert layout["xaxis"]["ticktext"] == ["1", "2", "3", "4"]
    assert layout["shapes"][0]["y0"] == 0.9
    assert layout["annotations"][1]["text"].endswith("of all 90.0%")


def test_classes_without_edges_are_named_and_many_edges_are_thinned():
    named = rates_figure(rates(()), "flat-kmeans", "By item", "hits", overall=0.9, start=0.0)
    assert named["layout"]["xaxis"]["tickvals"] == [0, 1, 2]
    assert named["layout"]["xaxis"]["ticktext"] == ["1 to 2", "2 to 3", "3 to 4"]
    assert narrow(rates(()), "hits")["xaxis"]["ticktext"] == ["1 to 2", "2 to 3", "3 to 4"]
    many = narrow(rates([str(i) for i in range(11)]), "norm")["xaxis"]
    assert many["ticktext"] == ["0", "2", "4", "6", "8", "10"]
    assert many["tickvals"] == [-0.5, 1.5, 3.5, 5.5, 7.5, 9.5]


def test_one_axis_shows_every_interval():
    some = rates()
    start = axis_start([None, some])
    assert start <= np.nanmin(some.interval) < 1
    assert start in (0.5, 0.8)
    assert axis_start([None]) == 0


def test_more_effort_is_a_curve_from_nothing_to_what_can_be_found():
    more = MoreEffort(6, ("probe", "probes"), 40, np.array([8, 12, 13]), np.array([10, 20, 30]),
                      np.zeros(3, int), 10)  # fmt: skip
    figure = more_figure(more, "flat-kmeans")
    (line,), layout = figure["data"], figure["layout"]
    assert line["x"].tolist() == [6, 8, 12, 13]
    assert line["y"].tolist() == [0, 0.25, 0.5, 0.75]
    assert layout["xaxis"]["tickvals"] == [6, 12]
    assert layout["annotations"][1]["text"].endswith("no effort finds 25.0%")
    level, twice = layout["shapes"]
    assert level["y0"] == 0.75
    assert (twice["x0"], twice["y1"]) == (12, 0.5)
