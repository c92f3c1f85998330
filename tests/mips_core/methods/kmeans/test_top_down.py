"""Top-down k-means: how nodes are split, what is copied, what a beam over uneven leaves finds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import PadToSphere, PaperAugment, Plain, compare, rng_for
from mips_core.data.catalog import load
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.kmeans.top_down import TopDownKMeans
from mips_core.methods.kmeans.top_down_beams import leaves_of, outcomes_of
from mips_core.methods.kmeans.top_down_search import TopDownSearcher
from mips_core.methods.kmeans.top_down_tree import MAX_DEPTH, SplitTree
from mips_core.methods.kmeans.two_means import two_means
from tests import oracle


def beam_search(centroids, children, held, q, p):
    """The definition: candidates and cost of a beam that keeps p nodes, leaves among them."""
    beam, cost = [0], 0
    while any(children[node] >= 0 for node in beam):
        reached = []
        for node in beam:
            if children[node] < 0:
                reached.append(node)
            else:
                reached += [children[node], children[node] + 1]
                cost += 2
        scores = {
            node: sum(float(a) * float(b) for a, b in zip(q, centroids[node], strict=True))
            for node in reached
        }
        beam = sorted(reached, key=lambda node: (-scores[node], node))[:p]
    found = {item for leaf in beam for item in held[leaf]}
    return found, cost + len(found)


def split(rows, items, c0, c1, margin):
    """The definition: both children's items; a tenth of the smaller, within reach, is copied."""
    gaps = {}
    for i in items:
        first = second = 0.0
        for x, a, b in zip(rows[i], c0, c1, strict=True):
            first += float(x) * float(a)
            second += float(x) * float(b)
        gaps[i] = first - second
    sides = [i for i in items if gaps[i] >= 0], [i for i in items if gaps[i] < 0]
    copied = []
    for side in sides:
        near = sorted((abs(gaps[i]), i) for i in side if 0 < abs(gaps[i]) < margin)
        copied.append([i for _, i in near[: min(map(len, sides)) // 10]])
    return sorted(sides[0] + copied[1]), sorted(sides[1] + copied[0])


def held(tree):
    """Items of every leaf, and of every other node those of the leaves below it."""
    items = {
        node: set(tree.members[tree.starts[node] : tree.starts[node + 1]])
        for node in range(len(tree.children))
    }
    for node in reversed(range(len(tree.children))):
        if tree.children[node] >= 0:
            items[node] = items[tree.children[node]] | items[tree.children[node] + 1]
    return items


def spread(seed, n=300, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    return X.astype(np.float32), rng.normal(size=(4, d)).astype(np.float32)


@given(
    st.integers(0, 2**31),
    st.sampled_from([0.0, 0.002, 0.05, 1.0]),
    st.sampled_from([PaperAugment(), PaperAugment(m=3), PadToSphere(), Plain()]),
)
def test_every_split_is_that_of_the_definition(seed, epsilon, reduction):
    X, _ = spread(seed)
    index = TopDownKMeans(leaf_size=20, epsilon=epsilon, reduction=reduction)
    tree = index.build(X, rng_for(seed))
    length = reduction.m**0.5 / 2 if isinstance(reduction, PaperAugment) else 1
    rows, items = tree.lift.items(X), held(tree)
    assert items[0] == set(range(300))
    for node in np.flatnonzero(tree.children >= 0):
        pair = [tree.children[node], tree.children[node] + 1]
        expected = split(rows, sorted(items[node]), *tree.centroids[pair], epsilon * length)
        assert tuple(sorted(items[child]) for child in pair) == expected
        assert tree.parents[pair].tolist() == [node, node]
    leaves = tree.children < 0
    assert (np.diff(tree.starts)[~leaves] == 0).all()
    assert np.diff(tree.starts)[leaves].max() <= 20


def test_products_as_far_off_as_float32_may_be_change_no_beam():
    """By (d + 1) u, u = 2^-24, up or down, where rows along one direction nearly tie."""
    rng = np.random.default_rng(0)
    X = (1 + 0.01 * rng.normal(size=(200, 300))).astype(np.float32)
    searcher = TopDownSearcher(TopDownKMeans(leaf_size=4).build(X, rng_for(0)))
    nodes, lifted, scores = searcher.asked(X[:20])
    error = (lifted.shape[1] + 1) * 2.0**-24 * rng.choice([-1, 1], scores.shape)
    off = (scores + error).astype(np.float32)
    for width in (1, 3, 20):
        expected, found = (leaves_of(nodes, lifted, S, width)[0] for S in (scores, off))
        np.testing.assert_array_equal(np.sort(found, axis=1), np.sort(expected, axis=1))
    asked = np.array(searcher.efforts()), np.tile(np.arange(200), (20, 1)), 200
    expected, found = (outcomes_of(nodes, lifted, S, *asked)[0] for S in (scores, off))
    np.testing.assert_array_equal(found, expected)


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(1, 12))
def test_two_means_is_algorithm_1(seed, n, rounds):
    rng = np.random.default_rng(seed)
    rows = (rng.normal(size=(60, 3)) + 1).astype(np.float32) / 8
    members = np.sort(rng.choice(60, n, replace=False))
    halves = rng.permutation(n) % 2
    labels, centroids, _ = oracle.spherical_kmeans(rows[members], halves, rounds)
    found, gaps = two_means(rows, members, halves.copy(), rounds)
    if len(centroids) == 2:
        np.testing.assert_allclose(found, centroids, atol=1e-6)
        np.testing.assert_array_equal(gaps < 0, np.array(labels) == 1)
    else:  # one cluster lost all its members and was dropped
        assert len(set(gaps < 0)) == 1


def test_without_overlap_the_leaves_are_a_partition():
    X, _ = spread(0, n=1000)
    tree = TopDownKMeans(leaf_size=16, epsilon=0).build(X, rng_for(0))
    assert sorted(tree.members) == list(range(1000))
    for leaf in np.flatnonzero(tree.children < 0):
        inside = tree.members[tree.starts[leaf] : tree.starts[leaf + 1]]
        assert (tree.labels[inside] == leaf).all()


def test_an_item_with_copies_is_at_home_in_one_leaf():
    X, _ = spread(0, n=1000)
    tree = TopDownKMeans(leaf_size=16, epsilon=0.05).build(X, rng_for(0))
    rows, children = tree.lift.items(X).astype(float), tree.children
    assert len(tree.members) > 1200
    for item in range(0, 1000, 50):
        node = 0
        while children[node] >= 0:
            first, second = tree.centroids[[children[node], children[node] + 1]] @ rows[item]
            node = children[node] + (first < second)
        assert tree.labels[item] == node
        assert item in tree.members[tree.starts[node] : tree.starts[node + 1]]


@given(st.integers(0, 2**31), st.sampled_from([0.0, 0.05]), st.integers(1, 30))
def test_a_beam_is_that_of_the_definition(seed, epsilon, leaf_size):
    X, Q = spread(seed, n=120)
    tree = TopDownKMeans(leaf_size=leaf_size, epsilon=epsilon).build(X, rng_for(seed))
    searcher, items = TopDownSearcher(tree), held(tree)
    for p in searcher.efforts()[:12]:
        found = searcher.candidates(Q, p, 1)
        for i, q in enumerate(searcher.tree.lift.queries(Q)):
            expected, cost = beam_search(tree.centroids, tree.children, items, q, p)
            assert set(found.ids[found.starts[i] : found.starts[i + 1]]) == expected
            assert found.cost[i] == cost


def uneven_tree():
    """Root 0 over leaf 1 and node 2; node 2 over leaves 3 and 4, of equal direction; 2 copies."""
    return SplitTree(
        Plain().fit(np.eye(2, dtype=np.float32)),
        centroids=np.array([[0, 0], [0.8, 0.6], [0, 1], [0.6, 0.8], [0.6, 0.8]], np.float32),
        children=np.array([1, -1, 3, -1, -1]),
        parents=np.array([-1, 0, 0, 2, 2]),
        starts=np.array([0, 0, 3, 3, 5, 8]),
        members=np.array([0, 1, 2, 2, 3, 2, 4, 5]),
        labels=np.array([1, 1, 1, 3, 4, 4]),
    )


@pytest.mark.parametrize(
    ("q", "p", "found", "cost"),
    [
        ((1, 0), 1, {0, 1, 2}, 2 + 3),  # leaf 1 at once: node 2 is not opened
        ((0, 1), 1, {2, 3}, 2 + 2 + 2),  # equal scores: leaf 3 before leaf 4
        ((0, 1), 2, {2, 3, 4, 5}, 2 + 2 + 4),  # both push leaf 1 out; item 2 is paid once
        ((1, 0), 2, {0, 1, 2, 3}, 2 + 2 + 4),  # leaf 1 stays, and is not scored again
        ((0, 1), 3, {0, 1, 2, 3, 4, 5}, 2 + 2 + 6),
    ],
)
def test_a_leaf_that_was_reached_competes_on(q, p, found, cost):
    got = TopDownSearcher(uneven_tree()).candidates(np.array([q], np.float32), p, 1)
    assert set(got.ids) == found
    assert got.cost == [cost]


def test_groups_refine_each_other_down_to_the_leaves():
    X, _ = spread(3, n=500)
    searcher = TopDownSearcher(TopDownKMeans(leaf_size=8, epsilon=0.05).build(X, rng_for(0)))
    groups = searcher.groups()
    assert len(set(groups[0])) == 2
    assert len(set(zip(groups[-1], searcher.tree.labels, strict=True))) == len(set(groups[-1]))
    for coarse, fine in pairwise(groups):
        assert len(set(zip(coarse, fine, strict=True))) == len(set(fine)) > len(set(coarse))
        assert sorted(set(fine)) == list(range(fine.max() + 1))


def test_what_cannot_be_split_is_a_leaf():
    X = np.ones((100, 3), np.float32)
    for epsilon in (0.0, 1.0):
        searcher = TopDownSearcher(TopDownKMeans(leaf_size=4, epsilon=epsilon).build(X, rng_for(0)))
        assert list(searcher.efforts()) == [1]
        found = searcher.candidates(X[:2], 1, 1)
        assert found.cost.tolist() == [100, 100]
        assert found.spent["nodes"].tolist() == [0, 0]


def test_depth_has_a_limit_where_every_split_sheds_a_few():
    X = np.eye(60, dtype=np.float32) * 3.0 ** -np.arange(60)[:, None]
    searcher = TopDownSearcher(TopDownKMeans(leaf_size=1).build(X, rng_for(0)))
    assert len(searcher.groups()) <= MAX_DEPTH
    assert sorted(searcher.candidates(X[:1], searcher.efforts()[-1], 1).ids) == list(range(60))


def test_overlap_finds_more_of_the_shipped_words_at_the_same_cost():
    words = with_queries(load("glove-6b-50d"), QueryRecipe(count=300))
    curves = compare([TopDownKMeans(epsilon=0), TopDownKMeans()], words, ks=(10,))
    partition, overlapping = (np.interp(-30, -c.speedup, c.precision(10)) for c in curves)
    assert overlapping > partition + 0.02
