"""Top-down k-means: how nodes are split, what is copied, what a beam over uneven leaves finds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import Plain, compare, rng_for
from mips_core.data.catalog import shipped
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.kmeans.top_down import TopDownKMeans, TopDownSearcher
from mips_core.methods.kmeans.top_down_tree import SplitTree
from tests.mips_core.methods.kmeans.split_items import held, spread


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


def test_overlap_finds_more_of_the_shipped_words_at_the_same_cost():
    words = with_queries(shipped("glove-6b-50d"), QueryRecipe(count=300))
    curves = compare([TopDownKMeans(epsilon=0), TopDownKMeans()], words, ks=(10,))
    partition, overlapping = (np.interp(-30, -c.speedup, c.precision(10)) for c in curves)
    assert overlapping > partition + 0.02
