"""How levels of clusters are asked with a fixed number of probes above the finest level.

Auvolat et al. 2015, Algorithm 2, keeps the same p at every level. With a fixed number above, the
effort counts clusters of the finest level alone, and candidates only grow with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.descent import descend, groups_of, steps_of
from mips_core.methods.searcher import Ledger, ListSearcher, NestedSearcher, Step, effort_ladder


@final
@dataclass(frozen=True, eq=False)
class LevelProbeSearcher(NestedSearcher, ListSearcher):
    """Keep `coarse` clusters at each level above the finest, and open the best p of the finest.

    Only children of kept clusters are scored. Cost = clusters scored at every level + items of
    the p opened. The tree has two levels or more.
    """

    tree: KMeansTree
    coarse: int

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.tree.n

    def efforts(self) -> Sequence[int]:
        """Up to the most clusters of the finest level that any query may have to choose from."""
        above = self.tree.levels[-2]
        return effort_ladder(int(np.sort(above.sizes)[::-1][: self.coarse].sum()))

    def lists(self) -> tuple[Ids, Ids]:
        return self.tree.levels[-1].starts, self.tree.levels[-1].members

    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        kept, scored = descend(self.tree, Q, self._widths(effort))
        return kept[-1], {"centroids": scored}

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        efforts = np.asarray(self.efforts())
        finest = self.tree.levels[-1]
        kept, scored = descend(self.tree, Q, self._widths(efforts[-1]))
        ranks = _ranks(kept[-1], finest.labels, len(finest.sizes), wanted)
        sizes = np.append(finest.sizes, 0)[kept[-1]]
        costs = {
            "centroids": np.broadcast_to(scored[:, None], (len(Q), len(efforts))),
            "candidates": np.cumsum(sizes, axis=1)[:, efforts - 1],
        }
        return np.searchsorted(efforts, ranks + 1).astype(np.int32), costs

    def bytes_a_query(self) -> int:
        return 40 * sum(len(level.centroids) for level in self.tree.levels)

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        return steps_of(self.tree, q, self._widths(effort))

    def groups(self) -> list[Ids]:
        return groups_of(self.tree)

    def _widths(self, effort: int) -> list[int]:
        return [self.coarse] * (len(self.tree.levels) - 1) + [effort]


@njit(cache=True, nogil=True)
def _ranks(opened: Ids, labels: Ids, k: int, wanted: Ids) -> Ids:
    """Position in opened (m, p), -1 none, of the cluster of each wanted item (m, w); p: never."""
    m, p = opened.shape
    ranks = np.full(wanted.shape, p, np.int64)
    opened_by = np.full(k, -1, np.int64)  # the last query that opened this cluster
    rank_of = np.empty(k, np.int64)
    for i in range(m):
        for at in range(p):
            if opened[i, at] >= 0:
                opened_by[opened[i, at]] = i
                rank_of[opened[i, at]] = at
        for j in range(wanted.shape[1]):
            if wanted[i, j] >= 0:
                cluster = labels[wanted[i, j]]
                if opened_by[cluster] == i:
                    ranks[i, j] = rank_of[cluster]
    return ranks
