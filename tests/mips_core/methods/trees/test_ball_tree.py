"""How balls are split, and that none is too small."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.errors import Cancelled
from mips_core.base.progress import silent
from mips_core.base.seeds import row_hashes, stream
from mips_core.methods.search import search
from mips_core.methods.trees import ball_tree as building
from mips_core.methods.trees.ball_tree import ball_tree
from mips_core.methods.trees.ip import IPTree
from tests import oracle
from tests.mips_core.methods.trees.balls import clustered


def split_oracle(X, leaf_size, draws):
    """Nodes in preorder, as lists of items, by the definition; `draws` names the random items."""
    nodes, waiting = [], [list(range(len(X)))]
    while waiting:
        inside = waiting.pop()
        draw = draws[len(nodes)] % len(inside)
        nodes.append(inside)
        if len(inside) <= leaf_size:
            continue
        A = max(inside, key=lambda i: (math.dist(X[i], X[inside[draw]]), -i))
        B = max(inside, key=lambda i: (math.dist(X[i], X[A]), -i))
        if math.dist(X[A], X[B]) == 0:
            continue
        near = [i for i in inside if math.dist(X[i], X[A]) <= math.dist(X[i], X[B])]
        waiting += [[i for i in inside if i not in near], near]
    return nodes


@given(st.integers(0, 2**31), st.integers(1, 30), st.integers(1, 5), st.booleans())
def test_balls_are_split_as_the_definition_says(seed, n, leaf_size, coarse):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n, 2)) if coarse else rng.normal(size=(n, 2))
    X = X.astype(np.float32)
    tree = ball_tree(X, leaf_size, rng_for(seed), silent)
    draws = [int(v) for v in row_hashes(stream(rng_for(seed), "ball tree"), 2 * n)]
    nodes = split_oracle(X, leaf_size, draws)
    balls = tree.balls
    assert len(balls.radii) == len(nodes)
    for node, (start, stop) in enumerate(zip(balls.starts, balls.stops, strict=True)):
        assert set(balls.members[start:stop]) == set(nodes[node])
        if balls.second[node] >= 0:
            assert balls.starts[node + 1] == start
            assert balls.stops[node + 1] == balls.starts[balls.second[node]]
            assert balls.stops[balls.second[node]] == stop
        else:
            assert balls.leaf[node] == list(np.flatnonzero(balls.second < 0)).index(node)
            assert list(balls.members[start:stop]) == nodes[node]
            assert set(tree.labels[nodes[node]]) == {balls.leaf[node]}
    np.testing.assert_array_equal(balls.rows, X[balls.members])


def test_no_score_passes_the_bound_of_its_ball():
    rng = np.random.default_rng(6)
    X = (rng.normal(size=(300, 30)) + 50).astype(np.float32)
    balls = IPTree(leaf_size=1).build(X, rng_for(0)).balls
    assert (balls.radii > 0).all()  # of single items too: a margin for rounding
    for q in rng.normal(size=(5, 30)).astype(np.float32):
        length = math.sqrt(oracle.dot(q, q))
        scores = [oracle.dot(x, q) for x in balls.rows]
        for node, centre in enumerate(balls.centres):
            inside = scores[balls.starts[node] : balls.stops[node]]
            assert max(inside) <= oracle.dot(q, centre) + length * balls.radii[node]


def test_a_place_that_all_items_share_stays_one_leaf():
    tree = IPTree(leaf_size=1).build(np.ones((50, 3), np.float32), rng_for(0))
    assert tree.n_leaves == 1
    X = np.repeat(np.eye(3, dtype=np.float32), 20, axis=0)
    assert IPTree(leaf_size=1).build(X, rng_for(0)).n_leaves == 3


def test_trees_may_be_as_deep_as_items_are_many():
    X = np.float32(2.0) ** np.arange(-120, 40, dtype=np.float32)[:, None]  # each split peels one
    index = IPTree(leaf_size=1)
    searcher = index.searcher(index.build(X, rng_for(0)))
    assert searcher.tree.n_leaves == len(X)
    Q = np.array([[1], [-1]], np.float32)
    ids, _ = search(searcher, X, Q, 2, searcher.efforts()[-1])
    np.testing.assert_array_equal(ids, [[159, 158], [0, 1]])
    assert len(searcher.groups()) < 5


def test_a_build_is_cancelled_between_two_splits(monkeypatch):
    monkeypatch.setattr(building, "REPORT_EVERY", 100)
    calls = []

    def stop(fraction, message, partial=None):
        calls.append(fraction)
        if len(calls) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        IPTree().build(clustered(500, 3, 20, 0.2, seed=3), rng_for(0), stop)
    assert calls == sorted(calls)
    assert 0 <= calls[-1] < 0.7
