"""Levels of spherical k-means clusters over items, which every index of k-means holds.

Auvolat et al. 2015, Algorithms 1 and 2. The finest level clusters lifted items, each coarser one
the centroids below it.

Updated, centroids and scale are frozen (future work there). A row that moved or is new costs one
inner product for each centroid of the finest level; coarser levels hold centroids, which do not
move. The scale of the reduction belongs to the longest item of the build: one that is longer would
rescale every row. Such a row is placed as if it were just as long, and counted. Refreshed, the
centroids turn to the rows they have now, the rows are placed anew, and so on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import order_of
from mips_core.base.progress import Progress, span
from mips_core.methods import soundness
from mips_core.methods.capabilities import NEW, Updated
from mips_core.methods.clustering.grouped import grouped_rounds
from mips_core.methods.clustering.nearest import assign
from mips_core.methods.clustering.rounds import Clustering, Empty, spherical_kmeans
from mips_core.methods.reductions import Lift, LiftedRows, Reduction, lengths_of

ROUNDING = 1e-9  # relative: a length that differs by less is the same


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One clustering: centroids (k, d') unit rows; parent centroid of each thing below.

    labels (below,) cluster of each item or finer centroid; starts (k+1,), members (below,) the
    same as lists.
    """

    centroids: Matrix
    labels: Ids
    starts: Ids
    members: Ids

    @property
    def sizes(self) -> Ids:
        """(k,) members of each cluster."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True, eq=False)
class KMeansTree:
    """What was built: the fitted lift and the levels, coarsest first; their k-means histories."""

    lift: Lift
    levels: tuple[Level, ...]
    histories: tuple[Clustering, ...] = field(repr=False)

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.levels[-1].labels)

    @property
    def build_cost(self) -> int:
        """Inner products of its rounds, and of the groups before them in a grouped fit."""
        return sum(one.products for fit in self.histories for one in fit.rounds)

    def check(self, n: int, d: int) -> None:
        """Every level clusters what is below it, as its rounds of k-means ended."""
        self.lift.check()
        soundness.expect(self.levels, "it has no level")
        below = n
        for level in reversed(self.levels):
            k = len(level.centroids)
            soundness.check_unit(level.centroids, (k, d + self.lift.n_extra), "centroids")
            soundness.check_shape(level.labels, (below,), "labels")
            soundness.check_lists(level.starts, level.members, level.labels, k)
            below = k
        soundness.expect(len(self.histories) == len(self.levels), "its rounds are of other levels")
        for fit, level in zip(self.histories, self.levels, strict=True):
            soundness.expect(fit.rounds, "no round led to a level")
            soundness.expect_equal(fit.labels, level.labels, "labels after all rounds")
            soundness.expect_equal(fit.centroids, level.centroids, "centroids after all rounds")


def tree_of(lift: Lift, clusterings: Sequence[Clustering]) -> KMeansTree:
    """The tree of clusterings, coarsest first, the finest of rows that `lift` made."""
    return KMeansTree(lift, tuple(map(_level, clusterings)), tuple(clusterings))


def _level(clustering: Clustering) -> Level:
    k = len(clustering.centroids)
    sizes = np.bincount(clustering.labels, minlength=k)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(clustering.labels.astype(np.min_scalar_type(k)), kind="stable")
    return Level(clustering.centroids, clustering.labels, starts, members)


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
    *,
    grouped: bool = False,
) -> KMeansTree:
    """Each level goes on: the finest from its clusters, a coarser one from its centroids.

    grouped: items meet the centroids of their own best groups alone.
    """
    _, longer, _ = within(reduction, tree.lift, X)
    lift = reduction.fit(X) if longer.any() else tree.lift
    *coarser, finest = tree.levels
    part = span(progress, 0.0, 0.9)
    go_on = grouped_rounds if grouped else spherical_kmeans
    clusterings = [
        go_on(lift.rows(X), finest.labels, empty=empty, max_rounds=rounds, progress=part)
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
