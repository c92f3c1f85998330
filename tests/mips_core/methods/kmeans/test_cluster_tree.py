"""Trees of clusters: lists follow from labels, damage is told, rows that stay keep a cluster."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import PaperAugment, Plain, rng_for
from mips_core.base.progress import silent
from mips_core.methods.kmeans.cluster_tree import (
    head_of,
    longest_known,
    refresh_tree,
    tree_of,
    update_tree,
    within,
)
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.soundness import UnsoundError

X = np.random.default_rng(0).normal(size=(90, 4)).astype(np.float32)
TREE = HierarchicalKMeans(n_levels=2).build(X, rng_for(0))


def test_lists_hold_what_labels_say():
    for level in TREE.levels:
        for c in range(len(level.centroids)):
            held = level.members[level.starts[c] : level.starts[c + 1]]
            assert held.tolist() == np.flatnonzero(level.labels == c).tolist()
            assert level.sizes[c] == len(held)
    assert TREE.n == 90
    assert len(TREE.levels[0].labels) == len(TREE.levels[1].centroids)


def test_a_round_costs_an_inner_product_for_each_row_and_live_cluster():
    by_hand = 0
    for fit in TREE.histories:
        for one in fit.rounds:
            by_hand += one.n * one.live
    assert TREE.build_cost == by_hand > 90


def test_damage_to_any_part_is_told():
    TREE.check(90, 4)
    coarse, fine = TREE.levels
    swapped = fine.labels.copy()
    swapped[[0, 1]] = (swapped[[0, 1]] + 1) % len(fine.centroids)
    for broken, words in [
        (replace(TREE, levels=()), "it has no level"),
        (replace(TREE, levels=(coarse, replace(fine, labels=swapped))), "lists differ from labels"),
        (replace(TREE, histories=TREE.histories[:1]), "its rounds are of other levels"),
        (replace(TREE, lift=replace(TREE.lift, scale=0.0)), "scale of the items is not positive"),
        (tree_of(TREE.lift, [replace(fit, rounds=()) for fit in TREE.histories]), "no round led"),
    ]:
        with pytest.raises(UnsoundError, match=words):
            broken.check(90, 4)
    for n, d in ((91, 4), (90, 5)):
        with pytest.raises(UnsoundError, match="in place of"):
            TREE.check(n, d)


ROWS = np.random.default_rng(0).normal(size=(80, 3)).astype(np.float32)


FLAT = FlatKMeans(n_clusters=6).build(ROWS, rng_for(0))


LONGEST = float(np.linalg.norm(ROWS.astype(float), axis=1).max())


def test_the_lift_knows_the_longest_item_it_was_fitted_to():
    for reduction in (PaperAugment(), PaperAugment(U=0.9, m=3), Plain()):
        known = longest_known(reduction, reduction.fit(ROWS))
        np.testing.assert_allclose(known, LONGEST, rtol=1e-6)


def test_longer_rows_are_lifted_as_if_they_were_just_as_long():
    reduction = PaperAugment()
    lift = reduction.fit(ROWS)
    row = (ROWS[:1] / np.linalg.norm(ROWS[:1]) * LONGEST * 2).astype(np.float32)
    rows, longer, excess = within(reduction, lift, np.concatenate([ROWS[:2], row]))
    assert longer.tolist() == [False, False, True]
    np.testing.assert_allclose(excess, 2, rtol=1e-5)
    np.testing.assert_allclose(rows[2:], lift.items(row / 2), rtol=1e-4, atol=1e-6)
    assert within(Plain(), Plain().fit(ROWS), row)[1:] == (
        np.array([False]),
        1.0,
    )  # none is too long


def test_rows_that_stay_keep_their_cluster_and_others_join_the_nearest():
    before = np.append(np.arange(1, 80), [-1, -1])  # row 0 left, two are new
    placed = before == -1
    now = np.concatenate([ROWS[1:], ROWS[5:6], ROWS[9:10]])
    updated = update_tree(PaperAugment(), FLAT, now, before, placed)
    labels = FLAT.levels[0].labels
    expected = [*labels[1:], labels[5], labels[9]]
    assert updated.structure.levels[0].labels.tolist() == expected
    assert (updated.placed, updated.spent) == (2, {"centroids": 2 * 6})
    updated.structure.check(81, 3)


def test_a_refresh_of_what_has_settled_changes_nothing():
    settled = FlatKMeans(n_clusters=6, max_rounds=1000).build(ROWS, rng_for(0))
    fresh = refresh_tree(PaperAugment(), "drop", settled, ROWS, 3, silent)
    np.testing.assert_array_equal(fresh.levels[0].labels, settled.levels[0].labels)
    assert len(fresh.histories[0].rounds) == 1


def test_a_head_takes_the_longest_first_while_it_has_room():
    rows = np.array([[1.0], [4], [3], [2], [2]], np.float32)
    lists = np.array([0, 5, 5, 0, 5], np.int32)  # 0: was in the head
    assert head_of(2.0, rows, lists, 9).tolist() == [1, 2, 3]  # of equal length, that was there
    assert head_of(2.0, rows, lists, 1).tolist() == [1]
    assert head_of(2.0, rows, lists, 0).tolist() == []
