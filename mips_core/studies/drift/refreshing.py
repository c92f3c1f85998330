"""Spherical k-means goes on from where it stood, for a few rounds.

It begins with the clusters of an `updated` structure: the centroids turn to the rows they have now,
the rows are placed anew, and so on. The scale of the reduction stays while no item is longer than
it allows, else it is fitted anew. Each round costs one inner product for each item and centroid.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.methods.clustering import Clustering, spherical_kmeans
from mips_core.methods.indexes import Index
from mips_core.methods.kmeans.cluster_tree import KMeansParams, KMeansTree, tree_of
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.head_search import HeadAndClusters
from mips_core.methods.kmeans.multi_search import Clusterings, side_by_side
from mips_core.studies.drift.updating import Updated, check_can_update, within

ROUNDS = 3  # by default
MOST_ROUNDS = 1000


def refreshed(
    index: Index,
    structure: Any,
    items: Matrix,
    rounds: int = ROUNDS,
    progress: Progress = silent,
) -> Updated:
    """`structure`, as `updated` made it for `items` (n, d), after `rounds` of k-means at most.

    Fewer where no item moves. Clusters without items are dropped or start again, as the index
    says. At fit=growing these rounds look at all items too. Raises ParamError for an index without
    centroids and for rounds out of range.
    """
    check_can_update(index)
    check_rounds(rounds)
    assert isinstance(index, KMeansParams)
    if isinstance(structure, Clusterings):
        trees: list[KMeansTree] = []
        R = len(structure.trees)
        for r, tree in enumerate(structure.trees):
            trees.append(_tree(index, tree, items, rounds, span(progress, r / R, (r + 1) / R)))
        return _counted(side_by_side(trees), len(items))
    if isinstance(structure, HeadAndClusters):
        assert isinstance(index, HeadKMeans)
        tail = np.flatnonzero(structure.lists.labels[0])
        if not len(tail):  # nothing is clustered
            return Updated(structure, {"centroids": 0}, 0)
        X = np.asarray(items, np.float32)
        tree = _tree(index, structure.tree, X[tail], rounds, progress)
        return _counted(index.around(tree, X, tail), len(tail))
    return _counted(_tree(index, structure, items, rounds, progress), len(items))


def check_rounds(rounds: int) -> None:
    """Raise ParamError unless `rounds` is a number of rounds."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ParamError(
            f"A refresh of {rounds} rounds was asked for.", f"Give 1 to {MOST_ROUNDS:,}."
        )


def build_cost(structure: Any) -> int:
    """Inner products of the rounds of k-means that led to `structure`, at every level.

    A round compares each of its rows with each centroid.
    """
    clusterings: Sequence[Clustering] = (
        [c for tree in structure.trees for c in tree.histories]
        if isinstance(structure, Clusterings)
        else structure.histories
    )
    return sum(one.n * one.live for clustering in clusterings for one in clustering.rounds)


def _counted(structure: Any, n: int) -> Updated:
    return Updated(structure, {"centroids": build_cost(structure)}, n)


def _tree(
    spec: KMeansParams, tree: KMeansTree, X: Matrix, rounds: int, progress: Progress
) -> KMeansTree:
    """Each level goes on: the finest from its clusters, a coarser one from its centroids."""
    _, longer, _ = within(spec.reduction, tree.lift, X)
    lift = spec.reduction.fit(X) if longer.any() else tree.lift
    *coarser, finest = tree.levels
    how: dict[str, Any] = {"empty": spec.empty, "progress": span(progress, 0.0, 0.9)}
    found = [spherical_kmeans(lift.rows(X), finest.labels, max_rounds=rounds, **how)]
    how["progress"] = span(progress, 0.9, 1.0)
    for level in reversed(coarser):
        below = found[0].centroids
        starts = level.centroids[: len(below)]  # never more clusters than there is below
        found.insert(0, spherical_kmeans(below, starts, max_rounds=rounds + 1, **how))
    return tree_of(lift, found)
