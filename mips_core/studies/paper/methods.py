"""What is built for the paper's figures and claims, and which methods are made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mips_core.methods.indexes import INDEXES, Index
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.multi import MultiKMeans
from mips_core.studies.paper.sums import Sums, joined

CONVERGED = 1000  # rounds at most: k-means ends before, as in the paper
SHORT = FlatKMeans().max_rounds  # rounds by default here
OPENED = (1, 2, 3)  # the p of k-means(1), (2) and (3)
BRANCHES = 8  # of hier-k-means(8)
PLAIN = ("pca-tree", "largest-norm")  # built the same whatever the seed
LARGE = 50_000  # items from which the dearest builds are left out
DATA_FREE = ("srp-hash", "wta-hash")
TREES_AND_HASHES = ("pca-tree", *DATA_FREE)
RIVALS = ("ip-tree", "simple-lsh", "l2-alsh", "product-quantization", "largest-norm")


def plan(n: int, d: int, quick: bool = False) -> dict[str, Sequence[Index]]:
    """Name -> the settings that are built, for n items of d dimensions. `quick` has fewer."""
    factors = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, *(() if quick or n > LARGE else (8,)))
    counts = sorted({min(max(round(n**0.5 * factor), 2), n) for factor in factors})
    flat = [FlatKMeans(n_clusters=k) for k in counts]
    finest = n ** (2 / 3)
    sizes = (0.25, 0.5, 1) if quick or n > LARGE else (0.25, 0.5, 1, 2)
    trees = [HierarchicalKMeans(n_clusters=min(max(round(finest * f), 4), n)) for f in sizes]
    grids: dict[str, Sequence[Index]] = {
        key: INDEXES[key].grid(n, d) for key in (*TREES_AND_HASHES, *RIVALS)
    }
    grids["ip-tree"] = grids["ip-tree"][:3:2]
    pq = grids["product-quantization"]
    grids["product-quantization"] = pq[2:7:2] or pq
    if quick:
        grids |= {key: grids[key][::2] for key in ("srp-hash", "simple-lsh", "l2-alsh")}
        grids["product-quantization"] = grids["product-quantization"][:2]
    fewer = counts[2:5] or counts
    several = [MultiKMeans(n_clusterings=r, n_clusters=k) for r in (2, 3) for k in fewer]
    return {
        "flat": [_converged(index, n) for index in flat],
        "hierarchical": [_converged(index, n) for index in trees],
        "short": [*flat],
        "default": [FlatKMeans()],
        "multi": several,
        **grids,
    }


def _converged(index: FlatKMeans | HierarchicalKMeans, n: int) -> FlatKMeans | HierarchicalKMeans:
    """As the paper builds: on all items and clusters, until none moves."""
    usual = index.explicit(n).fit == "all"
    return replace(index, max_rounds=CONVERGED, fit="all" if usual else "exact")


def seeds_of(name: str, builds: int) -> tuple[int, ...]:
    """The seeds a method is built with: one where no seed matters."""
    return tuple(range(1 if name in PLAIN else builds))


def with_parts(sums: Mapping[str, Sums]) -> dict[str, Sums]:
    """Also what is part of a method, or several together, by names of their own."""
    parts = dict(sums)
    if "flat" in sums:
        flat = sums["flat"]
        for p in OPENED:
            parts[f"k-means({p})"] = flat.only(_at(flat, p, p))
        parts["several"] = flat.only(_at(flat, 2, max(e for _, e in flat.settings)))
    if "hierarchical" in sums:
        tree = sums["hierarchical"]
        parts[f"hier-k-means({BRANCHES})"] = tree.only(_at(tree, BRANCHES, BRANCHES))
    if "flat" in sums and "hierarchical" in sums:
        parts["k-means"] = joined([sums["flat"], sums["hierarchical"]])
    return parts


def _at(sums: Sums, low: int, high: int) -> Sequence[int]:
    """The points with an effort from low to high."""
    return [i for i, (_, effort) in enumerate(sums.settings) if low <= effort <= high]
