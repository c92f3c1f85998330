"""The graph handed to UMAP: against the definition, and against what umap-learn makes of it."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from mips_core.groups.projection import umap_graph
from mips_core.groups.projection.layout import ProjectionRecipe
from mips_core.groups.projection.neighbours import Neighbours
from mips_core.groups.projection.umap_graph import curve_of, graph_of, random_state_of, start_of

EVERY_EDGE = 10**9  # epochs


def brute_neighbours(X, k):
    d = np.sqrt(((X[:, None].astype(np.float64) - X[None]) ** 2).sum(axis=2))
    d[np.arange(len(X)), np.arange(len(X))] = -1  # itself first
    ids = np.argsort(d, axis=1, kind="stable")[:, :k]
    distances = np.maximum(np.take_along_axis(d, ids, axis=1), 0)
    return Neighbours(ids.astype(np.int32), distances.astype(np.float32), exact=True)


def dense(graph, n):
    """The weights, the heaviest 1."""
    weights = np.zeros((n, n))
    weights[graph.head, graph.tail] = 1 / graph.every
    return weights


def defined_weights(neighbours):
    """Algorithm 3 of the paper row by row, then the fuzzy union, then the heaviest made 1."""
    n, k = neighbours.ids.shape
    views = np.zeros((n, n))
    for i in range(n):
        d = neighbours.distances[i, 1:].astype(np.float64)
        beyond = np.maximum(d - d[d > 0].min(initial=np.inf if (d > 0).any() else 0), 0)

        def excess(log_sigma, beyond=beyond):
            return np.exp(-beyond / np.exp(log_sigma)).sum() - np.log2(k)

        views[i, neighbours.ids[i, 1:]] = np.exp(-beyond / np.exp(brentq(excess, -40, 40)))
    union = views + views.T - views * views.T
    return union / union.max()


@pytest.mark.parametrize(("n", "d", "k"), [(40, 3, 6), (25, 1, 25), (300, 8, 15)])
def test_weights_are_those_of_the_definition(n, d, k):
    X = np.random.default_rng(n).normal(size=(n, d)).astype(np.float32)
    neighbours = brute_neighbours(X, k)
    found = dense(graph_of(neighbours, EVERY_EDGE), n)
    np.testing.assert_allclose(found, defined_weights(neighbours), atol=2e-5)


# umap.umap_.fuzzy_simplicial_set of 0.5.12 on these neighbours, row by row above the diagonal
OF_UMAP_LEARN = [1, 1, 0.25457, 0, 0, 0.950888, 0.306266, 0, 1e-6, 0.160364, 5e-6, 0, 1, 1, 1]


def test_weights_are_those_of_umap_learn():
    X = np.array([[0, 0], [1, 0], [0, 2], [4, 4], [4, 4], [5, 3]], np.float32)
    weights = dense(graph_of(brute_neighbours(X, 4), EVERY_EDGE), 6)
    np.testing.assert_allclose(weights[np.triu_indices(6, 1)], OF_UMAP_LEARN, atol=1e-6)


@given(st.integers(0, 2**31))
def test_edges_go_both_ways_and_none_leads_to_itself(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (rng.integers(4, 40), 2)).astype(np.float32)  # many are equal
    graph = graph_of(brute_neighbours(X, min(6, len(X))), EVERY_EDGE)
    weights = dense(graph, len(X))
    assert np.isfinite(graph.every).all()
    assert graph.every.min() == 1
    np.testing.assert_array_equal(weights, weights.T)
    assert not weights.diagonal().any()
    assert weights.any(axis=1).all()  # each has a neighbour to hold on to


def test_edges_too_light_to_be_drawn_once_are_left_out():
    X = np.random.default_rng(3).normal(size=(100, 4)).astype(np.float32)
    neighbours = brute_neighbours(X, 15)
    whole, used = graph_of(neighbours, EVERY_EDGE), graph_of(neighbours, 5)
    assert used.every.max() <= 5 < whole.every.max()
    np.testing.assert_array_equal(used.every, whole.every[whole.every <= 5])
    assert used.head.dtype == used.tail.dtype == np.int32


@pytest.mark.parametrize(
    ("min_dist", "a", "b"), [(0.1, 1.576943, 0.895061), (0.5, 0.583030, 1.334167)]
)
def test_the_curve_is_umap_learns(min_dist, a, b):
    assert curve_of(min_dist) == pytest.approx((a, b), abs=1e-5)


def test_the_usual_curve_is_known_and_is_what_the_fit_gives(monkeypatch):
    usual = ProjectionRecipe().min_dist
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "scipy.optimize", None)
        known = curve_of.__wrapped__(usual)
    monkeypatch.setattr(umap_graph, "FITTED", {})
    assert curve_of.__wrapped__(usual) == pytest.approx(known, rel=1e-9)


def test_the_start_fills_a_square_and_parts_what_shares_a_place():
    layout = np.array([[5, 1], [7, 1], [7, 1], [6, 1]], np.float32)
    start = start_of(layout, seed=0)
    assert start.dtype == np.float32
    np.testing.assert_allclose(start, [[0, 0], [10, 0], [10, 0], [5, 0]], atol=1e-3)
    assert len(np.unique(start, axis=0)) == 4
    np.testing.assert_array_equal(start, start_of(layout, seed=0))
    assert (start != start_of(layout, seed=1)).any()


def test_random_states_differ_by_seed():
    states = {tuple(random_state_of(seed)) for seed in range(50)}
    assert len(states) == 50
