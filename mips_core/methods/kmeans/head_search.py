"""How a norm head and clusters are asked: the head for every query, then the best clusters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, final

import numpy as np

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import concat_lists, distinct_ids, row_norms
from mips_core.methods.capabilities import Descent, InvertedLists
from mips_core.methods.cluster_order.first import first_clusters
from mips_core.methods.cluster_order.order import cluster_order
from mips_core.methods.clustering.rounds import Clustering
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.soft_lists import SoftLists, first_opened, lists_of
from mips_core.methods.searcher import Candidates, Ledger, ListSearcher, NestedSearcher, Step
from mips_core.methods.soundness import check_unit, check_within, expect, expect_equal

HEAD = 2.0  # entry of the head's centroid: no other promises more than the root of 2, times |q|
Probing = Literal["centroid", "mean", "spread"]
NORM = "norm of the query"  # the part of the ledger that spread probing spends on it
NOTHING = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class HeadAndClusters:
    """What was built: the longest items, and clusters of the others, the tail.

    tree: one level of clusters over the tail, its items numbered as there; lists: number 0 is the
    head, c + 1 is cluster c. means (k, d + 1) float32: the mean of the items of each cluster, and
    SPREADS times their standard deviation a dimension; all on one scale, so that no row is longer
    than 1.
    """

    tree: KMeansTree
    lists: SoftLists
    means: Matrix

    @property
    def histories(self) -> tuple[Clustering, ...]:
        """How the clusters of the tail came about."""
        return self.tree.histories

    @property
    def build_cost(self) -> int:
        """Inner products of the rounds of k-means over the tail."""
        return self.tree.build_cost

    def check(self, n: int, d: int) -> None:
        """One level of clusters over the tail, and the lists that follow from labels."""
        expect(len(self.tree.levels) == 1, "the tail is not of one level")
        labels, level = self.lists.labels, self.tree.levels[0]
        self.tree.check(self.tree.n, d)
        check_unit(self.means, (len(level.centroids), d + 1), "means")
        expect(labels.shape in ((1, n), (2, n)), f"labels are {labels.shape} for {n} items")
        check_within(labels, len(level.centroids) + 1, "a label")
        tail = np.flatnonzero(labels[0])
        expect_equal(labels[0, tail] - 1, level.labels, "the clusters of the tail")
        expected = lists_of(labels, len(level.centroids) + 1)
        for name in ("starts", "members", "pairs", "shared"):
            expect_equal(getattr(self.lists, name), getattr(expected, name), name)


@dataclass(frozen=True, eq=False)
class HeadSearcher(NestedSearcher):
    """Open lists, each item scored once: the head, then the clusters that promise most.

    An effort counts lists. The head alone compares no cluster; without a head, the first list is
    a cluster.
    """

    built: HeadAndClusters
    probing: Probing
    why_no_descent: ClassVar[str] = (
        "Items with a copy are in two lists, and faiss would answer them twice."
    )

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.built.lists.labels.shape[1]

    @property
    def k(self) -> int:
        """Live clusters."""
        return len(self.built.means)

    @property
    def heads(self) -> int:
        """1 where there is a head, else 0."""
        return int(self.built.lists.starts[1] > 0)

    def efforts(self) -> Sequence[int]:
        return range(1, self.heads + self.k + 1)

    def promises(self, Q: Matrix) -> tuple[Matrix, Matrix]:
        """Queries and clusters, as `cluster_order` takes them: inner products are promises."""
        tree, means, d = self.built.tree, self.built.means, Q.shape[1]
        if self.probing == "centroid":
            return Q, tree.levels[0].centroids  # what a lift adds to queries is zero
        if self.probing == "mean":
            return Q, np.ascontiguousarray(means[:, :d])
        return np.column_stack([Q, row_norms(Q)]).astype(np.float32), means  # q.mean + |q| spread

    def chosen_by(self, effort: int) -> dict[str, int]:
        """{part: inner products} that choose the clusters: with all of them, and for the norm."""
        chooses = int(effort > self.heads)
        norm = {NORM: chooses} if self.probing == "spread" else {}
        return {"centroids": self.k * chooses, **norm}

    def compared(self, effort: int) -> int:
        """Inner products that choose the clusters, in all."""
        return sum(self.chosen_by(effort).values())

    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        """(m, effort) lists as they are opened, and what choosing them cost."""
        lists = np.zeros((len(Q), effort), np.int64)
        if effort > self.heads:
            lists[:, self.heads :] = first_clusters(*self.promises(Q), effort - self.heads) + 1
        return lists, {part: np.full(len(Q), n) for part, n in self.chosen_by(effort).items()}

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        opened, spent = self.opened(Q, effort)
        lists = self.built.lists
        listed = concat_lists(opened, lists.starts, lists.members)
        return Candidates(*(distinct_ids(*listed, self.n) if len(lists.pairs) else listed), spent)

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        lists = self.built.lists
        order = np.pad(cluster_order(*self.promises(Q)) + np.int32(1), ((0, 0), (self.heads, 0)))
        found, repeats = first_opened(order, lists.labels, lists.pairs, lists.shared, wanted)
        chosen_by = [self.chosen_by(effort) for effort in self.efforts()]
        costs = {
            part: np.broadcast_to([each[part] for each in chosen_by], order.shape)
            for part in chosen_by[0]
        }
        return found, {**costs, "candidates": np.cumsum(lists.sizes[order] - repeats, axis=1)}

    def bytes_a_query(self) -> int:
        return 40 * (self.heads + self.k)

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        opened, _ = self.opened(q[None], effort)
        last = super().trace(q, effort, K)
        if effort == self.heads:
            return last
        clusters, kept = np.arange(1, self.k + 1), opened[0, self.heads :]
        norm = [Step(NORM, NOTHING, NOTHING, 1.0)] if self.probing == "spread" else []
        return [*norm, Step("centroids", clusters, kept, float(self.k)), *last]

    def groups(self) -> list[Ids]:
        """0 for the head, else 1 + the cluster of an item, not that of its copy."""
        return [self.built.lists.labels[0].astype(np.int64)]


@final
@dataclass(frozen=True, eq=False)
class HeadListSearcher(HeadSearcher, ListSearcher):
    """The same where no item has a copy: it opens whole lists."""

    def lists(self) -> tuple[Ids, Ids]:
        return self.built.lists.starts, self.built.lists.members

    def descent(self, X: Matrix, effort: int) -> Descent:
        """The head is a list that every query [q, |q|] opens first: its centroid is [0, 2].

        Clusters promise q.c + |q| s, with s the spread, else 0. All of [c, s] are at most 1 long,
        so that none promises 2 |q|. Items become [x, 0]. There the head's centroid is compared and
        here it is not, even where the head is all that is opened; with spreads, |q| counts here.
        """
        d, spread = X.shape[1], self.probing == "spread"
        _, promising = self.promises(np.zeros((1, d), np.float32))
        asks_norm = spread or self.heads > 0
        centroids = np.zeros((self.heads + self.k, d + asks_norm), np.float32)
        centroids[self.heads :, : d + spread] = promising[:, : d + spread]
        if self.heads:
            centroids[0, d] = HEAD
        starts, members = self.lists()
        lists = InvertedLists(X, starts[1 - self.heads :], members)  # of no head list 0 is empty
        return Descent(centroids, (lists,), (effort,), d + asks_norm, asks_norm)
