"""PCA-tree: items halved again and again at medians along principal directions.

Bachrach et al., "Speeding up the Xbox recommender system using a Euclidean transformation for
inner-product spaces", RecSys 2014. An item's address is the bits of its way down, left 0, right 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import frexp
from typing import ClassVar, Literal, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import concat_lists, row_norms
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import counted
from mips_core.methods.contract import Index, register
from mips_core.methods.reductions import PadToSphere
from mips_core.methods.searcher import Candidates, Ledger, NestedSearcher, Step
from mips_core.methods.soundness import expect, expect_built
from mips_core.methods.trees.median_tree import (
    DEEPEST,
    MedianTree,
    median_tree,
    principal_directions,
    route,
)

QueryLength = Literal["scaled", "raw"]


@final
@register
@dataclass(frozen=True)
class PCATree(Index):
    """Halves the items at the median of their projection on one principal direction a level.

    The items are first lifted onto a sphere, where the largest inner product is the nearest
    neighbour. A query follows the medians down to one leaf. Cutting the tree higher up takes the
    whole subtree around that leaf, and boosting also takes the subtrees one turn away from it.

    Cost: h = depth + 1 − height levels above the cut + the items of the query's subtree there, and
    with boosting of the h subtrees whose address differs from it in one bit.
    """

    key: ClassVar[str] = "pca-tree"
    label: ClassVar[str] = "PCA-tree"
    effort_name: ClassVar[str] = "Height"
    effort_nouns: ClassVar[tuple[str, str]] = ("level", "levels")
    effort_help: ClassVar[str] = (
        "How high the tree is cut: 1 takes leaves, the most takes halves of all items. Higher "
        "finds more and costs more."
    )
    asking: ClassVar[str] = "Taking subtrees **{effort} of {live} levels** high"
    group_nouns: ClassVar[tuple[str, str]] = ("leaf", "leaves")
    opens_groups: ClassVar[bool] = True
    cite: ClassVar[str] = "Bachrach et al. 2014"
    main_param: ClassVar[str] = "depth"

    depth: int = param(
        0,
        "Depth",
        "Levels of the tree, 1 to 30; 0 means until leaves hold one or two items. Every lesser "
        "depth is part of the same tree, so that fewer only shorten the curve. Small sets, few "
        "dimensions and items of low rank allow fewer levels.",
        within=(0, DEEPEST),
    )
    boosting: bool = param(
        True,
        "Boosting",
        "Also take the subtrees whose address differs from the query's in one bit. Better on word "
        "vectors; on ratings better only at high speedups.",
        at="search",
    )
    query_length: QueryLength = param(
        "scaled",
        "Query length",
        "scaled: queries are brought to the length of the longest item before they are compared "
        "with medians. raw: they keep their own, and long ones stray from where items lie.",
        choices=("scaled", "raw"),
        at="search",
    )

    def levels(self, n: int) -> int:
        """How many levels are asked for on n items."""
        deepest = n.bit_length() - 1
        return min(self.depth, deepest) or deepest

    def explicit(self, n: int) -> "PCATree":
        return replace(self, depth=self.levels(n))

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> MedianTree:
        progress(0.0, "lifting the items")
        lift = PadToSphere().fit(X)
        rows = lift.items(X)
        most = min(self.levels(len(X)), rows.shape[1])
        directions = principal_directions(rows, most, rng, span(progress, 0.0, 0.4))[:most]
        tree = median_tree(lift, rows, directions, span(progress, 0.4, 1.0))
        progress(1.0, "built")
        return tree

    def check_built(self, structure: MedianTree) -> None:
        expect_built(structure.lift.reduction, PadToSphere(), "reduction")
        deeper = self.depth and structure.depth > self.depth
        expect(not deeper, f"levels: {structure.depth} built, {self.depth} asked for")

    def searcher(self, structure: MedianTree) -> "SubtreeSearcher":
        return SubtreeSearcher(structure, self.boosting, self.query_length == "scaled")

    def setting(self, n: int) -> str:
        boosted = "boosted" if self.boosting else "plain"
        raw = ", raw queries" * (self.query_length == "raw")
        return f"up to {counted(self.levels(n), *self.effort_nouns)}, {boosted}{raw}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["PCATree"]:
        deepest = cls().explicit(n)  # its curve holds the points of all lesser depths
        return [replace(deepest, boosting=boosting) for boosting in (False, True)]


@final
@dataclass(frozen=True, eq=False)
class SubtreeSearcher(NestedSearcher):
    """Take the subtree h levels down that holds the query's leaf; with boosting, h more of them.

    Effort e cuts a tree of D levels at h = D + 1 - e: where addresses lose their last e - 1 bits.
    A single item is a tree of no levels, with one effort that takes it.
    """

    tree: MedianTree
    boosting: bool
    scaled: bool  # whether queries are compared at the length of the longest item

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return len(self.tree.members)

    def efforts(self) -> Sequence[int]:
        return range(1, max(1, self.tree.depth) + 1)

    def leaves(self, Q: Matrix) -> Ids:
        """(m,) addresses of the leaves that the queries Q (m, d) come to."""
        values = _projections(Q, np.ascontiguousarray(self.tree.directions.T))
        if self.scaled:
            values /= np.maximum(row_norms(Q), np.finfo(np.float64).tiny)[:, None]
        else:
            values *= self.tree.lift.scale
        return route(values, self.tree.thresholds)

    def subtrees(self, leaves: Ids, effort: int) -> tuple[Ids, Ids]:
        """(m, c) addresses taken at an effort, the query's own first; where each starts.

        The second is a CSR index of the members by those shorter addresses.
        """
        turns = np.zeros(1, np.int64)  # what is flipped of an address
        if self.boosting:
            turns = np.append(turns, 1 << np.arange(self.tree.depth + 1 - effort))
        starts = np.ascontiguousarray(self.tree.starts[:: 1 << (effort - 1)])
        return (leaves >> (effort - 1))[:, None] ^ turns, starts

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        subtrees, starts = self.subtrees(self.leaves(Q), effort)
        levels = np.full(len(Q), self.tree.depth + 1 - effort)
        return Candidates(
            *concat_lists(subtrees, starts, self.tree.members), {"projections": levels}
        )

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        return self._counted(Q, wanted, len(Q))

    def tally(self, Q: Matrix, wanted: Ids, K: int, folds: int) -> tuple[Ranks, Ledger]:
        return self._counted(Q, wanted, folds)

    def bytes_a_query(self) -> int:
        return 16 * (self.tree.depth + 1)  # projections, sizes

    def _counted(self, Q: Matrix, wanted: Ids, folds: int) -> tuple[Ranks, Ledger]:
        """As `sweep`, with the costs of the queries i of equal i % folds summed."""
        tree, cuts, leaves = self.tree, len(self.efforts()), self.leaves(Q)
        found = np.full(wanted.shape, cuts, np.int32)
        sizes = np.zeros((folds, cuts), np.int64)
        _meet(leaves, tree.addresses, wanted, self.boosting, found)
        _add_sizes(leaves, tree.starts, tree.depth, self.boosting, sizes)
        queries = np.bincount(np.arange(len(Q)) % folds, minlength=folds)
        levels = queries[:, None] * (tree.depth - np.arange(cuts))
        return found, {"projections": levels, "candidates": sizes}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        subtrees, _ = self.subtrees(self.leaves(q[None]), effort)
        levels = self.tree.depth + 1 - effort
        step = Step("projections", np.arange(levels), subtrees[0], float(levels))
        return [step, *super().trace(q, effort, K)]

    def groups(self) -> list[Ids]:
        return [self.tree.addresses >> effort - 1 for effort in reversed(self.efforts())]


@njit(cache=True, nogil=True)
def _projections(Q: Matrix, directions: Floats) -> Floats:
    """(m, D) sums over the dimensions in order, of Q (m, d) with directions (d' >= d, D)."""
    values = np.zeros((len(Q), directions.shape[1]))
    for i in range(len(Q)):
        for j in range(Q.shape[1]):
            entry = np.float64(Q[i, j])
            for level in range(values.shape[1]):
                values[i, level] += entry * directions[j, level]
    return values


@njit(cache=True, nogil=True)
def _meet(leaves: Ids, addresses: Ids, wanted: Ids, boosting: bool, found: Ranks) -> None:
    """Write how many bits addresses must lose until each wanted item (m, w) is met; none for -1.

    Until its address is that of its query's leaf, with boosting but for one bit.
    """
    for i in range(len(wanted)):
        for j in range(wanted.shape[1]):
            if wanted[i, j] < 0:
                continue
            differing = addresses[wanted[i, j]] ^ leaves[i]
            if boosting:
                differing ^= (1 << _bit_length(differing)) >> 1  # the first of them is free
            found[i, j] = _bit_length(differing)


@njit(cache=True, nogil=True)
def _bit_length(value: int) -> int:
    """Bits needed to write `value` >= 0, below 2^53; none for 0."""
    return frexp(float(value))[1]


@njit(cache=True, nogil=True)
def _add_sizes(leaves: Ids, starts: Ids, depth: int, boosting: bool, sizes: Ids) -> None:
    """Add the items in the subtrees that each query takes at every cut to sizes (folds, cuts)."""
    for i in range(len(leaves)):
        fold = i % len(sizes)
        for cut in range(sizes.shape[1]):
            own = leaves[i] >> cut
            sizes[fold, cut] += starts[(own + 1) << cut] - starts[own << cut]
            for bit in range((depth - cut) * boosting):
                other = own ^ (1 << bit)
                sizes[fold, cut] += starts[(other + 1) << cut] - starts[other << cut]
