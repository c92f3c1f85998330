"""Items in a second list: which it is, and what lists share."""

import numpy as np
import pytest

from mips_core.base.threads import limited
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.soft_lists import lists_of, second_best
from tests import oracle
from tests.mips_core.methods.kmeans.head_items import built, unequal


@pytest.mark.parametrize("seed", range(3))
def test_copies_go_to_the_second_best_cluster(seed):
    X, _ = unequal(seed, d=4)
    searcher = built(HeadKMeans(n_clusters=7, copies=2, head=0.1), X, seed)
    tree, labels = searcher.built.tree, searcher.built.lists.labels
    tail = np.flatnonzero(labels[0])
    for item, lifted in zip(tail, tree.lift.items(X[tail]), strict=True):
        order = oracle.ranking(tree.levels[0].centroids, lifted)
        assert sorted(labels[:, item] - 1) == sorted(order[:2])
        assert labels[0, item] == order[0] + 1 or tree.histories[0].rounds[-1].moved


def test_second_best_ties_go_to_the_lower_number_and_one_cluster_has_none():
    centroids = np.array([[1, 0], [0, 1], [0, 1], [-1, 0]], np.float32)
    rows = np.array([[1, 0], [0, 2], [0, 2], [0, 0]], np.float32)
    labels = np.array([0, 1, 2, 0])
    assert second_best(rows, centroids, labels).tolist() == [1, 2, 1, 1]
    assert second_best(rows, centroids[:1], labels * 0).tolist() == [0, 0, 0, 0]


def test_second_best_of_rows_whose_products_underflow():
    rng = np.random.default_rng(0)
    rows = (rng.normal(size=(40, 3)) * 2.0**-146).astype(np.float32)
    centroids = rng.normal(size=(9, 3)).astype(np.float32)
    centroids /= np.linalg.norm(centroids, axis=1, keepdims=True)
    first = [oracle.ranking(centroids, row)[0] for row in rows]
    second = [oracle.ranking(centroids, row)[1] for row in rows]
    assert second_best(rows, centroids, np.array(first)).tolist() == second


def test_lists_that_share_items_are_counted():
    lists = lists_of(np.array([[0, 1, 2, 1, 3], [0, 2, 1, 1, 1]], np.int32), 4)
    held = np.split(lists.members, lists.starts[1:-1])
    assert [items.tolist() for items in held] == [[0], [1, 2, 3, 4], [1, 2], [4]]
    assert dict(zip(map(tuple, lists.pairs.tolist()), lists.shared.tolist(), strict=True)) == {
        (1, 2): 2,
        (1, 3): 1,
    }


def test_copies_are_the_same_at_any_thread_count():
    X, _ = unequal(0, n=1100, d=4)
    index = HeadKMeans(n_clusters=12, copies=2, max_rounds=2)
    with limited(1):
        alone = built(index, X)
    both = built(index, X)
    np.testing.assert_array_equal(alone.built.lists.labels, both.built.lists.labels)
    np.testing.assert_array_equal(alone.built.means, both.built.means)
