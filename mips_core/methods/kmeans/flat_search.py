"""How one level of spherical k-means clusters is asked (Auvolat et al. 2015, section 4.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.methods.cluster_order import first_clusters
from mips_core.methods.cluster_order.order import Keys, rough_orders, settle
from mips_core.methods.kmeans.beam import BeamSearcher
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.descent import groups_of, steps_of
from mips_core.methods.searcher import Ledger, ListSearcher, NestedSearcher, Searcher, Step


def searcher_of(tree: KMeansTree) -> Searcher:
    """A nested searcher for one level, a beam for more."""
    return ProbeSearcher(tree) if len(tree.levels) == 1 else BeamSearcher(tree)


@final
@dataclass(frozen=True, eq=False)
class ProbeSearcher(ListSearcher, NestedSearcher):
    """Open the p clusters of largest q.c; cost = live clusters + their items."""

    tree: KMeansTree

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.tree.n

    def efforts(self) -> Sequence[int]:
        return range(1, len(self.tree.levels[0].centroids) + 1)

    def lists(self) -> tuple[Ids, Ids]:
        return self.tree.levels[0].starts, self.tree.levels[0].members

    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        centroids = self.tree.levels[0].centroids
        scored = np.full(len(Q), len(centroids))
        return first_clusters(Q, centroids, effort), {"centroids": scored}

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

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        return steps_of(self.tree, q, [effort])

    def groups(self) -> list[Ids]:
        return groups_of(self.tree)


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
