"""How several flat clusterings are asked at once: each opens clusters, their items are joined."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import concat_lists, distinct_ids
from mips_core.methods.cluster_order.first import first_clusters
from mips_core.methods.cluster_order.order import cluster_order
from mips_core.methods.clustering.rounds import Clustering
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.searcher import Candidates, Ledger, NestedSearcher, Step
from mips_core.methods.soundness import expect, expect_equal

LANES = 16  # queries whose ranks of a cluster stand side by side, so that one look-up serves all


@dataclass(frozen=True, slots=True, eq=False)
class Clusterings:
    """What was built: R flat clusterings.

    labels (R, n) int32: the cluster of each item in each; live (R,): clusters of each; starts,
    members: the items of every cluster as lists, one clustering after the other.
    """

    trees: tuple[KMeansTree, ...]
    labels: Ranks
    live: Ids
    starts: Ids
    members: Ids

    @property
    def histories(self) -> tuple[Clustering, ...]:
        """How each clustering came about."""
        return tuple(tree.histories[-1] for tree in self.trees)

    @property
    def build_cost(self) -> int:
        """Inner products of the rounds of all clusterings."""
        return sum(tree.build_cost for tree in self.trees)

    def check(self, n: int, d: int) -> None:
        """Flat trees of all items, and the lists that follow from them."""
        expect(self.trees, "it has no clustering")
        for tree in self.trees:
            tree.check(n, d)
            expect(len(tree.levels) == 1, "a clustering has more than one level")
        beside = side_by_side(self.trees)
        expect_equal(self.labels, beside.labels, "labels")
        expect_equal(self.live, beside.live, "live clusters")
        expect_equal(self.starts, beside.starts, "starts")
        expect_equal(self.members, beside.members, "members")


def side_by_side(trees: Sequence[KMeansTree]) -> Clusterings:
    """Flat trees of the same n items as one structure."""
    levels = [tree.levels[0] for tree in trees]
    n = trees[0].n
    starts = [level.starts[:-1] + r * n for r, level in enumerate(levels)]
    return Clusterings(
        tuple(trees),
        labels=np.stack([level.labels for level in levels]).astype(np.int32),
        live=np.array([len(level.centroids) for level in levels]),
        starts=np.concatenate([*starts, [len(trees) * n]]),
        members=np.concatenate([level.members for level in levels]),
    )


@final
@dataclass(frozen=True, eq=False)
class MultiProbeSearcher(NestedSearcher):
    """Open the p clusters of largest q.c in each clustering; score the union of their items.

    A clustering of fewer than p live clusters opens all of them.
    """

    built: Clusterings

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.built.labels.shape[1]

    def efforts(self) -> Sequence[int]:
        return range(1, int(self.built.live.max()) + 1)

    def orders(self, Q: Matrix) -> Ranks:
        """(R, m, p) clusters of each clustering as they are opened; -1 after its last."""
        orders = np.full((len(self.built.trees), len(Q), len(self.efforts())), -1, np.int32)
        for tree, order in zip(self.built.trees, orders, strict=True):
            own = cluster_order(tree.lift.queries(Q), tree.levels[0].centroids)
            order[:, : own.shape[1]] = own
        return orders

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        built = self.built
        before = np.cumsum(built.live) - built.live  # clusters of the clusterings before each
        opened = [
            first_clusters(tree.lift.queries(Q), tree.levels[0].centroids, min(effort, live))
            for tree, live in zip(built.trees, built.live.tolist(), strict=True)
        ]
        clusters = np.concatenate([own + b for own, b in zip(opened, before, strict=True)], axis=1)
        starts, ids = distinct_ids(*concat_lists(clusters, built.starts, built.members), self.n)
        return Candidates(starts, ids, {"centroids": np.full(len(Q), built.live.sum())})

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        orders = self.orders(Q)
        found, sizes = _first_opened(orders, self.built.labels, wanted)
        compared = np.broadcast_to(self.built.live.sum(), sizes.shape)
        return found, {"centroids": compared, "candidates": np.cumsum(sizes, axis=1)}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        steps = []
        for live, order in zip(self.built.live, self.orders(q[None])[:, 0], strict=True):
            kept = order[: min(effort, live)].astype(np.int64)
            steps.append(Step("centroids", np.arange(live), kept, float(live)))
        return [*steps, *super().trace(q, effort, K)]

    def centroids(self) -> list[Matrix]:
        return [tree.levels[0].centroids for tree in self.built.trees]

    def groups(self) -> list[Ids]:
        """Item -> cluster, of each clustering; none is coarser than another."""
        return [tree.levels[0].labels for tree in self.built.trees]


def _first_opened(orders: Ranks, labels: Ranks, wanted: Ids) -> tuple[Ranks, Ids]:
    """When items are first opened: wanted ones (m, w), and (m, p) how many of all at each step.

    orders (R, m, p) clusters as they are opened, labels (R, n); -1 in wanted: never, p.
    """
    R, m, p = orders.shape
    found = np.full(wanted.shape, p, np.int32)
    sizes = np.zeros((m, p), np.int64)
    ranks = np.empty((R, p, LANES), np.int32)
    for first in range(0, m, LANES):
        rows = slice(first, first + LANES)
        _rank_clusters(np.ascontiguousarray(orders[:, rows]), ranks)
        _count_first(ranks, labels, sizes[rows])
        _find_first(ranks, labels, wanted[rows], found[rows])
    return found, sizes


@njit(cache=True, nogil=True)
def _rank_clusters(orders: Ranks, ranks: Ranks) -> None:
    """ranks (R, p, LANES): when each cluster is opened by each of the b queries; 0 beyond."""
    R, b, p = orders.shape
    ranks[:] = 0
    for r in range(R):
        for i in range(b):
            for at in range(p):
                if orders[r, i, at] >= 0:
                    ranks[r, orders[r, i, at], i] = at


@njit(cache=True, nogil=True)
def _count_first(ranks: Ranks, labels: Ranks, sizes: Ids) -> None:
    """Count in sizes (b, p) the items that each query opens first at each step."""
    first = np.empty(LANES, np.int32)
    counts = np.zeros((sizes.shape[1], LANES), np.int32)
    for item in range(labels.shape[1]):
        first[:] = ranks[0, labels[0, item]]
        for r in range(1, len(labels)):
            cluster = labels[r, item]
            for i in range(LANES):
                first[i] = min(first[i], ranks[r, cluster, i])
        for i in range(LANES):
            counts[first[i], i] += 1
    for i in range(len(sizes)):
        sizes[i] += counts[:, i]


@njit(cache=True, nogil=True)
def _find_first(ranks: Ranks, labels: Ranks, wanted: Ids, found: Ranks) -> None:
    """Write when each wanted item (b, w) is first opened; -1 in wanted: leave it."""
    for i in range(len(wanted)):
        for j in range(wanted.shape[1]):
            if wanted[i, j] >= 0:
                for r in range(len(labels)):
                    rank = ranks[r, labels[r, wanted[i, j]], i]
                    found[i, j] = min(found[i, j], rank)
