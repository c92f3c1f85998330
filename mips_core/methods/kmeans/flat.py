"""Flat spherical k-means: score the items of the clusters that point the query's way.

Auvolat et al. 2015, Algorithm 1 and section 4.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.limits import MAX_CLUSTERS
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.cluster_order.order import Keys, rough_orders, settle
from mips_core.methods.contract import Index, register
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.levels_search import LevelsSearcher
from mips_core.methods.kmeans.parameters import KMeansParams, build_tree, clusters_param
from mips_core.methods.searcher import Ledger, NestedSearcher


@final
@register
@dataclass(frozen=True)
class FlatKMeans(KMeansParams, Index):
    """Puts items that point the same way into one of k clusters, by spherical k-means.

    The reduction first turns inner product into cosine. A query is compared with every centroid,
    and the items of the p clusters that point most its way are scored.

    Cost: k live clusters + the items of the p clusters opened.
    """

    key: ClassVar[str] = "flat-kmeans"
    label: ClassVar[str] = "Flat k-means"
    effort_name: ClassVar[str] = "Probes"
    effort_nouns: ClassVar[tuple[str, str]] = ("probe", "probes")
    effort_help: ClassVar[str] = (
        "Clusters opened for each query. More find more and cost more. 1 to the number of clusters."
    )
    asking: ClassVar[str] = "Opening **{effort} of {live} clusters**"
    group_nouns: ClassVar[tuple[str, str]] = ("cluster", "clusters")
    opens_groups: ClassVar[bool] = True
    cite: ClassVar[str] = "Auvolat et al. 2015, Algorithm 1"

    n_clusters: int = clusters_param(
        0,
        "Groups the items are put into, 2 to n; 0 means the square root of n. More are smaller "
        "and more exact, but each costs one inner product a query. Empty groups are dropped, so "
        "there may be fewer.",
    )

    def clusters(self, n: int) -> int:
        """How many clusters are asked for on n items."""
        return min(self.n_clusters, n) or round(n**0.5)

    def explicit(self, n: int) -> "FlatKMeans":
        return replace(self, n_clusters=self.clusters(n), fit=self.fit_on(n, self.clusters(n)))

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> KMeansTree:
        return build_tree(self, (self.clusters(len(X)),), X, rng, progress)

    def check_built(self, structure: KMeansTree) -> None:
        self.check_tree(structure, 1, self.n_clusters)

    def searcher(self, structure: KMeansTree) -> "ProbeSearcher":
        return ProbeSearcher(structure)

    def setting(self, n: int) -> str:
        return counted(self.clusters(n), *self.group_nouns)

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["FlatKMeans"]:
        counts = (round(n**0.5 * factor) for factor in (0.25, 0.5, 1, 2, 4, 8))
        return [
            cls(n_clusters=k) for k in sorted({min(max(k, 2), n, MAX_CLUSTERS) for k in counts})
        ]


@final
@dataclass(frozen=True, eq=False)
class ProbeSearcher(LevelsSearcher, NestedSearcher):
    """One level: open the p clusters of largest q.c; cost = live clusters + their items."""

    def widths(self, effort: int) -> list[int]:
        return [effort]

    def efforts(self) -> Sequence[int]:
        return range(1, len(self.tree.levels[0].centroids) + 1)

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        return self._counted(Q, wanted, len(Q))

    def tally(self, Q: Matrix, wanted: Ids, K: int, folds: int) -> tuple[Ranks, Ledger]:
        return self._counted(Q, wanted, folds)

    def bytes_a_query(self) -> int:
        return 4 * len(self.tree.levels[0].centroids)

    def _counted(self, Q: Matrix, wanted: Ids, folds: int) -> tuple[Ranks, Ledger]:
        """As `sweep`, with the costs of the queries i of equal i % folds summed."""
        level = self.tree.levels[0]
        k = len(level.centroids)
        items = np.zeros((folds, k), np.int64)
        ranks = np.full(wanted.shape, k, np.int32)
        sizes, labels = level.sizes, level.labels.astype(np.int32)  # looked up all over the place
        for rows, rough in rough_orders(Q, level.centroids):
            asked = (Q[rows], level.centroids, sizes, labels, wanted[rows])
            _count(*rough, *asked, rows.start, ranks[rows], items)
        queries = np.bincount(np.arange(len(Q)) % folds, minlength=folds)
        centroids = np.broadcast_to(k * queries[:, None], items.shape)
        return ranks, {"centroids": centroids, "candidates": np.cumsum(items, axis=1)}


@njit(cache=True, nogil=True)
def _count(
    keys: Keys,
    near: int,
    mask: int,
    scores: Floats,
    slack: Floats,
    Q: Matrix,
    centroids: Matrix,
    sizes: Ids,
    labels: Ranks,
    wanted: Ids,
    first: int,
    ranks: Ranks,
    items: Ids,
) -> None:
    """Write at which rank each wanted item's cluster opens; add sizes to items (folds, k) by rank.

    The first five are a Rough, of query `first` and on. ranks (s, w) stay where wanted is -1.
    """
    k = keys.shape[1]
    rank_of = np.empty(k, np.int32)
    for i in range(len(keys)):
        row, opened = keys[i], items[(first + i) % len(items)]
        settle(row, near, mask, scores[i], slack[i], Q[i], centroids)
        for at in range(k):
            cluster = row[at] & mask
            rank_of[cluster] = at
            opened[at] += sizes[cluster]
        for j in range(wanted.shape[1]):
            if wanted[i, j] >= 0:
                ranks[i, j] = rank_of[labels[wanted[i, j]]]
