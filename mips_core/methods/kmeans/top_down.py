"""Top-down k-means: split the items in two, and each part in two, down to small leaves.

After Mnih and Hinton, "A scalable hierarchical distributed language model", 2009. Searched with a
beam, as in Auvolat et al. 2015, Algorithm 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.methods.contract import Index, register
from mips_core.methods.kmeans.top_down_search import TopDownSearcher
from mips_core.methods.kmeans.top_down_tree import Growth, SplitTree, grow
from mips_core.methods.reductions import PaperAugment, Reduction, reduction_param
from mips_core.methods.soundness import expect_built


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
        low=1,
        high=100_000,
    )
    epsilon: float = param(
        0.01,
        "Overlap",
        "An item joins both parts where its two scores differ by less than this share of its "
        "length, 0 to 1, but no more than a tenth of the smaller part. 0 makes a partition; 0.01 "
        "finds more on word vectors.",
        low=0,
        high=1,
    )
    max_rounds: int = param(
        10,
        "Rounds at most",
        "Each split stops when no item moves, or after this many rounds, 1 to 1000.",
        low=1,
        high=1000,
        phrase="rounds capped at {}",
    )
    reduction: Reduction = reduction_param()

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> SplitTree:
        lift = self.reduction.fit(X)
        growth = Growth(self.leaf_size, self.epsilon * self._length(), self.max_rounds)
        tree = grow(lift, lift.items(X), growth, rng, progress)
        progress(1.0, "built")
        return tree

    def _length(self) -> float:
        """About the length of lifted items: the square root of m, halved, for P(x)."""
        return self.reduction.m**0.5 / 2 if isinstance(self.reduction, PaperAugment) else 1.0

    def check_built(self, structure: SplitTree) -> None:
        expect_built(structure.lift.reduction, self.reduction, "reduction")

    def searcher(self, structure: SplitTree) -> TopDownSearcher:
        return TopDownSearcher(structure)

    def setting(self, n: int) -> str:
        return f"leaves of {self.leaf_size:,}, overlap {self.epsilon:g}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["TopDownKMeans"]:
        return [cls(leaf_size=size) for size in (256, 128, 64, 32, 16)]
