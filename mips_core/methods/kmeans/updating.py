"""Trees of k-means clusters that keep up with changing items.

Updated, centroids and scale are frozen (Auvolat et al. 2015, future work). A row that moved or is
new costs one inner product for each centroid of the finest level; coarser levels hold centroids,
which do not move. The scale of the reduction belongs to the longest item of the build: one that is
longer would rescale every row. Such a row is placed as if it were just as long, and counted.

Refreshed, the centroids turn to the rows they have now, the rows are placed anew, and so on. The
scale stays while no item is longer than it allows, else it is fitted anew.
"""

from dataclasses import replace

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import order_of
from mips_core.base.progress import Progress, span
from mips_core.methods.clustering.nearest import assign
from mips_core.methods.clustering.rounds import Empty, spherical_kmeans
from mips_core.methods.kmeans.cluster_tree import KMeansTree, tree_of
from mips_core.methods.reductions import Lift, LiftedRows, Reduction, lengths_of
from mips_core.methods.updates import NEW, Updated

ROUNDING = 1e-9  # relative: a length that differs by less is the same


def longest_known(reduction: Reduction, lift: Lift) -> float:
    """The length of the longest item that `lift` was fitted to."""
    return reduction.fit(np.ones((1, 1), np.float32)).scale / lift.scale


def within(reduction: Reduction, lift: Lift, X: Matrix) -> tuple[LiftedRows, Mask, float]:
    """X (n, d), one row or more, lifted; rows longer than all known as if they were just as long.

    Also (n,) which those are, and by what factor the longest is too long; 1 where none is. Where
    the lift adds nothing, the scale changes no order, and no row is too long.
    """
    most = longest_known(reduction, lift)
    lengths = lengths_of(X) if lift.n_extra else np.zeros(len(X))
    longer = lengths > most * (1 + ROUNDING)
    if not longer.any():
        return lift.rows(X), longer, 1.0
    shorter = np.where(longer, most / np.where(longer, lengths, 1.0), 1.0)[:, None]
    return lift.rows((X * shorter).astype(np.float32)), longer, float(lengths.max() / most)


def update_tree(
    reduction: Reduction, tree: KMeansTree, X: Matrix, before: Ids, placed: Mask
) -> Updated:
    """A tree of one level or more for the items X (n', d); its centroids stay, at every level."""
    centroids, labels = tree.levels[-1].centroids, tree.levels[-1].labels
    moving = np.flatnonzero(placed)
    labels = np.where(before == NEW, 0, labels[before])
    longer, excess = 0, 1.0
    if len(moving):
        rows, too_long, excess = within(reduction, tree.lift, X[moving])
        labels[moving] = assign(rows, centroids, lengths_of(rows))
        longer = int(too_long.sum())
    spent = {"centroids": len(centroids) * len(moving)}
    return Updated(relabelled(tree, labels), spent, len(moving), longer, excess)


def relabelled(tree: KMeansTree, labels: Ids) -> KMeansTree:
    """`tree` with other items in its finest clusters."""
    *coarser, last = tree.histories
    return tree_of(tree.lift, [*coarser, replace(last, labels=labels)])


def head_of(most: float, rows: Matrix, lists: Ranks, room: int) -> Ids:
    """Which rows (r, d) join a head that has room, and whose tail is no longer than `most`.

    The longest first; lists (r,) where each was, 0 in the head.
    """
    lengths = lengths_of(rows)
    longer = lengths > most * (1 + ROUNDING)
    able = np.flatnonzero(longer | ((lists == 0) & (lengths >= most * (1 - ROUNDING))))
    return able[order_of(lengths[able], able)[:room]]


def refresh_tree(
    reduction: Reduction,
    empty: Empty,
    tree: KMeansTree,
    X: Matrix,
    rounds: int,
    progress: Progress,
) -> KMeansTree:
    """Each level goes on: the finest from its clusters, a coarser one from its centroids."""
    _, longer, _ = within(reduction, tree.lift, X)
    lift = reduction.fit(X) if longer.any() else tree.lift
    *coarser, finest = tree.levels
    part = span(progress, 0.0, 0.9)
    clusterings = [
        spherical_kmeans(lift.rows(X), finest.labels, empty=empty, max_rounds=rounds, progress=part)
    ]
    part = span(progress, 0.9, 1.0)
    for level in reversed(coarser):
        below = clusterings[0].centroids
        starts = level.centroids[: len(below)]  # never more clusters than there is below
        clustering = spherical_kmeans(
            below, starts, empty=empty, max_rounds=rounds + 1, progress=part
        )
        clusterings.insert(0, clustering)
    return tree_of(lift, clusterings)
