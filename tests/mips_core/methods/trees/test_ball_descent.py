"""The descent of a ball tree: what is guessed in float32 equals the slow definition."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.methods.trees import ball_descent
from mips_core.methods.trees.ball_descent import NOBODY, descents, keep_best
from mips_core.methods.trees.ip import IPTree
from tests import oracle
from tests.mips_core.methods.hard_vectors import SEEDS, SHAPES, queries, vectors


@given(SEEDS, st.sampled_from(SHAPES), st.integers(1, 40), st.integers(1, 45))
def test_a_descent_goes_the_same_way_with_and_without_guesses(seed, shape, n, K):
    rng = np.random.default_rng(seed)
    tree = IPTree(leaf_size=3).build(vectors(shape, rng, n, 3), rng_for(seed))
    Q = queries(rng, 5, 3)
    guessed, exact = (
        descents(tree.balls, Q, min(K, n), tree.n_leaves, ahead=ahead) for ahead in (True, False)
    )
    np.testing.assert_array_equal(guessed, exact)


def test_queries_are_foreseen_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    X, Q = vectors("plain", rng, 3000, 4), queries(rng, 20, 4)
    tree = IPTree().build(X, rng_for(0))
    whole = descents(tree.balls, Q, 5, tree.n_leaves, ahead=True)
    monkeypatch.setattr(ball_descent, "AHEAD", 8)
    np.testing.assert_array_equal(descents(tree.balls, Q, 5, tree.n_leaves, ahead=True), whole)


def descent_oracle(X, nodes, second, q, K):
    """Items scored, leaf by leaf, and bounds evaluated by then and in all, by the definition."""

    def bound(node):
        rows = [[float(v) for v in X[i]] for i in nodes[node]]
        centre = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        radius = max(math.dist(row, centre) for row in rows)
        return oracle.dot(q, centre) + math.hypot(*map(float, q)) * radius

    waiting, scored, bounded, best, count = [(bound(0), 0)], [], [], [], 1
    while waiting:
        most, node = waiting.pop()
        if len(best) == K and most < best[-1]:
            continue
        if second[node] < 0:
            scored.append(nodes[node])
            bounded.append(count)
            best += [oracle.dot(X[i], q) for i in nodes[node]]
            best = sorted(best, reverse=True)[:K]
            continue
        count += 2
        children = [(bound(second[node]), second[node]), (bound(node + 1), node + 1)]
        waiting += sorted(children, key=lambda child: child[0])
    return scored, bounded, count


@given(st.integers(0, 2**31), st.integers(1, 40), st.integers(1, 4), st.integers(1, 45))
def test_a_descent_visits_what_the_definition_says(seed, n, leaf_size, K):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).astype(np.float32)
    q = rng.normal(size=3).astype(np.float32)
    index = IPTree(leaf_size=leaf_size)
    tree = index.build(X, rng_for(seed))
    searcher = index.searcher(tree)
    balls = tree.balls
    nodes = [balls.members[a:b].tolist() for a, b in zip(balls.starts, balls.stops, strict=True)]
    scored, bounded, total = descent_oracle(X, nodes, balls.second, q, K)
    for effort in searcher.efforts():
        found = searcher.candidates(q[None], effort, K)
        assert list(found.ids) == [i for leaf in scored[:effort] for i in leaf]
        spent = bounded[effort - 1] if effort <= len(scored) else total
        assert found.spent["nodes"] == [spent]
        assert found.cost == [spent + len(found.ids)]


@given(st.integers(1, 6), st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_the_k_best_are_kept_under_strict_order(K, values):
    scores, ids = np.full(K, -np.inf), np.full(K, NOBODY)
    for i in np.random.default_rng(len(values)).permutation(len(values)):
        keep_best(float(values[i]), i, scores, ids)
        assert max((-s, i) for s, i in zip(scores, ids, strict=True))[1] == ids[0]
    kept = sorted((-s, i) for s, i in zip(scores, ids, strict=True) if i != NOBODY)
    assert kept == sorted((-float(v), i) for i, v in enumerate(values))[:K]
