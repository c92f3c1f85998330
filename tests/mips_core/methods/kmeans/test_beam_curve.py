"""What is guessed in float32, or counted for many queries at once, equals the slow definition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.kernels import mark_candidates
from mips_core.methods.clustering.cluster_sums import VANISHED
from mips_core.methods.kmeans import two_means
from mips_core.methods.kmeans.multi import MultiKMeans
from mips_core.methods.kmeans.multi_search import LANES
from mips_core.methods.kmeans.top_down import TopDownKMeans
from mips_core.methods.quantization.codebooks import nearest
from mips_core.methods.quantization.quantized_ranks import ranks_of
from mips_core.methods.trees import ball_descent
from mips_core.methods.trees.ball_descent import descents
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.data_profile import facts

SEEDS = st.integers(0, 2**31)
SHAPES = ["plain", "ties", "repeated", "one huge", "tiny", "close together"]


def vectors(shape, rng, n, d):
    """Items (n, d) of one of SHAPES."""
    X = rng.normal(size=(n, d))
    if shape == "ties":
        X = rng.integers(-1, 2, size=(n, d)).astype(float)
    elif shape == "repeated":
        X = X[rng.integers(0, min(n, 4), n)]
    elif shape == "one huge":
        X[0] *= 1e6
    elif shape == "tiny":
        X *= 1e-22
    elif shape == "close together":
        X = 1 + 1e-7 * X
    return X.astype(np.float32)


def queries(rng, m, d):
    """Queries (m, d), one of them zero and one of whole numbers."""
    Q = rng.normal(size=(m, d))
    Q[0], Q[-1] = 0, np.arange(d) - 1
    return Q.astype(np.float32)


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


@given(SEEDS, st.sampled_from(SHAPES), st.sampled_from([0.0, 0.05]), st.integers(1, 8))
def test_beams_in_one_descent_are_each_as_if_alone(seed, shape, epsilon, leaf_size):
    rng = np.random.default_rng(seed)
    index = TopDownKMeans(leaf_size=leaf_size, epsilon=epsilon)
    searcher = index.searcher(index.build(vectors(shape, rng, 60, 3), rng_for(seed)))
    Q = queries(rng, 3, 3)
    wanted = rng.integers(-1, 60, size=(3, 9))
    outcomes = searcher.outcomes(Q, wanted, 1)
    for effort, (found, costs) in zip(searcher.efforts(), outcomes, strict=True):
        alone = searcher.candidates(Q, effort, 1)
        marked = mark_candidates(wanted, alone.starts, alone.ids, 60)
        np.testing.assert_array_equal(found, marked)
        np.testing.assert_array_equal(sum(costs.values()), alone.cost)


@given(SEEDS, st.sampled_from(["any", "ties", "equal", "close", "far apart"]), st.integers(1, 40))
def test_ranks_count_the_items_that_come_before(seed, kind, m):
    rng = np.random.default_rng(seed)
    tables = rng.normal(size=(m, 2, 4)).astype(np.float32)
    if kind == "ties":
        tables = np.rint(tables)
    elif kind == "equal":
        tables[:] = 0.5
    elif kind == "close":
        tables = 1 + np.float32(2.0**-23) * np.rint(tables)
    elif kind == "far apart":
        tables[:, :, 0] *= np.float32(1e8)
    tables = tables.astype(np.float32)
    codes = rng.integers(0, 4, size=(50, 2)).astype(np.uint8)
    wanted = np.array([rng.permutation(50)[:7] for _ in range(m)])
    wanted[rng.random(wanted.shape) < 0.3] = -1
    ranks = ranks_of(tables, codes, wanted)
    for table, items, row in zip(tables, wanted, ranks, strict=True):
        scores = table[0, codes[:, 0]] + table[1, codes[:, 1]]
        order = sorted(range(50), key=lambda i: (-scores[i], i))
        assert row.tolist() == [order.index(i) if i >= 0 else 50 for i in items]


def test_unions_are_counted_for_every_query_of_a_block():
    rng = np.random.default_rng(1)
    m = 2 * LANES + 3
    X, Q = vectors("plain", rng, 200, 4), queries(rng, m, 4)
    index = MultiKMeans(n_clusters=9)
    searcher = index.searcher(index.build(X, rng_for(0)))
    wanted = rng.integers(-1, 200, size=(m, 5))
    found, costs = searcher.sweep(Q, wanted)
    for at, effort in enumerate(searcher.efforts()):
        alone = searcher.candidates(Q, effort, 1)
        marked = mark_candidates(wanted, alone.starts, alone.ids, 200)
        np.testing.assert_array_equal(found <= at, marked)
        np.testing.assert_array_equal(costs["candidates"][:, at], np.diff(alone.starts))


def in_order(x, y):
    """x.y in float64, summed in order."""
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += float(a) * float(b)
    return total


def two_means_oracle(rows, labels, rounds):
    """Centroids and gaps after these rounds; sums of float64, in order."""
    sums = np.zeros((2, rows.shape[1]))
    for x, label in zip(rows, labels, strict=True):
        sums[label] += x.astype(float)
    centroids = np.zeros(sums.shape, np.float32)
    for _ in range(rounds):
        for side in range(2):
            length = math.sqrt(in_order(sums[side], sums[side]))
            if length >= VANISHED:
                centroids[side] = sums[side] / length
        gaps = [in_order(x, centroids[0]) - in_order(x, centroids[1]) for x in rows]
        moved = [i for i, gap in enumerate(gaps) if int(gap < 0) != labels[i]]
        for i in moved:
            sums[labels[i]] -= rows[i].astype(float)
            labels[i] = 1 - labels[i]
            sums[labels[i]] += rows[i].astype(float)
        if not moved or len(set(labels)) == 1:
            break
    return centroids, gaps


@given(SEEDS, st.sampled_from(SHAPES), st.integers(2, 30), st.integers(1, 6))
def test_two_means_parts_items_as_exact_sums_do(seed, shape, n, rounds):
    rng = np.random.default_rng(seed)
    rows = vectors(shape, rng, n, 3)
    halves = rng.permutation(n) % 2
    centroids, gaps = two_means.two_means(rows, np.arange(n), halves.copy(), rounds)
    expected = two_means_oracle(rows, halves.tolist(), rounds)
    np.testing.assert_array_equal(centroids, expected[0])
    np.testing.assert_array_equal(gaps, expected[1])


@given(SEEDS, st.sampled_from(SHAPES), st.integers(1, 60))
def test_a_rough_gap_is_within_its_slack(seed, shape, d):
    rng = np.random.default_rng(seed)
    rows, centroids = vectors(shape, rng, 10, d), vectors(shape, rng, 2, d)
    apart = centroids[0] - centroids[1]
    for x in rows:
        gap = in_order(x, centroids[0]) - in_order(x, centroids[1])
        slack = two_means._slack(apart, two_means._longest(x[None], np.array([0])))
        assert abs(float(two_means._rough_dot(x, apart)) - gap) <= slack


@given(SEEDS, st.sampled_from(SHAPES), st.integers(1, 12))
def test_the_nearest_codeword_is_that_of_exact_sums(seed, shape, k):
    rng = np.random.default_rng(seed)
    rows = vectors(shape, rng, 20, 3)
    codewords = rows[rng.integers(0, 20, k)].astype(float)
    W = rng.integers(0, 2, size=(3, 3)).astype(float)
    towards = [[sum(W[a, b] * c[b] for b in range(3)) for a in range(3)] for c in codewords]
    halves = [
        sum(c[a] * t[a] / 2 for a in range(3)) for c, t in zip(codewords, towards, strict=True)
    ]
    for x, label in zip(rows, nearest(rows, codewords, W), strict=True):
        scores = []
        for t, half in zip(towards, halves, strict=True):
            score = -half
            for a in range(3):
                score += float(x[a]) * t[a]
            scores.append(score)
        assert label == scores.index(max(scores))


@pytest.mark.parametrize("collide", [False, True])
def test_repeats_are_counted_whether_or_not_hashes_collide(monkeypatch, collide):
    rng = np.random.default_rng(2)
    X = vectors("ties", rng, 500, 4)
    X[::7] *= np.float32(-0.0)
    if collide:
        monkeypatch.setattr(facts, "row_hashes", lambda rng, d: np.zeros(d, np.uint64))
    assert facts._repeats(X) == 500 - len({tuple(x) for x in X.tolist()})
