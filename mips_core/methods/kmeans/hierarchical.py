"""Hierarchical spherical k-means: clusters of clusters, searched with a beam.

Auvolat et al. 2015, Algorithm 2 and section 4.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import ParamError
from mips_core.base.limits import MAX_CLUSTERS
from mips_core.base.params import format_value, param
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.contract import Index, register
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.flat import ProbeSearcher
from mips_core.methods.kmeans.levels_search import BeamSearcher, LevelProbeSearcher
from mips_core.methods.kmeans.parameters import KMeansParams, build_tree, clusters_param
from mips_core.methods.searcher import Searcher


@final
@register
@dataclass(frozen=True)
class HierarchicalKMeans(KMeansParams, Index):
    """Clusters the items, then the centroids, and so on, into a tree of L levels.

    A query descends with a beam: at each level it scores the children of the p clusters kept above
    and keeps the best p of them. With one level it is flat k-means. With coarse probes it keeps
    that many above the finest level, and p there alone.

    Cost: the clusters scored at every level + the items of the last p.
    """

    key: ClassVar[str] = "hierarchical-kmeans"
    label: ClassVar[str] = "Hierarchical k-means"
    effort_name: ClassVar[str] = "Branches"
    effort_nouns: ClassVar[tuple[str, str]] = ("branch", "branches")
    effort_help: ClassVar[str] = (
        "A branch is a cluster with all that is below it. At each level the best are kept and the "
        "rest is left out; coarse probes, where set, are how many above the finest level. More "
        "find more and cost more; now and then more lose an answer. Empty clusters do not count."
    )
    asking: ClassVar[str] = "Keeping at each level the best **{effort} of {live} branches**"
    group_nouns: ClassVar[tuple[str, str]] = ("cluster", "clusters")
    opens_groups: ClassVar[bool] = True
    cite: ClassVar[str] = "Auvolat et al. 2015, Algorithm 2"

    n_levels: int = param(
        2,
        "Levels",
        "1 is flat. Each further level adds a coarser clustering, so fewer centroids are compared.",
        within=(1, 6),
    )
    n_clusters: int = clusters_param(
        0,
        "Clusters of the finest level; 0 means n to the power L/(L+1) for L levels. Coarser "
        "levels follow: equal ratios from one level to the next.",
    )
    coarse_factor: float = param(
        1.0,
        "Coarse factor",
        "Times as many clusters above the finest level as equal ratios give, 1 to 10. With 2 or "
        "3 fewer answers are lost at the same cost, where many clusters are opened.",
        within=(1.0, 10.0),
    )
    sizes: tuple[int, ...] = param(
        (),
        "Sizes",
        "Clusters of every level, coarse to fine, such as 46x2154, in place of the rule.",
        within=(1, MAX_CLUSTERS),
    )
    coarse_probes: int = param(
        0,
        "Coarse probes",
        "Clusters kept at each level above the finest; the branches are then those of the finest "
        "level alone. 0 keeps as many at every level, as in the paper.",
        within=(0, MAX_CLUSTERS),
        at="search",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sizes and len(self.sizes) != self.n_levels:
            raise ParamError(
                f"sizes {format_value(self.sizes)} names {len(self.sizes)} levels, "
                f"n_levels is {self.n_levels}.",
                "Give one size a level, or set n_levels to match.",
            )

    def level_sizes(self, n: int) -> tuple[int, ...]:
        """Clusters asked for at each level on n items, coarse to fine."""
        levels = self.n_levels
        if self.sizes:
            return tuple(min(k, n) for k in self.sizes)
        finest = min(self.n_clusters, n) or n ** (levels / (levels + 1))
        equal = [finest ** ((level + 1) / levels) for level in range(levels)]
        coarse = [min(k * self.coarse_factor, finest) for k in equal[:-1]]
        return tuple(max(round(k), 1) for k in (*coarse, finest))

    def explicit(self, n: int) -> "HierarchicalKMeans":
        sizes = self.level_sizes(n)
        fitted = replace(self, fit=self.fit_on(n, sizes[-1]))
        finest = replace(fitted, n_clusters=sizes[-1])
        return finest if finest.level_sizes(n) == sizes else fitted

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> KMeansTree:
        return build_tree(self, self.level_sizes(len(X)), X, rng, progress)

    def check_built(self, structure: KMeansTree) -> None:
        most = self.sizes[-1] if self.sizes else self.n_clusters
        self.check_tree(structure, self.n_levels, most)

    def searcher(self, structure: KMeansTree) -> Searcher:
        if len(structure.levels) == 1:
            return ProbeSearcher(structure)
        if self.coarse_probes:
            return LevelProbeSearcher(structure, self.coarse_probes)
        return BeamSearcher(structure)

    def setting(self, n: int) -> str:
        clusters = " × ".join(f"{k:,}" for k in self.level_sizes(n)) + " clusters"
        if not self.coarse_probes or self.n_levels == 1:
            return clusters
        return f"{clusters}, {counted(self.coarse_probes, 'coarse probe', 'coarse probes')}"

    @property
    def misses_nothing(self) -> bool:
        return not self.coarse_probes or self.n_levels == 1

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["HierarchicalKMeans"]:
        finest, most = n ** (2 / 3), min(n, MAX_CLUSTERS)
        tried = [(1.0, f) for f in (0.25, 0.5, 1, 2, 4)] + [(2.0, f) for f in (0.5, 1, 2)]
        sizes = [(coarse, min(max(round(finest * factor), 2), most)) for coarse, factor in tried]
        trees = [cls(n_clusters=k, coarse_factor=c) for c, k in sizes]
        indexes = (replace(tree, coarse_probes=p) for tree in trees for p in (0, 3, 6, 12, 24))
        return list({index.setting(n): index for index in indexes}.values())
