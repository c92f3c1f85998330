"""IP-tree: exact search with a ball tree, which may be stopped early.

Ram and Gray, "Maximum inner-product search using cone trees", KDD 2012, section 3.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import concat_lists
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.contract import Index, register
from mips_core.methods.searcher import Candidates, Ledger, Searcher, Step, effort_ladder
from mips_core.methods.trees.ball_descent import NOTHING, Record, descend, descents
from mips_core.methods.trees.ball_tree import BallTree, ball_tree


@final
@register
@dataclass(frozen=True)
class IPTree(Index):
    """Puts the items into a tree of nested balls, each split between two items far apart.

    A query goes to the more promising ball first, scores the items of the leaf it comes to, and
    turns back, leaving out every ball that cannot hold a better item than the K found. Left to end
    by itself the search is exact. Balls tell little apart in many dimensions.

    Cost: the balls whose bound was evaluated + the items of the leaves visited.
    """

    key: ClassVar[str] = "ip-tree"
    label: ClassVar[str] = "IP-tree"
    effort_name: ClassVar[str] = "Leaves"
    effort_nouns: ClassVar[tuple[str, str]] = ("leaf", "leaves")
    effort_help: ClassVar[str] = (
        "Leaves visited before a search is stopped. All of them never stops one: it ends when "
        "nothing better can be left, and is exact."
    )
    asking: ClassVar[str] = "Visiting **at most {effort} of {live} leaves**"
    group_nouns: ClassVar[tuple[str, str]] = ("leaf", "leaves")
    opens_groups: ClassVar[bool] = True
    cite: ClassVar[str] = "Ram and Gray 2012"
    complete: ClassVar[bool] = True
    depends_on_k: ClassVar[bool] = True
    main_param: ClassVar[str] = "leaf_size"

    leaf_size: int = param(
        20,
        "Leaf size",
        "Most items of a leaf, 1 to 10,000. Smaller leaves let more items be skipped, but each "
        "ball costs an inner product. 10 to 50 suit most data.",
        within=(1, 10_000),
    )

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> BallTree:
        tree = ball_tree(np.asarray(X, np.float32), self.leaf_size, rng, progress)
        progress(1.0, "built")
        return tree

    def searcher(self, structure: BallTree) -> "BallSearcher":
        return BallSearcher(structure)

    def setting(self, n: int) -> str:
        return f"up to {counted(min(self.leaf_size, n), 'item', 'items')} a leaf"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["IPTree"]:
        sizes = {min(size, n) for size in (100, 50, 20, 10, 5)}
        return [cls(leaf_size=size) for size in sorted(sizes, reverse=True)]


@final
@dataclass(frozen=True, eq=False)
class BallSearcher(Searcher):
    """Descend until `effort` leaves were visited, or until no ball can hold a better item.

    Cost = bounds evaluated, the root's included + items scored, which are the candidates. A search
    stopped earlier goes the same way as one that is not, so that one descent tells all efforts.
    """

    tree: BallTree

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.tree.n

    def efforts(self) -> Sequence[int]:
        return effort_ladder(self.tree.n_leaves)

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        visited, bounded = descents(self.tree.balls, Q, min(K, self.n), effort, ahead=False)
        balls, leaf_starts = self.tree.balls, self.tree.leaf_starts
        starts, ids = concat_lists(visited.astype(np.int64), leaf_starts, balls.members)
        return Candidates(starts, ids, {"nodes": bounded[:, -1].astype(np.int64)})

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        efforts = np.array(self.efforts())
        visited, bounded = descents(
            self.tree.balls, Q, min(K, self.n), self.tree.n_leaves, ahead=True
        )
        leaves = np.where(wanted >= 0, self.tree.labels[wanted], -1)
        found, scored = _tally(visited, np.diff(self.tree.leaf_starts), leaves, efforts)
        for at, effort in enumerate(efforts):
            yield found <= at, {"nodes": bounded[:, effort - 1], "candidates": scored[:, at]}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        visited, bounded = np.empty(effort, np.int32), np.empty(effort, np.int32)
        record = Record(visited, bounded, np.empty(len(self.tree.balls.radii), np.int64))
        descend(self.tree.balls, q, min(K, self.n), NOTHING, 0, record)
        leaf_nodes = np.flatnonzero(self.tree.balls.leaf >= 0)[visited[visited >= 0]]
        step = Step("nodes", record.nodes[: bounded[-1]], leaf_nodes, float(bounded[-1]))
        return [step, *super().trace(q, effort, K)]

    def groups(self) -> list[Ids]:
        sizes = [self.n // 8**level for level in range(1, 8) if self.n // 8**level > 1]
        return [self.tree.cut(size) for size in sizes] + [self.tree.labels]


@njit(cache=True, nogil=True)
def _tally(visited: Ranks, sizes: Ids, leaves: Ids, efforts: Ids) -> tuple[Ranks, Ids]:
    """Positions in efforts (p,) at which the leaves (m, w) of wanted items are visited, p: never;
    items scored (m, p) at each. visited (m, L), sizes (L,); -1 in leaves: nothing wanted."""
    m, p = len(visited), len(efforts)
    found = np.full(leaves.shape, p, np.int32)
    scored = np.zeros((m, p), np.int64)
    for i in range(m):
        visited_at = np.full(len(sizes), p, np.int32)
        total = at = 0
        for position in range(visited.shape[1]):
            leaf = visited[i, position]
            if leaf >= 0:
                visited_at[leaf] = at
                total += sizes[leaf]
            if position + 1 == efforts[at]:
                scored[i, at] = total
                at += 1
        for j in range(leaves.shape[1]):
            if leaves[i, j] >= 0:
                found[i, j] = visited_at[leaves[i, j]]
    return found, scored
