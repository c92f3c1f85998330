"""How a binary tree of clusters is asked: a beam (Auvolat et al. 2015, Algorithm 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.kernels import concat_lists, distinct_ids, order_of, row_norms, score_rows
from mips_core.methods.bits import ONE
from mips_core.methods.kmeans.top_down_beams import Nodes, leaves_of, outcomes_of
from mips_core.methods.kmeans.top_down_tree import SplitTree
from mips_core.methods.searcher import Candidates, Ledger, Searcher, Step, effort_ladder

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

    def asked(self, Q: Matrix) -> tuple[Nodes, Matrix, Matrix]:
        """The tree, lifted queries (m, d') and their float32 products with all nodes (m, N).

        The products are those of unit queries.
        """
        tree = self.tree
        lifted = tree.lift.queries(Q)
        lengths = np.maximum(row_norms(lifted), np.finfo(np.float64).tiny)
        unit = (lifted / lengths[:, None]).astype(np.float32)
        nodes = Nodes(tree.centroids, tree.children, tree.starts, tree.members)
        return nodes, lifted, unit @ tree.centroids.T

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        leaves, scored = leaves_of(*self.asked(Q), effort)
        found = concat_lists(leaves, self.tree.starts, self.tree.members)
        starts, ids = distinct_ids(*found, self.n)
        return Candidates(starts, ids, {"nodes": scored})

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        widths = np.array(self.efforts())
        found, scored, sizes = outcomes_of(*self.asked(Q), widths, wanted, self.n)
        for at in range(len(widths)):
            is_found = (found >> np.uint64(at)) & ONE == ONE
            yield is_found, {"nodes": scored[:, at], "candidates": sizes[:, at]}

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
