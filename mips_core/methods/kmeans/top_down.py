"""Top-down k-means: split the items in two, and each part in two, down to small leaves.

After Mnih and Hinton, "A scalable hierarchical distributed language model", 2009. Searched with a
beam, as in Auvolat et al. 2015, Algorithm 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.kernels import concat_lists, distinct_ids, order_of, row_norms, score_rows
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.methods.bits import ONE
from mips_core.methods.contract import Index, register
from mips_core.methods.kmeans.top_down_beams import Nodes, leaves_of, outcomes_of
from mips_core.methods.kmeans.top_down_tree import SplitRule, SplitTree, grow
from mips_core.methods.reductions import PaperAugment, Reduction, reduction_param
from mips_core.methods.searcher import Candidates, Ledger, Searcher, Step, effort_ladder
from mips_core.methods.soundness import expect_built

WIDEST_BEAM = 256


@final
@register
@dataclass(frozen=True)
class TopDownKMeans(Index):
    """Splits the items in two by spherical k-means, then each part, and so on, into a binary tree.

    An item that lies between two parts may join both. A query descends with a beam: at each level
    it scores the children of the p nodes kept above and keeps the best p, until all are leaves.

    Cost: the nodes scored + the different items in the last p leaves.
    """

    key: ClassVar[str] = "top-down-kmeans"
    label: ClassVar[str] = "Top-down k-means"
    effort_name: ClassVar[str] = "Branches"
    effort_nouns: ClassVar[tuple[str, str]] = ("branch", "branches")
    effort_help: ClassVar[str] = (
        "Nodes kept at each level, and so leaves opened. More find more and cost more; now and "
        "then, more lose an answer. 1 to 256."
    )
    asking: ClassVar[str] = "Keeping **{effort} of at most {live} branches** a level"
    group_nouns: ClassVar[tuple[str, str]] = ("leaf", "leaves")
    opens_groups: ClassVar[bool] = True
    cite: ClassVar[str] = "after Mnih and Hinton 2009"
    main_param: ClassVar[str] = "leaf_size"

    leaf_size: int = param(
        64,
        "Leaf size",
        "A part of this many items is not split any more, 1 to 100,000; items that cannot be told "
        "apart stay together. Smaller leaves are more exact, but deeper trees have more nodes.",
        within=(1, 100_000),
    )
    epsilon: float = param(
        0.01,
        "Overlap",
        "An item joins both parts where its two scores differ by less than this share of its "
        "length, 0 to 1, but no more than a tenth of the smaller part. 0 makes a partition; 0.01 "
        "finds more on word vectors.",
        within=(0, 1),
    )
    max_rounds: int = param(
        10,
        "Rounds at most",
        "Each split stops when no item moves, or after this many rounds, 1 to 1000.",
        within=(1, 1000),
        phrase="rounds capped at {}",
    )
    reduction: Reduction = reduction_param()

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> SplitTree:
        lift = self.reduction.fit(X)
        reduction = self.reduction
        length = reduction.m**0.5 / 2 if isinstance(reduction, PaperAugment) else 1.0  # about
        rule = SplitRule(self.leaf_size, self.epsilon * length, self.max_rounds)
        tree = grow(lift, lift.items(X), rule, rng, progress)
        progress(1.0, "built")
        return tree

    def check_built(self, structure: SplitTree) -> None:
        expect_built(structure.lift.reduction, self.reduction, "reduction")

    def searcher(self, structure: SplitTree) -> "TopDownSearcher":
        return TopDownSearcher(structure)

    def setting(self, n: int) -> str:
        return f"leaves of {self.leaf_size:,}, overlap {self.epsilon:g}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["TopDownKMeans"]:
        return [cls(leaf_size=size) for size in (256, 128, 64, 32, 16)]


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
        listed = concat_lists(leaves, self.tree.starts, self.tree.members)
        starts, ids = distinct_ids(*listed, self.n)
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
        return [*steps, *super().trace(q, effort, K)]

    def groups(self) -> list[Ids]:
        """Item -> node where it is not a copy, level by level; a leaf stays what it is."""
        at = self.tree.labels
        levels = [_renumbered(at)]
        for first in self._first_of_levels()[:1:-1]:
            at = np.where(at >= first, self.tree.parents[at], at)
            levels.append(_renumbered(at))
        return levels[::-1]

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
