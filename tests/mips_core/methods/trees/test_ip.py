"""What is particular to IP-trees: how balls are split, what a descent visits, and exactness."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.errors import Cancelled, ParamError
from mips_core.base.progress import silent
from mips_core.base.seeds import row_hashes, stream
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.methods.search import search
from mips_core.methods.trees import ball_tree as building
from mips_core.methods.trees.ball_descent import NOBODY, keep_best
from mips_core.methods.trees.ball_tree import ball_tree
from mips_core.methods.trees.ip import IPTree
from tests import oracle


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


def clustered(n, d, n_clusters, spread, seed):
    """Items (n, d) around random centres."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_clusters, d))
    noise = spread * rng.normal(size=(n, d))
    return (centres[rng.integers(0, n_clusters, n)] + noise).astype(np.float32)


def exact_rows(index, X, Q, K):
    """Answers at the last effort, which never stops a search early."""
    searcher = index.searcher(index.build(X, rng_for(0)))
    return search(searcher, X, Q, K, searcher.efforts()[-1])[0]


def test_worked_example():
    X = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    tree = IPTree(leaf_size=3).build(X, rng_for(0))
    np.testing.assert_allclose(tree.balls.centres[0], [2 / 3, 2 / 3])
    assert tree.balls.radii[0] == pytest.approx(0.7454, abs=1e-4)
    q = np.array([[2, 1]], np.float32)
    bound = q @ tree.balls.centres[0] + np.linalg.norm(q) * tree.balls.radii[0]
    assert bound == pytest.approx(3.6667, abs=1e-4)
    found = IPTree(leaf_size=3).searcher(tree).candidates(q, 1, 1)
    assert found.cost == [1 + 3]


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


@given(st.integers(0, 2**31), st.integers(1, 60), st.integers(1, 6), st.integers(1, 70))
def test_the_last_effort_is_exact_under_ties(seed, n, leaf_size, K):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, 2)).astype(np.float32)
    Q = rng.integers(-2, 3, size=(3, 2)).astype(np.float32)  # zero queries too: every item ties
    found = exact_rows(IPTree(leaf_size=leaf_size), X, Q, K)
    for q, row in zip(Q, found, strict=True):
        expected = oracle.ranking(X, q)[:K]
        assert list(row[: len(expected)]) == expected


@pytest.mark.parametrize("magnitude", [1e-6, 1.0, 1e6])
def test_rounding_leaves_no_answer_out(magnitude):
    """Items far from zero and close together: bounds differ in their last bits alone."""
    rng = np.random.default_rng(5)
    X = magnitude * (1000 + 1e-4 * rng.integers(-3, 4, size=(200, 40)))
    Q = rng.normal(size=(10, 40)).astype(np.float32)
    X = X.astype(np.float32)
    for q, row in zip(Q, exact_rows(IPTree(leaf_size=1), X, Q, 5), strict=True):
        assert list(row) == oracle.ranking(X, q)[:5]


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


def test_search_in_few_dimensions_is_exact_and_costs_less_than_all_items():
    X = clustered(3000, 3, 30, 0.05, seed=1)
    rows = np.arange(0, 3000, 60)
    own = Dataset(X, X[rows], query_rows=rows)  # no query may find itself
    for dataset in (Dataset(X, clustered(50, 3, 30, 0.3, seed=2)), own):
        truth = truth_of(dataset)
        index = IPTree()
        searcher = index.searcher(index.build(X, rng_for(0)))
        for K in (1, 10):
            curve = evaluate(index, searcher, truth, 0, K=K).curve((K,))
            assert curve.precision(K)[-1] == 1
            assert curve.mean_cost[-1] < 0.3 * len(X)
            assert (np.diff(curve.precision(K)) >= 0).all()
            assert (np.diff(curve.mean_cost) >= 0).all()


def test_it_is_evaluated_for_one_k_at_a_time(items, queries):
    index = IPTree()
    searcher = index.searcher(index.build(items, rng_for(0)))
    truth = truth_of(Dataset(items, queries))
    with pytest.raises(ParamError, match="needs K"):
        evaluate(index, searcher, truth, 0)
    evaluation = evaluate(index, searcher, truth, 0, K=1)
    with pytest.raises(ParamError, match="at K = 1 alone"):
        evaluation.curve((10,))


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


def test_groups_are_nested_and_end_in_the_leaves():
    X = clustered(2000, 3, 20, 0.2, seed=3)
    groups = IPTree().searcher(IPTree().build(X, rng_for(0))).groups()
    assert len(groups) == 4  # at most 250, 31 and 3 items, or a leaf; leaves
    for coarse, fine in pairwise(groups):
        pairs = set(zip(coarse.tolist(), fine.tolist(), strict=True))
        assert len(pairs) == len(set(fine.tolist())) == fine.max() + 1
    assert np.bincount(groups[0]).max() <= 250
    assert np.bincount(groups[-1]).max() <= 20


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


@given(st.integers(1, 6), st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_the_k_best_are_kept_under_strict_order(K, values):
    scores, ids = np.full(K, -np.inf), np.full(K, NOBODY)
    for i in np.random.default_rng(len(values)).permutation(len(values)):
        keep_best(float(values[i]), i, scores, ids)
        assert max((-s, i) for s, i in zip(scores, ids, strict=True))[1] == ids[0]
    kept = sorted((-s, i) for s, i in zip(scores, ids, strict=True) if i != NOBODY)
    assert kept == sorted((-float(v), i) for i, v in enumerate(values))[:K]
