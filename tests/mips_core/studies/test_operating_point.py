"""Solving for a speedup or a precision: what is chosen, on which queries, and what is nearest."""

from dataclasses import dataclass
from math import log
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import Dataset, evaluate, rng_for, truth_of
from mips_core.evaluation.curve import Curve
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.setting import Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.operating_point import NEAR, Solved, at_precision, at_speedup

INDEXES = [FlatKMeans(n_clusters=k) for k in (10, 25, 60)] + [HierarchicalKMeans(n_clusters=64)]


def evaluations(m=60, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(900, 6)) * rng.lognormal(size=(900, 1))).astype(np.float32)
    dataset = Dataset(X, rng.normal(size=(m, 6)).astype(np.float32))
    truth = truth_of(dataset)
    return [
        evaluate(index, index.searcher(index.build(X, rng_for(0))), truth, 0) for index in INDEXES
    ]


def every_point(tried, K, fold):
    for e in tried:
        curve = e.curve((K,), fold)
        for at, effort in enumerate(e.efforts):
            yield Setting(e.index, 0, effort), curve.speedup[at], curve.precision(K)[at]


@pytest.mark.parametrize("m", [60, FEWEST_TO_SPLIT - 1])
@pytest.mark.parametrize("speedup", [2, 5, 8, 15])
def test_the_most_precise_setting_near_the_speedup_is_chosen_on_half_of_the_queries(m, speedup):
    tried = evaluations(m)
    solved = at_speedup(tried, 10, speedup)
    points = list(every_point(tried, 10, 0 if m >= FEWEST_TO_SPLIT else None))
    near = [(p, s) for _, s, p in points if NEAR[0] * speedup <= s <= NEAR[1] * speedup]
    assert solved.reached == bool(near)
    if near:
        assert (solved.precision, solved.speedup) == max(near)
    assert (solved.setting, solved.speedup, solved.precision) in points


@pytest.mark.parametrize("speedup", [1e-3, 1e4])
def test_a_speedup_out_of_reach_gives_the_nearest_and_says_so(speedup):
    tried = evaluations()
    solved = at_speedup(tried, 10, speedup)
    speedups = [s for _, s, _ in every_point(tried, 10, 0)]
    assert not solved.reached
    assert solved.speedup == (min(speedups) if speedup < 1 else max(speedups))


@pytest.mark.parametrize("precision", [0.3, 0.8, 0.95, 1.0])
def test_the_cheapest_setting_with_the_precision_is_chosen(precision):
    tried = evaluations()
    solved = at_precision(tried, 10, precision)
    enough = [(s, p) for _, s, p in every_point(tried, 10, 0) if p >= precision]
    assert solved.reached
    assert (solved.speedup, solved.precision) == max(enough)


def test_a_precision_out_of_reach_gives_the_best_there_is():
    tried = evaluations()
    cut = [e for e in tried if e.index.key == "hierarchical-kmeans"]
    best = max(p for _, _, p in every_point(cut, 10, 0))
    assert at_precision(cut, 10, best).reached
    solved = at_precision(cut, 10, best + 1e-6)
    assert (solved.precision, solved.reached) == (best, False)


@dataclass
class Tried:
    """What solving reads of an evaluation, with the numbers given."""

    index: object
    seed: int
    points: list
    truth = SimpleNamespace(m=FEWEST_TO_SPLIT)

    def curve(self, ks, fold):
        assert (ks, fold) == ((10,), 0)
        efforts = np.arange(1, len(self.points) + 1)
        costs = {"all": np.array([1 / speedup for speedup, _ in self.points])}
        histograms = {10: np.array([[0, 0]] * len(self.points))}
        curve = Curve(self.index, self.seed, 1, 1, efforts, costs, histograms, {})
        curve.read_off["precision", 10] = np.array([precision for _, precision in self.points])
        return curve


def by_definition(tried, goal, value):
    """What is chosen, from one point after another."""
    points = []
    for one in tried:
        curve = one.curve((10,), 0)
        for at, effort in enumerate(curve.efforts.tolist()):
            setting = Setting(one.index, one.seed, effort)
            points.append((setting, float(curve.speedup[at]), float(curve.precision(10)[at])))
    if goal is at_speedup:
        enough = [p for p in points if NEAR[0] * value <= p[1] <= NEAR[1] * value]
        best = max(enough, key=lambda p: (p[2], p[1]), default=None)
        other = min(points, key=lambda p: abs(log(p[1] / value)))
    else:
        enough = [p for p in points if p[2] >= value]
        best = max(enough, key=lambda p: (p[1], p[2]), default=None)
        other = max(points, key=lambda p: (p[2], p[1]))
    return Solved(*(best or other), reached=best is not None)


SOME = [0.25, 0.5, 0.9, 1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 8.0]  # so that many tie, and some mirror
SPEEDUPS = st.one_of(st.sampled_from(SOME), st.floats(1e-3, 1e6))
PRECISIONS = st.one_of(st.sampled_from([0.0, 0.5, 0.9, 1.0]), st.floats(0, 1))


@given(
    st.lists(
        st.lists(st.tuples(SPEEDUPS, PRECISIONS), min_size=1, max_size=6), min_size=1, max_size=4
    ),
    st.one_of(
        st.tuples(st.just(at_speedup), SPEEDUPS), st.tuples(st.just(at_precision), PRECISIONS)
    ),
)
def test_what_is_chosen_is_what_one_point_after_another_gives(points, goal):
    tried = [Tried(INDEXES[0], seed, one) for seed, one in enumerate(points)]
    solve, value = goal
    assert solve(tried, 10, value) == by_definition(tried, solve, value)


def test_a_setting_says_what_it_is():
    assert Setting(FlatKMeans(n_clusters=25), 0, 1).in_words(900) == "25 clusters, 1 probe"
    assert Setting(FlatKMeans(n_clusters=25), 0, 3).in_words(900) == "25 clusters, 3 probes"
