"""How levels of spherical k-means clusters are asked: a beam (Auvolat et al. 2015, Algorithm 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.methods.bits import Words
from mips_core.methods.kmeans.beam_curve import beams
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.descent import descend, groups_of, steps_of
from mips_core.methods.searcher import Ledger, ListSearcher, Step, effort_ladder
from mips_core.methods.tallies import unpack_bits


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

    def lists(self) -> tuple[Ids, Ids]:
        return self.tree.levels[-1].starts, self.tree.levels[-1].members

    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        kept, scored = descend(self.tree, Q, self._widths(effort))
        return kept[-1], {"centroids": scored}

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        found, costs = self.tally(Q, wanted, K, len(Q))
        for at in range(len(found)):
            spent = {part: cost[:, at] for part, cost in costs.items()}
            yield unpack_bits(found[at], wanted.shape[1]), spent

    def tally(self, Q: Matrix, wanted: Ids, K: int, folds: int) -> tuple[Words, Ledger]:
        return beams(self.tree, np.asarray(self.efforts()), Q, wanted, folds)

    def bytes_a_query(self) -> int:
        return 24 * sum(len(level.centroids) for level in self.tree.levels)

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        return steps_of(self.tree, q, self._widths(effort))

    def groups(self) -> list[Ids]:
        return groups_of(self.tree)

    def _widths(self, effort: int) -> list[int]:
        return [effort] * len(self.tree.levels)
