"""Flat and hierarchical k-means on more and more items (Auvolat et al. 2015, sections 4 and 5.3).

Vectors are simulated, about as hard to search as those of words, since nothing at hand has so many.
K-means grows its samples (fit=growing): all items in every round would take hours.
"""

from collections.abc import Mapping, Sequence

from mips_core.data.dataset import Dataset
from mips_core.data.simulated_vectors import simulated_vectors
from mips_core.methods.indexes import Index
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.paper.sums import Sums

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK = 30_000  # items at most in a quick run
DEAR = 100_000  # items above which each is built once
QUERIES, D = 1_000, 50
PRECISION, K = 0.9, 10
SUFFICES = 20_000  # items below which flat clusters are enough, says the paper
NAME = "Simulated vectors"


def sizes(quick: bool) -> tuple[int, ...]:
    """Numbers of items, ascending."""
    return tuple(n for n in SIZES if n <= QUICK or not quick)


def builds_at(n: int, builds: int) -> int:
    """With how many seeds each is built."""
    return 1 if n > DEAR else builds


def vectors(n: int) -> Dataset:
    """The first n of the simulated vectors, and the same queries for every n."""
    return simulated_vectors(n, QUERIES, D)


def settings(n: int) -> dict[str, Sequence[Index]]:
    """Method -> the settings tried on n items."""
    return {
        "flat": [FlatKMeans(n_clusters=round(n**0.5 * f), fit="growing") for f in (1, 2, 4)],
        "hierarchical": [
            HierarchicalKMeans(n_clusters=round(n ** (2 / 3) * f), fit="growing") for f in (0.5, 1)
        ],
    }


def scale_name(method: str, n: int) -> str:
    """What the sums of a method on n items are called."""
    return f"scale {method} {n}"


def sizes_in(sums: Mapping[str, Sums]) -> list[int]:
    """The numbers of items that were measured, ascending."""
    return sorted({sums[name].n for name in sums if name.startswith("scale ")})
