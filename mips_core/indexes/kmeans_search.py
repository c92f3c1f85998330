"""How a tree of spherical k-means clusters is asked (Auvolat et al. 2015, section 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numba import njit

from mips_core.arrays import Ids, Mask, Matrix, Ranks
from mips_core.indexes.base import (
    Candidates,
    Ledger,
    NestedSearcher,
    Searcher,
    Step,
    effort_ladder,
)
from mips_core.indexes.kmeans_tree import KMeansTree
from mips_core.kernels import concat_lists
from mips_core.probing import cluster_order


def searcher_of(tree: KMeansTree) -> Searcher:
    """A nested searcher for one level, a beam for more."""
    return ProbeSearcher(tree) if len(tree.levels) == 1 else BeamSearcher(tree)


@final
@dataclass(frozen=True, eq=False)
class ProbeSearcher(NestedSearcher):
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

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        level = self.tree.levels[0]
        chosen = self.order(Q)[:, :effort].astype(np.int64)
        starts, ids = concat_lists(chosen, level.starts, level.members)
        return Candidates(starts, ids, {"centroids": np.full(len(Q), len(level.centroids))})

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


@final
@dataclass(frozen=True, eq=False)
class BeamSearcher(Searcher):
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

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        kept, scored = self.beam(self.orders(Q), effort)
        finest = self.tree.levels[-1]
        starts, ids = concat_lists(kept[-1], finest.starts, finest.members)
        return Candidates(starts, ids, {"centroids": scored})

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
