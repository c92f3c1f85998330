"""Trees that keep up: rows that stay keep their cluster, long ones are shortened."""

import numpy as np

from mips_core import PaperAugment, Plain, rng_for
from mips_core.base.progress import silent
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.updating import (
    head_of,
    longest_known,
    refresh_tree,
    update_tree,
    within,
)

X = np.random.default_rng(0).normal(size=(80, 3)).astype(np.float32)
TREE = FlatKMeans(n_clusters=6).build(X, rng_for(0))
LONGEST = float(np.linalg.norm(X.astype(float), axis=1).max())


def test_the_lift_knows_the_longest_item_it_was_fitted_to():
    for reduction in (PaperAugment(), PaperAugment(U=0.9, m=3), Plain()):
        known = longest_known(reduction, reduction.fit(X))
        np.testing.assert_allclose(known, LONGEST, rtol=1e-6)


def test_longer_rows_are_lifted_as_if_they_were_just_as_long():
    reduction = PaperAugment()
    lift = reduction.fit(X)
    row = (X[:1] / np.linalg.norm(X[:1]) * LONGEST * 2).astype(np.float32)
    rows, longer, excess = within(reduction, lift, np.concatenate([X[:2], row]))
    assert longer.tolist() == [False, False, True]
    np.testing.assert_allclose(excess, 2, rtol=1e-5)
    np.testing.assert_allclose(rows[2:], lift.items(row / 2), rtol=1e-4, atol=1e-6)
    assert within(Plain(), Plain().fit(X), row)[1:] == (np.array([False]), 1.0)  # none is too long


def test_rows_that_stay_keep_their_cluster_and_others_join_the_nearest():
    before = np.append(np.arange(1, 80), [-1, -1])  # row 0 left, two are new
    placed = before == -1
    now = np.concatenate([X[1:], X[5:6], X[9:10]])
    updated = update_tree(PaperAugment(), TREE, now, before, placed)
    labels = TREE.levels[0].labels
    expected = [*labels[1:], labels[5], labels[9]]
    assert updated.structure.levels[0].labels.tolist() == expected
    assert (updated.placed, updated.spent) == (2, {"centroids": 2 * 6})
    updated.structure.check(81, 3)


def test_a_refresh_of_what_has_settled_changes_nothing():
    settled = FlatKMeans(n_clusters=6, max_rounds=1000).build(X, rng_for(0))
    fresh = refresh_tree(PaperAugment(), "drop", settled, X, 3, silent)
    np.testing.assert_array_equal(fresh.levels[0].labels, settled.levels[0].labels)
    assert len(fresh.histories[0].rounds) == 1


def test_a_head_takes_the_longest_first_while_it_has_room():
    rows = np.array([[1.0], [4], [3], [2], [2]], np.float32)
    lists = np.array([0, 5, 5, 0, 5], np.int32)  # 0: was in the head
    assert head_of(2.0, rows, lists, 9).tolist() == [1, 2, 3]  # of equal length, that was there
    assert head_of(2.0, rows, lists, 1).tolist() == [1]
    assert head_of(2.0, rows, lists, 0).tolist() == []
