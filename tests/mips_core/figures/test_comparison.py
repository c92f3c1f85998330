"""The pictures of the Compare page say what was compared and timed."""

import numpy as np
import pytest

from mips_core.evaluation.setting import Setting
from mips_core.figures.comparison import difference_figure
from mips_core.figures.styles import resolve, tokens
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.comparison import Compared, ScoredBuilds, difference
from mips_core.studies.noise import SPEEDUPS
from mips_core.studies.operating_point import Solved

K, M = 10, 200


METHODS = ("flat-kmeans", "hierarchical-kmeans")


def compared(first, second, builds=3):
    """Two methods that find `first` and `second` of K in the mean, with so many builds."""
    rng = np.random.default_rng(0)
    indexes = (FlatKMeans(n_clusters=20), HierarchicalKMeans())
    both = tuple(
        ScoredBuilds(
            Setting(index, 0, 3),
            K,
            tuple(range(builds)),
            (3,) * builds,
            (30.0,) * builds,
            tuple(rng.binomial(K, share, M) for _ in range(builds)),
        )
        for index, share in zip(indexes, (first, second), strict=True)
    )
    solved = tuple(Solved(one.setting, 30.0, 0.5, reached=True) for one in both)
    return Compared(400, M, True, solved, both, difference(both[0].hits, both[1].hits, K))


def figure(known, at=30):
    drawn = difference_figure(known, METHODS, at, SPEEDUPS)
    resolve(drawn, tokens("dark"))
    return drawn, {trace["name"]: trace for trace in drawn["data"]}


def test_each_winner_is_drawn_in_its_look_and_an_undecided_point_hollow():
    known = {5: compared(0.9, 0.7), 10: compared(0.5, 0.51), 30: compared(0.4, 0.6)}
    _, traces = figure(known)
    first, second = traces["Flat k-means finds more"], traces["Hierarchical k-means finds more"]
    assert (list(first["x"]), list(second["x"])) == ([5], [30])
    assert list(traces["cannot be told apart"]["x"]) == [10]
    assert first["marker"]["color"] == "$flat-kmeans"
    assert traces["cannot be told apart"]["marker"]["color"] == "$background"
    for trace, speedup in ((first, 5), (second, 30)):
        d = known[speedup].difference
        bars = trace["error_y"]
        assert trace["y"][0] == pytest.approx(100 * d.mean)
        assert trace["y"][0] + bars["array"][0] == pytest.approx(100 * d.high)
        assert trace["y"][0] - bars["arrayminus"][0] == pytest.approx(100 * d.low)
        assert "20 clusters, 3 probes" in trace["customdata"][0]


def test_every_build_is_a_dash_and_one_build_has_neither_dash_nor_interval():
    _, traces = figure({5: compared(0.9, 0.7), 30: compared(0.9, 0.7, builds=1)})
    dashes = traces["one build of each"]
    assert list(dashes["x"]) == [5, 5, 5]
    alone = traces["cannot be told apart"]
    assert (list(alone["x"]), alone["error_y"]["array"].tolist()) == ([30], [0.0])
    assert "1 of 3 builds so far" in alone["customdata"][0]


@pytest.mark.parametrize("known", [{}, {5: compared(1.0, 0.0)}, {5: compared(0.5, 0.5)}])
def test_the_axis_holds_all_that_is_drawn_and_both_sides_of_zero(known):
    drawn, traces = figure(known)
    low, high = drawn["layout"]["yaxis"]["range"]
    assert low <= -2
    assert high >= 2
    assert 0 in drawn["layout"]["yaxis"]["tickvals"]
    assert all(((low < t["y"]) & (t["y"] < high)).all() for t in traces.values())
    ends = drawn["layout"]["xaxis"]["range"]
    assert 10 ** ends[0] < SPEEDUPS[0]
    assert SPEEDUPS[-1] < 10 ** ends[1]
