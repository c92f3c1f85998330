"""Curves: the frontier, and rows that say what the JSON says."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core import compare, frontier
from mips_core.evaluation.curve import Curve, Point
from tests.mips_core.evaluation.random_data import METHODS, random_dataset


def test_the_frontier_is_what_nothing_beats():
    curves = compare(METHODS, random_dataset(), ks=(10,))
    kept = [
        (curves[p.curve].speedup[p.at], curves[p.curve].precision(10)[p.at])
        for p in frontier(curves, 10)
    ]
    everything = [(s, v) for c in curves for s, v in zip(c.speedup, c.precision(10), strict=True)]
    beaten = {
        (s, v)
        for s, v in everything
        for t, w in everything
        if t >= s and w >= v and (t, w) != (s, v)
    }
    assert set(kept) == set(everything) - beaten
    assert kept == sorted(kept)


def frontier_by_definition(curves, K):
    """From the cheapest not: one point after another, by falling speedup, then precision."""
    points = [
        (-float(curve.speedup[at]), -float(precision), Point(number, at))
        for number, curve in enumerate(curves)
        if K in curve.histograms
        for at, precision in enumerate(curve.precision(K))
    ]
    best_points, best = [], -1.0
    for _, negative, point in sorted(points, key=lambda entry: entry[:2]):
        if -negative > best:
            best = -negative
            best_points.append(point)
    return best_points[::-1]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([5, 10]),
            st.lists(st.tuples(st.integers(1, 6), st.integers(0, 4)), min_size=1, max_size=6),
        ),
        max_size=4,
    )
)
def test_the_frontier_is_found_as_from_one_point_after_another(measured):
    curves = []
    for K, points in measured:
        costs = {"all": np.array([float(cost) for cost, _ in points])}
        hits = np.zeros((len(points), K + 1), int)
        hits[np.arange(len(points)), [found for _, found in points]] = 1
        curves.append(Curve(METHODS[0], 0, 6, 1, np.arange(len(points)), costs, {K: hits}, {}))
    assert frontier(curves, 10) == frontier_by_definition(curves, 10)
