"""Dual-tree search: exact under strict order, by bounds that hold for every query of a cone."""

import ast
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import row_norms
from mips_core.methods.exact import exact_top_k_scores
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.dual_tree import _bound, cone_tree, dual_tree_search
from tests import oracle


def clustered(n, d, n_clusters, spread, seed):
    """Vectors (n, d) around random centres."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_clusters, d))
    noise = spread * rng.normal(size=(n, d))
    return (centres[rng.integers(0, n_clusters, n)] + noise).astype(np.float32)


@given(
    st.integers(0, 2**31), st.integers(1, 60), st.integers(1, 4), st.integers(1, 12), st.booleans()
)
def test_it_is_exact(seed, n, d, K, ties):
    rng = np.random.default_rng(seed)
    X, Q = rng.normal(size=(n, d)), rng.normal(size=(12, d))
    if ties:  # repeated items, repeated directions, zero queries
        X, Q = np.rint(X), np.rint(Q)
    X, Q = X.astype(np.float32), Q.astype(np.float32)
    search = dual_tree_search(IPTree(leaf_size=3).build(X, rng_for(seed)), Q, K)
    ids, scores = exact_top_k_scores(X, Q, K)
    np.testing.assert_array_equal(search.ids, ids)
    np.testing.assert_array_equal(search.scores, scores)
    assert search.cost == (search.pairs + search.scored.sum()) / 12
    assert (search.scored <= n).all()


@pytest.mark.parametrize("magnitude", [1e-6, 1.0, 1e6])
def test_rounding_leaves_no_answer_out(magnitude):
    rng = np.random.default_rng(5)
    X = (magnitude * (1000 + 1e-4 * rng.integers(-3, 4, size=(200, 40)))).astype(np.float32)
    Q = (1e4 + rng.normal(size=(20, 40))).astype(np.float32)  # a cone too narrow for arccos
    search = dual_tree_search(IPTree(leaf_size=1).build(X, rng_for(0)), Q, 5)
    np.testing.assert_array_equal(search.ids, [oracle.ranking(X, q)[:5] for q in Q])


def test_queries_that_point_the_same_way_share_what_they_examine():
    X, Q = clustered(5000, 6, 40, 0.1, seed=1), clustered(300, 6, 8, 0.005, seed=2)
    index = IPTree()
    tree = index.build(X, rng_for(0))
    searcher = index.searcher(tree)
    single = searcher.candidates(Q, searcher.efforts()[-1], 3)
    dual = dual_tree_search(tree, Q, 3)
    assert dual.pairs < 0.7 * single.spent["nodes"].sum()
    assert dual.cost < single.cost.mean()


def test_a_bound_is_the_formula_and_holds_for_every_pair():
    X, Q = clustered(200, 3, 9, 0.3, seed=3), clustered(60, 3, 9, 0.3, seed=4)
    balls = IPTree(leaf_size=5).build(X, rng_for(0)).balls
    cones, members = cone_tree(Q)
    np.testing.assert_array_equal(cones.rows, Q[members])
    unit = cones.rows / row_norms(cones.rows)[:, None]
    for cone, (axis, start, stop) in enumerate(
        zip(cones.axes, cones.starts, cones.stops, strict=True)
    ):
        inside = unit[start:stop]
        half_angle = max(math.acos(min(1.0, oracle.dot(q, axis))) for q in inside)
        for ball, centre in enumerate(balls.centres):
            length = math.hypot(*map(float, centre))
            angle = math.acos(max(-1.0, min(1.0, oracle.dot(axis, centre) / length)))
            formula = length * math.cos(max(0.0, angle - half_angle)) + balls.radii[ball]
            bound = _bound(balls, cones, cone, ball, length)
            assert bound == pytest.approx(formula, abs=1e-5)
            items = balls.rows[balls.starts[ball] : balls.stops[ball]]
            assert (inside @ items.T.astype(float)).max() <= bound


def test_opposite_queries_still_share_a_cone():
    Q = np.array([[1, 0], [-1, 0], [1, 0], [-1, 0]], np.float32)
    cones, _ = cone_tree(Q)
    assert cones.cosines[0] == -1
    X = clustered(40, 2, 5, 0.5, seed=0)
    search = dual_tree_search(IPTree(leaf_size=2).build(X, rng_for(0)), Q, 2)
    np.testing.assert_array_equal(search.ids, [oracle.ranking(X, q)[:2] for q in Q])


def test_queries_of_length_zero_take_no_inner_product():
    X = clustered(30, 2, 5, 0.5, seed=0)
    search = dual_tree_search(IPTree().build(X, rng_for(0)), np.zeros((3, 2), np.float32), 4)
    np.testing.assert_array_equal(search.ids, [[0, 1, 2, 3]] * 3)
    assert search.cost == 0


def test_what_does_not_fit_is_refused():
    tree = IPTree().build(clustered(30, 2, 5, 0.5, seed=0), rng_for(0))
    with pytest.raises(ParamError, match="K is 0"):
        dual_tree_search(tree, np.ones((1, 2), np.float32), 0)
    with pytest.raises(DataError, match="3 dimensions, the items 2"):
        dual_tree_search(tree, np.ones((1, 3), np.float32), 1)


def test_the_code_that_the_methods_page_shows_runs_and_is_exact():
    page = ast.parse((Path(__file__).parents[3] / "pages/methods.py").read_text())
    (code,) = (
        node.value.value
        for node in page.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "DUAL"
    )
    items, queries = clustered(80, 4, 5, 0.3, 1), clustered(7, 4, 3, 0.3, 2)
    names = {"items": items, "queries": queries}
    exec(code, names)
    ids, scores = exact_top_k_scores(items, queries, 10)
    np.testing.assert_array_equal(names["found"].ids, ids)
    np.testing.assert_array_equal(names["found"].scores, scores)
