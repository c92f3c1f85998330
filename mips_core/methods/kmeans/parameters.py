"""The parameters of k-means, and the trees of clusters that are built and kept up with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_CLUSTERS
from mips_core.base.params import param
from mips_core.base.progress import Progress, span
from mips_core.base.seeds import stream
from mips_core.methods.capabilities import Updated
from mips_core.methods.clustering.grouped import grouped_kmeans
from mips_core.methods.clustering.growing import growing_kmeans
from mips_core.methods.clustering.rounds import Clustering, Empty, Start, spherical_kmeans, start_of
from mips_core.methods.kmeans.cluster_tree import KMeansTree, refresh_tree, tree_of, update_tree
from mips_core.methods.reductions import LiftedRows, Reduction, reduction_param
from mips_core.methods.soundness import expect, expect_built

GROUPED_FROM = 500_000_000  # items × clusters: a round on all of them takes a second or two
OF_FEW = 4  # times as many, where clusters are fewer than √(2n), as grouped they lose more


@dataclass(frozen=True)
class KMeansParams:
    """The parameters that indexes of k-means clusters share, besides their numbers of clusters."""

    complete: ClassVar[bool] = True
    main_param: ClassVar[str] = "n_clusters"

    max_rounds: int = param(
        10,
        "Rounds at most",
        "K-means stops when no item moves, or after this many rounds, 1 to 1000. On word vectors "
        "100 gain up to .01 of precision over 10, and take seven times as long.",
        within=(1, 1000),
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
    fit: Literal["all", "exact", "grouped", "growing"] = param(
        "all",
        "Fit",
        "all: every round looks at all items and clusters; where items × clusters are 500 million "
        "or more (2 billion where clusters are fewer than √(2 × items)), grouped. exact: all at "
        "any size, for minutes perhaps. grouped: clusters are trained inside coarse groups, then "
        "each item meets those of its own best 8. growing: 4 rounds at most on 16 items a cluster, "
        "3 on 64 and one on all, two to five times as fast. "
        "On word vectors it loses up to .033 of precision at a speedup of 30.",
        choices=("all", "exact", "grouped", "growing"),
        phrase="{} fit",
    )
    reduction: Reduction = reduction_param()

    def fit_on(self, n: int, k: int) -> Literal["all", "exact", "grouped", "growing"]:
        """How k clusters of n items are fitted: `fit`, but grouped where all would take minutes."""
        least = GROUPED_FROM if k * k >= 2 * n else OF_FEW * GROUPED_FROM
        return "grouped" if self.fit == "all" and n * k >= least else self.fit

    def check_tree(self, tree: KMeansTree, levels: int, most: int) -> None:
        """`tree` has so many `levels` and at most so many clusters; 0 leaves their number open."""
        expect_built(tree.lift.reduction, self.reduction, "reduction")
        expect_built(len(tree.levels), levels, "levels")
        clusters = len(tree.levels[-1].centroids)
        expect(clusters <= most or not most, f"clusters: {clusters} built, {most} asked for")

    def update(self, structure: Any, X: Matrix, before: Ids, placed: Mask) -> Updated:
        return update_tree(self.reduction, structure, X, before, placed)

    def refresh(self, structure: Any, X: Matrix, rounds: int, progress: Progress) -> Updated:
        tree = self.refresh_tree(structure, X, rounds, progress)
        return Updated(tree, {"centroids": tree.build_cost}, len(X))

    def refresh_tree(
        self, tree: KMeansTree, X: Matrix, rounds: int, progress: Progress
    ) -> KMeansTree:
        """`tree` after so many rounds of k-means at most on the items X (n, d), at every level."""
        grouped = self.fit_on(len(X), len(tree.levels[-1].centroids)) == "grouped"
        how = self.reduction, self.empty
        return refresh_tree(*how, tree, X, rounds, progress, grouped=grouped)


def clusters_param(default: int, help: str) -> int:
    """The declared number of clusters; 0 leaves it to the rule that `help` states."""
    return param(default, "Clusters", help, within=(0, MAX_CLUSTERS))


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
    lift, spec = spec.reduction.fit(X), replace(spec, fit=spec.fit_on(len(X), sizes[-1]))
    rows: Matrix | LiftedRows = lift.rows(X)
    clusterings: list[Clustering] = []
    for depth, k in enumerate(reversed(sizes)):  # 0 is the finest: streams are named by it
        share = 0.9 if depth == 0 else 0.1 / (len(sizes) - 1)
        begin = 0.0 if depth == 0 else 0.9 + 0.1 * (depth - 1) / (len(sizes) - 1)
        report = span(progress, begin, begin + (share if len(sizes) > 1 else 1.0))
        clusterings.append(cluster_rows(spec, rows, k, stream(rng, "kmeans", depth), report))
        rows = clusterings[-1].centroids
    clusterings.reverse()
    progress(1.0, "built")
    return tree_of(lift, clusterings)


def cluster_rows(
    spec: KMeansParams,
    rows: Matrix | LiftedRows,
    k: int,
    rng: np.random.Generator,
    report: Progress,
) -> Clustering:
    """Cluster rows (n, d) into at most k clusters, as `spec` says."""
    most, empty, kind = spec.max_rounds, spec.empty, spec.start
    if spec.fit in ("grouped", "growing"):
        cluster = grouped_kmeans if spec.fit == "grouped" else growing_kmeans
        return cluster(rows, k, kind, rng, empty=empty, max_rounds=most, progress=report)
    start = start_of(kind, rng, rows, k)
    return spherical_kmeans(rows, start, empty=empty, max_rounds=most, progress=report)
