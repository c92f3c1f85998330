"""How levels of spherical k-means clusters are asked, a number of clusters kept at each.

Auvolat et al. 2015, Algorithm 2, keeps the same p at every level: a beam. With a fixed number above
the finest level, the effort counts clusters of that level alone, and candidates only grow with it.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import concat_lists
from mips_core.methods.bits import Words, unpack_bits
from mips_core.methods.capabilities import Descent, InvertedLists
from mips_core.methods.cluster_order.first import FEW, MOST_PICKED, first_children, first_clusters
from mips_core.methods.cluster_order.order import cluster_order
from mips_core.methods.kmeans.beam_curve import beams
from mips_core.methods.kmeans.cluster_tree import KMeansTree, Level
from mips_core.methods.searcher import Ledger, ListSearcher, NestedSearcher, Step, effort_ladder


@dataclass(frozen=True, eq=False)
class LevelsSearcher(ListSearcher):
    """Go down the levels of a tree, and open what is kept of the finest.

    Only children of kept clusters are scored. Cost = clusters scored at every level + items of
    those opened. The single root is not scored.
    """

    tree: KMeansTree

    @abstractmethod
    def widths(self, effort: int) -> list[int]:
        """How many clusters are kept of each level."""

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.tree.n

    def lists(self) -> tuple[Ids, Ids]:
        return self.tree.levels[-1].starts, self.tree.levels[-1].members

    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        kept, scored = descend(self.tree, Q, self.widths(effort))
        return kept[-1], {"centroids": scored}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        """What is scored and kept, level by level, and the items it ends at."""
        kept, _ = descend(self.tree, q[None], self.widths(effort))
        steps = []
        scored = np.arange(len(self.tree.levels[0].centroids))
        for level, best in zip(self.tree.levels, kept, strict=True):
            steps.append(Step("centroids", scored, best[0][best[0] >= 0], float(len(scored))))
            scored = concat_lists(best, level.starts, level.members)[1]
        return [*steps, *super().trace(q, effort, K)]

    def groups(self) -> list[Ids]:
        labels = [self.tree.levels[-1].labels]
        for level in reversed(self.tree.levels[:-1]):
            labels.append(level.labels[labels[-1]])
        return labels[::-1]

    def centroids(self) -> list[Matrix]:
        return [level.centroids for level in self.tree.levels]

    def descent(self, X: Matrix, effort: int) -> Descent:
        coarsest, *finer = self.centroids()
        lists = [
            InvertedLists(rows, level.starts, level.members)
            for level, rows in zip(self.tree.levels, [*finer, X], strict=True)
        ]
        return Descent(coarsest, tuple(lists), tuple(self.widths(effort)), X.shape[1])


@final
@dataclass(frozen=True, eq=False)
class BeamSearcher(LevelsSearcher):
    """Algorithm 2: keep the best p clusters a level, go on among their children.

    A wider beam can lose an answer: a good cluster under a parent outside the beam is never seen.
    """

    def widths(self, effort: int) -> list[int]:
        return [effort] * len(self.tree.levels)

    def efforts(self) -> Sequence[int]:
        widest = max(len(level.centroids) for level in self.tree.levels)
        return effort_ladder(widest)

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        found, costs = self.tally(Q, wanted, K, len(Q))
        for at in range(len(found)):
            spent = {part: cost[:, at] for part, cost in costs.items()}
            yield unpack_bits(found[at], wanted.shape[1]), spent

    def tally(self, Q: Matrix, wanted: Ids, K: int, folds: int) -> tuple[Words, Ledger]:
        return beams(self.tree, np.asarray(self.efforts()), Q, wanted, folds)

    def bytes_a_query(self) -> int:
        return 24 * sum(len(level.centroids) for level in self.tree.levels)


@final
@dataclass(frozen=True, eq=False)
class LevelProbeSearcher(LevelsSearcher, NestedSearcher):
    """Keep `coarse` clusters at each level above the finest, and open the best p of the finest.

    The tree has two levels or more.
    """

    coarse: int

    def widths(self, effort: int) -> list[int]:
        return [self.coarse] * (len(self.tree.levels) - 1) + [effort]

    def efforts(self) -> Sequence[int]:
        """Up to the most clusters of the finest level that any query may have to choose from."""
        above = self.tree.levels[-2]
        return effort_ladder(int(np.sort(above.sizes)[::-1][: self.coarse].sum()))

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        efforts = np.asarray(self.efforts())
        finest = self.tree.levels[-1]
        kept, scored = descend(self.tree, Q, self.widths(efforts[-1]))
        ranks = _ranks(kept[-1], finest.labels, len(finest.sizes), wanted)
        sizes = np.append(finest.sizes, 0)[kept[-1]]
        costs = {
            "centroids": np.broadcast_to(scored[:, None], (len(Q), len(efforts))),
            "candidates": np.cumsum(sizes, axis=1)[:, efforts - 1],
        }
        return np.searchsorted(efforts, ranks + 1).astype(np.int32), costs

    def bytes_a_query(self) -> int:
        return 40 * sum(len(level.centroids) for level in self.tree.levels)


def descend(tree: KMeansTree, Q: Matrix, widths: Sequence[int]) -> tuple[list[Ids], Ids]:
    """The best widths[depth] clusters of each level under those kept above, for Q (m, d).

    kept: (m, p) a level, best first, -1 for none; (m,) clusters scored, of all levels.
    """
    top = tree.levels[0].centroids
    kept = [first_clusters(Q, top, widths[0])]
    scored = np.full(len(Q), len(top))
    for (above, level), width in zip(pairwise(tree.levels), widths[1:], strict=True):
        best, children = _best_children(Q, level, (kept[-1], above.starts, above.members), width)
        kept.append(best)
        scored += children
    return kept, scored


def _best_children(
    Q: Matrix, level: Level, family: tuple[Ids, Ids, Ids], width: int
) -> tuple[Ids, Ids]:
    """The best `width` clusters of a level in a family, and (m,) how many the family has.

    family: parents (m, p), and the children of all parents as starts and members.
    """
    if width <= MOST_PICKED or len(Q) <= FEW:
        return first_children(Q, level.centroids, *family, width)
    found = np.full((len(Q), min(width, len(level.centroids))), -1, np.int64)
    return found, _first_in_order(*family, cluster_order(Q, level.centroids), found)


@njit(cache=True, nogil=True)
def _first_in_order(kept: Ids, starts: Ids, members: Ids, order: Ranks, found: Ids) -> Ids:
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
