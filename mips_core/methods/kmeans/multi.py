"""Several flat clusterings at once: an item missed by one may be found by another.

Auvolat et al. 2015 name this as future work.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import stream
from mips_core.methods.capabilities import Updated
from mips_core.methods.contract import Index, register
from mips_core.methods.kmeans.cluster_tree import update_tree
from mips_core.methods.kmeans.multi_search import Clusterings, MultiProbeSearcher, side_by_side
from mips_core.methods.kmeans.parameters import KMeansParams, build_tree, clusters_param
from mips_core.methods.soundness import expect_built


@final
@register
@dataclass(frozen=True)
class MultiKMeans(KMeansParams, Index):
    """Clusters the items several times over, each time from a different random start.

    A query opens its best p clusters of every clustering, and the items in any of them are scored
    once. Neighbours that one clustering separates are often together in another.

    Cost: the live clusters of all clusterings + the items in any of the p clusters opened in each.
    """

    key: ClassVar[str] = "multi-kmeans"
    label: ClassVar[str] = "Multi k-means"
    effort_name: ClassVar[str] = "Probes"
    effort_nouns: ClassVar[tuple[str, str]] = ("probe", "probes")
    effort_help: ClassVar[str] = (
        "Clusters opened in each clustering. More find more and cost more. 1 to the number of "
        "clusters."
    )
    asking: ClassVar[str] = "Opening **{effort} of {live} clusters** in each clustering"
    group_nouns: ClassVar[tuple[str, str]] = ("cluster", "clusters of one clustering")
    cite: ClassVar[str] = "Auvolat et al. 2015, future work"

    n_clusterings: int = param(
        3,
        "Clusterings",
        "How often the items are clustered, 1 to 16. Each adds its centroids to the cost of every "
        "query; 1 is flat k-means, 2 or 3 are usual.",
        within=(1, 16),
    )
    n_clusters: int = clusters_param(
        0,
        "Groups of each clustering, 2 to n; 0 means the square root of n. All of them are compared "
        "with the query, so fewer are best than for one clustering.",
    )

    def clusters(self, n: int) -> int:
        """How many clusters each clustering is asked for on n items."""
        return min(self.n_clusters, n) or round(n**0.5)

    def explicit(self, n: int) -> "MultiKMeans":
        return replace(self, n_clusters=self.clusters(n), fit=self.fit_on(n, self.clusters(n)))

    def build(
        self, X: Matrix, rng: np.random.Generator, progress: Progress = silent
    ) -> Clusterings:
        R = self.n_clusterings
        trees = []
        for r in range(R):
            draws = stream(rng, "clustering", r) if r else rng  # the first is the flat index's own
            report = span(progress, r / R, (r + 1) / R)
            trees.append(build_tree(self, (self.clusters(len(X)),), X, draws, report))
        return side_by_side(trees)

    def check_built(self, structure: Clusterings) -> None:
        expect_built(len(structure.trees), self.n_clusterings, "clusterings")
        for tree in structure.trees:
            self.check_tree(tree, 1, self.n_clusters)

    def searcher(self, structure: Clusterings) -> MultiProbeSearcher:
        return MultiProbeSearcher(structure)

    def update(self, structure: Clusterings, X: Matrix, before: Ids, placed: Mask) -> Updated:
        parts = [update_tree(self.reduction, tree, X, before, placed) for tree in structure.trees]
        spent = {"centroids": sum(part.inner_products for part in parts)}
        trees = side_by_side([part.structure for part in parts])
        return replace(parts[0], structure=trees, spent=spent)

    def refresh(
        self, structure: Clusterings, X: Matrix, rounds: int, progress: Progress
    ) -> Updated:
        R = len(structure.trees)
        trees = side_by_side(
            [
                self.refresh_tree(tree, X, rounds, span(progress, r / R, (r + 1) / R))
                for r, tree in enumerate(structure.trees)
            ]
        )
        return Updated(trees, {"centroids": trees.build_cost}, len(X))

    def setting(self, n: int) -> str:
        return f"{self.n_clusterings} × {self.clusters(n):,} clusters"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["MultiKMeans"]:
        counts = (round(n**0.5 * factor) for factor in (0.25, 0.5, 1, 2, 4))
        return [cls(n_clusters=k) for k in sorted({min(max(k, 2), n) for k in counts})]
