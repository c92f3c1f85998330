"""Flat spherical k-means: score the items of the clusters that point the query's way.

Auvolat et al. 2015, Algorithm 1 and section 4.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.progress import Progress, silent
from mips_core.methods.contract import Index, register
from mips_core.methods.kmeans.cluster_tree import (
    KMeansParams,
    KMeansTree,
    build_tree,
    clusters_param,
)
from mips_core.methods.kmeans.flat_search import searcher_of
from mips_core.methods.searcher import Searcher


@final
@register
@dataclass(frozen=True)
class FlatKMeans(KMeansParams, Index):
    """Puts items that point the same way into one of k clusters, by spherical k-means.

    The reduction first turns inner product into cosine. A query is compared with every centroid,
    and the items of the p clusters that point most its way are scored.

    Cost: k live clusters + the items of the p clusters opened.
    """

    key: ClassVar[str] = "flat-kmeans"
    label: ClassVar[str] = "Flat k-means"
    effort_name: ClassVar[str] = "Probes"
    effort_nouns: ClassVar[tuple[str, str]] = ("probe", "probes")
    effort_help: ClassVar[str] = (
        "Clusters opened for each query. More find more and cost more. 1 to the number of clusters."
    )
    asking: ClassVar[str] = "Opening **{effort} of {live} clusters**"
    group_nouns: ClassVar[tuple[str, str]] = ("cluster", "clusters")
    opens_groups: ClassVar[bool] = True
    cite: ClassVar[str] = "Auvolat et al. 2015, Algorithm 1"
    complete: ClassVar[bool] = True
    main_param: ClassVar[str] = "n_clusters"

    n_clusters: int = clusters_param(
        0,
        "Groups the items are put into, 2 to n; 0 means the square root of n. More are smaller "
        "and more exact, but each costs one inner product a query. Empty groups are dropped, so "
        "there may be fewer.",
    )

    def clusters(self, n: int) -> int:
        """How many clusters are asked for on n items."""
        return min(self.n_clusters, n) or round(n**0.5)

    def explicit(self, n: int) -> "FlatKMeans":
        return replace(self, n_clusters=self.clusters(n))

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> KMeansTree:
        return build_tree(self, (self.clusters(len(X)),), X, rng, progress)

    def check_built(self, structure: KMeansTree) -> None:
        self.check_tree(structure, 1, self.n_clusters)

    def searcher(self, structure: KMeansTree) -> Searcher:
        return searcher_of(structure)

    def setting(self, n: int) -> str:
        k = self.clusters(n)
        return f"{k:,} {'cluster' if k == 1 else 'clusters'}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["FlatKMeans"]:
        counts = (round(n**0.5 * factor) for factor in (0.25, 0.5, 1, 2, 4, 8))
        return [cls(n_clusters=k) for k in sorted({min(max(k, 2), n) for k in counts})]
