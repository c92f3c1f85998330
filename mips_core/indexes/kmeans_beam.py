"""How levels of spherical k-means clusters are asked: a beam (Auvolat et al. 2015, Algorithm 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numba import njit

from mips_core.arrays import Ids, Mask, Matrix, Ranks
from mips_core.indexes.base import Ledger, ListSearcher, Step, effort_ladder
from mips_core.indexes.kmeans_tree import KMeansTree
from mips_core.kernels import concat_lists
from mips_core.probing import cluster_order


@final
@dataclass(frozen=True, eq=False)
class BeamSearcher(ListSearcher):
    """Algorithm 2: keep the best p clusters a level, go on among their children.

    Cost = clusters scored at every level + items of the last p. The single root is not scored. A
    wider beam can lose an answer: a good cluster under a parent outside the beam is never seen.
    """

    tree: KMeansTree

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.tree.n

    def efforts(self) -> Sequence[int]:
        widest = max(len(level.centroids) for level in self.tree.levels)
        return effort_ladder(widest)

    def orders(self, Q: Matrix) -> list[Ranks]:
        """Each level's clusters (m, k) in the order the queries Q (m, d) prefer them."""
        lifted = self.tree.lift.queries(Q)
        return [cluster_order(lifted, level.centroids) for level in self.tree.levels]

    def beam(self, orders: list[Ranks], effort: int) -> tuple[list[Ids], Ids]:
        """Kept clusters (m, p) of every level, -1 for none, and (m,) clusters scored."""
        m, k = orders[0].shape
        kept = [orders[0][:, :effort].astype(np.int64)]
        scored = np.full(m, k)
        for above, order in zip(self.tree.levels, orders[1:], strict=False):
            found = np.full((m, min(effort, order.shape[1])), -1, np.int64)
            scored += _best_children(kept[-1], above.starts, above.members, order, found)
            kept.append(found)
        return kept, scored

    def lists(self) -> tuple[Ids, Ids]:
        return self.tree.levels[-1].starts, self.tree.levels[-1].members

    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        kept, scored = self.beam(self.orders(Q), effort)
        return kept[-1], {"centroids": scored}

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        finest = self.tree.levels[-1]
        orders = self.orders(Q)
        for effort in self.efforts():
            kept, scored = self.beam(orders, effort)
            found, sizes = _opened(kept[-1], finest.labels, finest.sizes, wanted)
            yield found, {"centroids": scored, "candidates": sizes}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        kept, _ = self.beam(self.orders(q[None]), effort)
        steps = []
        scored = np.arange(len(self.tree.levels[0].centroids))
        for level, best in zip(self.tree.levels, kept, strict=True):
            chosen = best[0][best[0] >= 0]
            steps.append(Step("centroids", scored, chosen, float(len(scored))))
            scored = concat_lists(best, level.starts, level.members)[1]
        return [*steps, Step("candidates", scored, scored, float(len(scored)))]

    def groups(self) -> list[Ids]:
        labels = [self.tree.levels[-1].labels]
        for level in reversed(self.tree.levels[:-1]):
            labels.append(level.labels[labels[-1]])
        return labels[::-1]


@njit(cache=True, nogil=True)
def _best_children(kept: Ids, starts: Ids, members: Ids, order: Ranks, found: Ids) -> Ids:
    """The first children of kept (m, p) in each query's order (m, k); (m,) children scored."""
    m, k = order.shape
    scored = np.zeros(m, np.int64)
    child_of = np.full(k, -1, np.int64)  # the last query that had this cluster as a child
    for i in range(m):
        for parent in kept[i]:
            if parent >= 0:
                for s in range(starts[parent], starts[parent + 1]):
                    child_of[members[s]] = i
                scored[i] += starts[parent + 1] - starts[parent]
        size = 0
        for at in range(k):
            if size == min(found.shape[1], scored[i]):
                break
            if child_of[order[i, at]] == i:
                found[i, size] = order[i, at]
                size += 1
    return scored


@njit(cache=True, nogil=True)
def _opened(opened: Ids, labels: Ids, sizes: Ids, wanted: Ids) -> tuple[np.ndarray, Ids]:
    """Which wanted items (m, w) lie in the opened clusters (m, p), and (m,) items in them."""
    m, w = wanted.shape
    opened_by = np.full(len(sizes), -1, np.int64)
    found = np.zeros((m, w), np.bool_)
    total = np.zeros(m, np.int64)
    for i in range(m):
        for cluster in opened[i]:
            if cluster >= 0:
                opened_by[cluster] = i
                total[i] += sizes[cluster]
        for j in range(w):
            found[i, j] = wanted[i, j] >= 0 and opened_by[labels[wanted[i, j]]] == i
    return found, total
