"""How one level of spherical k-means clusters is asked (Auvolat et al. 2015, section 4.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numba import njit

from mips_core.arrays import Ids, Matrix, Ranks
from mips_core.indexes.base import Ledger, ListSearcher, NestedSearcher, Searcher, Step
from mips_core.indexes.kmeans_beam import BeamSearcher
from mips_core.indexes.kmeans_tree import KMeansTree
from mips_core.probing import cluster_order


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

    def order(self, Q: Matrix) -> Ranks:
        """(m, k) clusters in the order they are opened."""
        return cluster_order(self.tree.lift.queries(Q), self.tree.levels[0].centroids)

    def lists(self) -> tuple[Ids, Ids]:
        return self.tree.levels[0].starts, self.tree.levels[0].members

    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        k = len(self.tree.levels[0].centroids)
        return self.order(Q)[:, :effort].astype(np.int64), {"centroids": np.full(len(Q), k)}

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        level = self.tree.levels[0]
        order = self.order(Q)
        k = len(level.centroids)
        costs = {
            "centroids": np.broadcast_to(k, order.shape),
            "candidates": np.cumsum(level.sizes[order], axis=1),
        }
        return _ranks_of(order, level.labels, wanted), costs

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        level = self.tree.levels[0]
        order = self.order(q[None])[0].astype(np.int64)
        found = self.candidates(q[None], effort, K).ids
        k = len(level.centroids)
        return [
            Step("centroids", np.arange(k), order[:effort], float(k)),
            Step("candidates", found, found, float(len(found))),
        ]

    def groups(self) -> list[Ids]:
        return [self.tree.levels[0].labels]


@njit(cache=True, nogil=True)
def _ranks_of(order: Ranks, labels: Ids, wanted: Ids) -> Ranks:
    """Position in its query's order (m, k) of the cluster of each wanted item (m, w); k: never."""
    m, k = order.shape
    ranks = np.full(wanted.shape, k, np.int32)
    rank_of = np.empty(k, np.int32)
    for i in range(m):
        for at in range(k):
            rank_of[order[i, at]] = at
        for j in range(wanted.shape[1]):
            if wanted[i, j] >= 0:
                ranks[i, j] = rank_of[labels[wanted[i, j]]]
    return ranks
