"""Trees of clusters: lists follow from labels, rounds cost what they compare, damage is told."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import rng_for
from mips_core.methods.kmeans.cluster_tree import tree_of
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
