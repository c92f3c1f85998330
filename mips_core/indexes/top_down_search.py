"""How a binary tree of clusters is asked: a beam (Auvolat et al. 2015, Algorithm 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numba import njit

from mips_core.arrays import Ids, Mask, Matrix
from mips_core.clustering import NEAR_TIE
from mips_core.indexes.base import Candidates, Ledger, Searcher, Step, effort_ladder
from mips_core.indexes.top_down_tree import SplitTree
from mips_core.kernels import concat_lists, distinct_ids, order_of, row_norms, score_rows

WIDEST_BEAM = 256


@final
@dataclass(frozen=True, eq=False)
class TopDownSearcher(Searcher):
    """Keep the best p nodes a level, go on among their children; score what the last leaves hold.

    A leaf that is reached stays in the beam with the score it has, and is not paid for again. Cost
    = nodes scored + distinct items of the leaves kept. The single root is not scored.
    """

    tree: SplitTree

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return len(self.tree.labels)

    def efforts(self) -> Sequence[int]:
        return effort_ladder(min(int(np.sum(self.tree.children < 0)), WIDEST_BEAM))

    def scores(self, Q: Matrix) -> tuple[Matrix, Matrix]:
        """Lifted queries (m, d') and their float32 products with all nodes (m, N), as if unit."""
        lifted = self.tree.lift.queries(Q)
        lengths = np.maximum(row_norms(lifted), np.finfo(np.float64).tiny)
        unit = (lifted / lengths[:, None]).astype(np.float32)
        return lifted, unit @ self.tree.centroids.T

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        leaves, scored = _beams(*self.scores(Q), self.tree.centroids, self.tree.children, effort)
        found = concat_lists(leaves, self.tree.starts, self.tree.members)
        starts, ids = distinct_ids(*found, self.n)
        return Candidates(starts, ids, {"nodes": scored})

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        tree = self.tree
        lifted, scores = self.scores(Q)
        for effort in self.efforts():
            leaves, scored = _beams(lifted, scores, tree.centroids, tree.children, effort)
            found, sizes = _held(leaves, tree.starts, tree.members, wanted, self.n)
            yield found, {"nodes": scored, "candidates": sizes}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        lifted = self.tree.lift.queries(q[None])[0]
        children = self.tree.children
        steps = []
        beam = np.zeros(1, np.int64)
        while (children[beam] >= 0).any():
            split = children[beam][children[beam] >= 0]
            scored = np.concatenate([split, split + 1])
            reached = np.concatenate([beam[children[beam] < 0], scored])
            exact = score_rows(self.tree.centroids, lifted, reached)
            beam = reached[order_of(exact, reached)[:effort]]
            steps.append(Step("nodes", scored, beam, float(len(scored))))
        found = self.candidates(q[None], effort, K).ids
        return [*steps, Step("candidates", found, found, float(len(found)))]

    def groups(self) -> list[Ids]:
        """Item -> node where it is not a copy, level by level; a leaf stays what it is."""
        at = self.tree.labels
        found = [_renumbered(at)]
        for first in self._first_of_levels()[:1:-1]:
            at = np.where(at >= first, self.tree.parents[at], at)
            found.append(_renumbered(at))
        return found[::-1]

    def _first_of_levels(self) -> Ids:
        """The number of the first node of each level, the root's first."""
        firsts = [0]
        inner = self.tree.children >= 0
        while inner[firsts[-1] :].any():
            next_inner = firsts[-1] + int(np.argmax(inner[firsts[-1] :]))
            firsts.append(int(self.tree.children[next_inner]))
        return np.array(firsts)


def _renumbered(nodes: Ids) -> Ids:
    """The same groups, numbered from 0 without gaps."""
    return np.unique(nodes, return_inverse=True)[1].astype(np.int64)


@njit(cache=True, nogil=True)
def _beams(
    Q: Matrix, scores: Matrix, centroids: Matrix, children: Ids, width: int
) -> tuple[Ids, Ids]:
    """The leaves (m, width) that a beam ends with, -1 for none, and (m,) nodes scored.

    Q (m, d') lifted, scores (m, N) float32 of unit queries: they preselect.
    """
    m = len(Q)
    leaves = np.full((m, width), -1, np.int64)
    scored = np.zeros(m, np.int64)
    reached = np.empty(2 * width, np.int64)
    for i in range(m):
        leaves[i, 0] = 0
        size = 1
        while True:
            count = 0
            before = scored[i]
            for node in leaves[i, :size]:
                child = children[node]
                reached[count] = node if child < 0 else child
                count += 1
                if child >= 0:
                    reached[count] = child + 1
                    count += 1
                    scored[i] += 2
            if scored[i] == before:
                break
            size = _keep_best(reached[:count], Q[i], scores[i], centroids, leaves[i])
    return leaves, scored


@njit(cache=True, nogil=True)
def _keep_best(reached: Ids, q: Matrix, scores: Matrix, centroids: Matrix, kept: Ids) -> int:
    """Write the best of the reached nodes into kept (width,), as many as fit; returns how many.

    By q.c in float64, the lower number on ties; only where float32 cannot tell is it computed.
    """
    width = len(kept)
    if len(reached) <= width:
        kept[: len(reached)] = reached
        return len(reached)
    last = np.partition(scores[reached], len(reached) - width)[len(reached) - width]
    size = 0
    unsure = 0  # moved to the front of `reached`
    for node in reached:
        if scores[node] > last + NEAR_TIE:
            kept[size] = node
            size += 1
        elif scores[node] >= last - NEAR_TIE:
            reached[unsure] = node
            unsure += 1
    close = reached[:unsure]
    if unsure > width - size:
        close = close[order_of(score_rows(centroids, q, close), close)]
    kept[size:] = close[: width - size]
    return width


@njit(cache=True, nogil=True)
def _held(leaves: Ids, starts: Ids, members: Ids, wanted: Ids, n: int) -> tuple[np.ndarray, Ids]:
    """Which wanted items (m, w) the leaves (m, p) hold, and (m,) how many different ones of all."""
    m, w = wanted.shape
    held_by = np.full(n, -1, np.int32)  # the last query with a leaf that holds this item
    found = np.zeros((m, w), np.bool_)
    sizes = np.zeros(m, np.int64)
    for i in range(m):
        for leaf in leaves[i]:
            if leaf < 0:
                break
            for s in range(starts[leaf], starts[leaf + 1]):
                sizes[i] += held_by[members[s]] != i
                held_by[members[s]] = i
        for j in range(w):
            found[i, j] = wanted[i, j] >= 0 and held_by[wanted[i, j]] == i
    return found, sizes
