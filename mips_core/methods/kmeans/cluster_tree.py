"""Levels of spherical k-means clusters over items, shared by the flat and hierarchical index.

Auvolat et al. 2015, Algorithms 1 and 2. The finest level clusters lifted items, each coarser one
the centroids below it. A single level is asked as a nested searcher, more as a beam.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_CLUSTERS
from mips_core.base.params import param
from mips_core.base.progress import Progress, span
from mips_core.base.seeds import stream
from mips_core.methods.clustering import (
    Clustering,
    Empty,
    Start,
    growing_kmeans,
    spherical_kmeans,
    start_of,
)
from mips_core.methods.reductions import Lift, LiftedRows, Reduction, reduction_param
from mips_core.methods.soundness import (
    check_lists,
    check_shape,
    check_unit,
    expect,
    expect_built,
    expect_equal,
)


@dataclass(frozen=True)
class KMeansParams:
    """The parameters both indexes share, besides their numbers of clusters."""

    max_rounds: int = param(
        10,
        "Rounds at most",
        "K-means stops when no item moves, or after this many rounds, 1 to 1000. On word vectors "
        "100 gain up to .01 of precision over 10, and take seven times as long.",
        low=1,
        high=1000,
        phrase="rounds capped at {}",
    )
    start: Start = param(
        "assignment",
        "Start",
        "assignment: every item gets a random cluster, as in the paper. points: the first "
        "centroids are random items.",
        choices=("assignment", "points"),
        phrase="started from {}",
    )
    empty: Empty = param(
        "drop",
        "Empty clusters",
        "drop: a cluster without items is removed. reseed: it starts again at an item that its "
        "own centroid serves badly.",
        choices=("drop", "reseed"),
        phrase="{} empty clusters",
    )
    fit: Literal["all", "growing"] = param(
        "all",
        "Fit",
        "all: every round looks at all items. growing: 4 rounds at most on 16 items a cluster, 3 "
        "on 64 and one on all, two to five times as fast. On word vectors it loses up to .033 of "
        "precision at a speedup of 30.",
        choices=("all", "growing"),
        phrase="{} fit",
    )
    reduction: Reduction = reduction_param()

    def check_tree(self, tree: "KMeansTree", levels: int, most: int) -> None:
        """`tree` has so many `levels` and at most so many clusters; 0 leaves their number open."""
        expect_built(tree.lift.reduction, self.reduction, "reduction")
        expect_built(len(tree.levels), levels, "levels")
        clusters = len(tree.levels[-1].centroids)
        expect(clusters <= most or not most, f"clusters: {clusters} built, {most} asked for")


def clusters_param(default: int, help: str) -> int:
    """The declared number of clusters; 0 leaves it to the rule that `help` states."""
    return param(default, "Clusters", help, low=0, high=MAX_CLUSTERS)


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


def build_tree(
    spec: KMeansParams,
    sizes: Sequence[int],
    X: Matrix,
    rng: np.random.Generator,
    progress: Progress,
) -> KMeansTree:
    """Cluster X (n, d) into sizes[-1] clusters, their centroids into sizes[-2], and so on.

    X may be float16, as a memory map say: it is read in blocks and gives what its float32 copy
    gives.
    """
    if max(sizes) < 1:
        raise ParamError(f"{max(sizes)} clusters were asked for.", "One or more are needed.")
    lift = spec.reduction.fit(X)
    rows: Matrix | LiftedRows = lift.rows(X)
    clusterings: list[Clustering] = []
    for depth, k in enumerate(reversed(sizes)):  # 0 is the finest: streams are named by it
        share = 0.9 if depth == 0 else 0.1 / (len(sizes) - 1)
        begin = 0.0 if depth == 0 else 0.9 + 0.1 * (depth - 1) / (len(sizes) - 1)
        report = span(progress, begin, begin + (share if len(sizes) > 1 else 1.0))
        clusterings.append(_cluster(spec, rows, k, stream(rng, "kmeans", depth), report))
        rows = clusterings[-1].centroids
    clusterings.reverse()
    progress(1.0, "built")
    return tree_of(lift, clusterings)


def tree_of(lift: Lift, clusterings: Sequence[Clustering]) -> KMeansTree:
    """The tree of clusterings, coarsest first, the finest of rows that `lift` made."""
    return KMeansTree(lift, tuple(map(_level, clusterings)), tuple(clusterings))


def _cluster(
    spec: KMeansParams,
    rows: Matrix | LiftedRows,
    k: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Clustering:
    how: dict[str, Any] = {
        "empty": spec.empty,
        "max_rounds": spec.max_rounds,
        "progress": progress,
    }
    if spec.fit == "growing":
        return growing_kmeans(rows, k, spec.start, rng, **how)
    return spherical_kmeans(rows, start_of(spec.start, rng, rows, k), **how)


def _level(clustering: Clustering) -> Level:
    k = len(clustering.centroids)
    sizes = np.bincount(clustering.labels, minlength=k)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(clustering.labels.astype(np.min_scalar_type(k)), kind="stable")
    return Level(clustering.centroids, clustering.labels, starts, members)
