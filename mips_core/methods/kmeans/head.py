"""A norm head and clusters: the longest items are scored for every query, the others clustered.

Where norms are very unequal, as on recommender data, the longest items win most queries, and a
clustering alone wastes what it knows on finding them (see `largest_norm`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.kernels import order_of, row_norms
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.capabilities import NEW, Updated
from mips_core.methods.clustering.nearest import assign
from mips_core.methods.contract import Index, register
from mips_core.methods.kmeans.cluster_tree import (
    KMeansTree,
    head_of,
    longest_known,
    relabelled,
    within,
)
from mips_core.methods.kmeans.head_search import (
    HeadAndClusters,
    HeadListSearcher,
    HeadSearcher,
    Probing,
)
from mips_core.methods.kmeans.parameters import KMeansParams, build_tree, clusters_param
from mips_core.methods.kmeans.soft_lists import SoftLists, lists_of, means_of, second_best
from mips_core.methods.reductions import lengths_of
from mips_core.methods.searcher import effort_ladder
from mips_core.methods.soundness import expect_built

# Shares of the items, and the clusters tried with each as multiples of the root of n. By itself a
# head is some 90, 27 and 9 times quicker than exact search: there it is the largest-norm baseline.
GRID = {0.0: (1, 2, 4), 0.0111: (0.5, 1, 2), 0.037: (0.5, 1, 2), 0.111: (1, 2)}


@final
@register
@dataclass(frozen=True)
class HeadKMeans(KMeansParams, Index):
    """Scores the items of largest norm for every query, and clusters the others.

    The longest items win most queries where norms are unequal. The others, the tail, are put into
    clusters by spherical k-means, and a query opens those that promise most.

    Cost: the items of the head. Where clusters are opened, also k live clusters, with spread
    probing 1 for the norm of the query, and the items of the clusters opened, each once.
    """

    key: ClassVar[str] = "head-kmeans"
    label: ClassVar[str] = "Norm head + k-means"
    effort_name: ClassVar[str] = "Lists"
    effort_nouns: ClassVar[tuple[str, str]] = ("list", "lists")
    effort_help: ClassVar[str] = (
        "Lists of items opened for each query: the head, where there is one, then clusters. More "
        "find more and cost more. With a head, 1 is the head alone."
    )
    asking: ClassVar[str] = "Opening **{effort} of {live} lists**"
    group_nouns: ClassVar[tuple[str, str]] = ("list", "lists")
    opens_groups: ClassVar[bool] = True
    cite: ClassVar[str] = "after Auvolat et al. 2015, Algorithm 1"

    head: float = param(
        0.01,
        "Head",
        "Share of the items, those of largest norm, that every query scores: 0 to 0.5. 0.01 to "
        "0.05 on recommender data; 0 where norms are alike.",
        within=(0.0, 0.5),
    )
    n_clusters: int = clusters_param(
        0,
        "Groups the items of the tail are put into, 1 to their number; 0 means its square root.",
    )
    probing: Probing = param(
        "spread",
        "Probing",
        "What orders the clusters. centroid: the query's inner product with the unit centroid, as "
        "in the paper. mean: with the mean of the items. spread: that, and twice their standard "
        "deviation in any direction, about what the best of them score.",
        choices=("centroid", "mean", "spread"),
        phrase="{} probing",
        at="search",
    )
    copies: int = param(
        1,
        "Copies",
        "2 puts each item of the tail into its second best cluster too: fewer are missed, more "
        "are scored. 1 or 2.",
        within=(1, 2),
        phrase="{} copies",
    )

    def head_size(self, n: int) -> int:
        """How many of n items are in the head; at least half are not.

        The share rounded down to an effort of the largest-norm baseline, so that the head alone is
        a point of that curve.
        """
        steps = [0, *effort_ladder(n)]
        return steps[bisect_right(steps, int(self.head * n)) - 1]

    def clusters(self, n: int) -> int:
        """How many clusters are asked for on n items."""
        tail = n - self.head_size(n)
        return min(self.n_clusters, tail) or round(tail**0.5)

    def explicit(self, n: int) -> "HeadKMeans":
        fit = self.fit_on(n - self.head_size(n), self.clusters(n))
        return replace(self, n_clusters=self.clusters(n), fit=fit)

    def build(
        self, X: Matrix, rng: np.random.Generator, progress: Progress = silent
    ) -> HeadAndClusters:
        X = np.asarray(X, np.float32)  # from float16, say
        longest = order_of(row_norms(X), np.arange(len(X)))[: self.head_size(len(X))]
        in_tail = np.ones(len(X), np.bool_)
        in_tail[longest] = False
        tail = np.flatnonzero(in_tail)
        rows = X[tail] if len(longest) else X
        tree = build_tree(self, (self.clusters(len(X)),), rows, rng, progress)
        return self.around(tree, X, tail)

    def around(self, tree: KMeansTree, X: Matrix, tail: Ids) -> HeadAndClusters:
        """What is built of `tree`, clusters over the items `tail` of X; the others are the head."""
        rows = X[tail] if len(tail) < len(X) else X
        lists = _lists(tree, rows, tail, len(X), self.copies)
        return HeadAndClusters(tree, lists, means_of(X, lists))

    def check_built(self, structure: HeadAndClusters) -> None:
        expect_built(len(structure.lists.labels), self.copies, "copies")
        self.check_tree(structure.tree, 1, self.n_clusters)

    def searcher(self, structure: HeadAndClusters) -> HeadSearcher:
        once = len(structure.lists.pairs) == 0
        return (HeadListSearcher if once else HeadSearcher)(structure, self.probing)

    def update(self, structure: HeadAndClusters, X: Matrix, before: Ids, placed: Mask) -> Updated:
        """Rows longer than all of the tail join the head while it has room; others are placed.

        A row of the head that moved stays there while it is as long as those. What clusters
        promise, the means of their items, is frozen with their centroids. A copy is chosen by the
        products that chose the cluster.
        """
        tree, former = structure.tree, structure.lists.labels
        labels = np.where(before == NEW, 1, former[:, before]).astype(np.int32)
        moving, longer, excess = np.flatnonzero(placed), 0, 1.0
        if structure.lists.starts[1] and len(moving):
            stay = int(((labels[0] == 0) & ~placed).sum())
            room = max(self.head_size(len(X)) - stay, 0)
            most = longest_known(self.reduction, tree.lift)
            to_head = head_of(most, X[moving], labels[0, moving], room)
            labels[:, moving[to_head]] = 0
            moving = np.delete(moving, to_head)
        centroids = tree.levels[0].centroids
        if len(moving):
            rows, too_long, excess = within(self.reduction, tree.lift, X[moving])
            best = assign(rows, centroids, lengths_of(rows))
            labels[0, moving] = best + 1
            longer = int(too_long.sum())
            if self.copies == 2:
                labels[1, moving] = second_best(rows[:], centroids, best) + 1
        of_tail = labels[0][labels[0] > 0].astype(np.int64) - 1
        lists = lists_of(labels, len(centroids) + 1)
        return Updated(
            HeadAndClusters(relabelled(tree, of_tail), lists, structure.means),
            {"centroids": len(centroids) * len(moving)},
            int(placed.sum()),
            longer,
            excess,
        )

    def refresh(
        self, structure: HeadAndClusters, X: Matrix, rounds: int, progress: Progress
    ) -> Updated:
        tail = np.flatnonzero(structure.lists.labels[0])
        if not len(tail):  # nothing is clustered
            return Updated(structure, {"centroids": 0}, 0)
        X = np.asarray(X, np.float32)
        tree = self.refresh_tree(structure.tree, X[tail], rounds, progress)
        return Updated(self.around(tree, X, tail), {"centroids": tree.build_cost}, len(tail))

    def setting(self, n: int) -> str:
        head = f"head of {100 * self.head:.6g}%" if self.head else "no head"
        head += " (no item)" if self.head and not self.head_size(n) else ""
        return f"{head}, {counted(self.clusters(n), 'cluster', 'clusters')}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["HeadKMeans"]:
        settings = {}
        for head, factors in GRID.items():
            for factor in factors:
                index = cls(head=head, n_clusters=min(max(round(factor * n**0.5), 2), n))
                settings[index.setting(n)] = index
        return list(settings.values())


def _lists(tree: KMeansTree, rows: Matrix, tail: Ids, n: int, copies: int) -> SoftLists:
    """The head as list 0, the clusters of the tail's `rows` from 1 on, as items of all n."""
    level = tree.levels[0]
    labels = np.zeros((copies, n), np.int32)
    labels[0, tail] = level.labels + 1
    if copies == 2:
        lifted = tree.lift.items(rows)
        labels[1, tail] = second_best(lifted, level.centroids, level.labels) + 1
    return lists_of(labels, len(level.centroids) + 1)
