"""Going down levels of spherical k-means clusters, a number of clusters kept at each.

Auvolat et al. 2015, Algorithm 2, keeps the same number at every level; others may be asked.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import concat_lists
from mips_core.methods.cluster_order import (
    FEW,
    MOST_PICKED,
    cluster_order,
    first_children,
    first_clusters,
)
from mips_core.methods.kmeans.cluster_tree import KMeansTree, Level
from mips_core.methods.searcher import Step


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


def steps_of(tree: KMeansTree, q: Matrix, widths: Sequence[int]) -> list[Step]:
    """What `descend` scores and keeps for q (d,), level by level, and the items it ends at."""
    kept, _ = descend(tree, q[None], widths)
    steps = []
    scored = np.arange(len(tree.levels[0].centroids))
    for level, best in zip(tree.levels, kept, strict=True):
        chosen = best[0][best[0] >= 0]
        steps.append(Step("centroids", scored, chosen, float(len(scored))))
        scored = concat_lists(best, level.starts, level.members)[1]
    return [*steps, Step("candidates", scored, scored, float(len(scored)))]


def groups_of(tree: KMeansTree) -> list[Ids]:
    """Item -> cluster (n,) of every level, coarsest first."""
    labels = [tree.levels[-1].labels]
    for level in reversed(tree.levels[:-1]):
        labels.append(level.labels[labels[-1]])
    return labels[::-1]


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
