"""Levels of spherical k-means clusters over items, which every index of k-means holds.

Auvolat et al. 2015, Algorithms 1 and 2. The finest level clusters lifted items, each coarser one
the centroids below it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.methods.clustering.rounds import Clustering
from mips_core.methods.reductions import Lift
from mips_core.methods.soundness import (
    check_lists,
    check_shape,
    check_unit,
    expect,
    expect_equal,
)


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
        """Inner products of its rounds: each compares each of its rows with each centroid."""
        return sum(one.n * one.live for fit in self.histories for one in fit.rounds)

    def check(self, n: int, d: int) -> None:
        """Every level clusters what is below it, as its rounds of k-means ended."""
        self.lift.check()
        expect(self.levels, "it has no level")
        below = n
        for level in reversed(self.levels):
            k = len(level.centroids)
            check_unit(level.centroids, (k, d + self.lift.n_extra), "centroids")
            check_shape(level.labels, (below,), "labels")
            check_lists(level.starts, level.members, level.labels, k)
            below = k
        expect(len(self.histories) == len(self.levels), "its rounds are of other levels")
        for fit, level in zip(self.histories, self.levels, strict=True):
            expect(fit.rounds, "no round led to a level")
            expect_equal(fit.labels, level.labels, "labels after all rounds")
            expect_equal(fit.centroids, level.centroids, "centroids after all rounds")


def tree_of(lift: Lift, clusterings: Sequence[Clustering]) -> KMeansTree:
    """The tree of clusterings, coarsest first, the finest of rows that `lift` made."""
    return KMeansTree(lift, tuple(map(_level, clusterings)), tuple(clusterings))


def _level(clustering: Clustering) -> Level:
    k = len(clustering.centroids)
    sizes = np.bincount(clustering.labels, minlength=k)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(clustering.labels.astype(np.min_scalar_type(k)), kind="stable")
    return Level(clustering.centroids, clustering.labels, starts, members)
