"""How nodes are split in two, and what is copied to both sides."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core import PadToSphere, PaperAugment, Plain, rng_for
from mips_core.methods.kmeans.top_down import TopDownKMeans, TopDownSearcher
from mips_core.methods.kmeans.top_down_tree import MAX_DEPTH
from tests.mips_core.methods.kmeans.split_items import held, spread


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
