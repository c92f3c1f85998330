"""Which sizes are measured: one of them is changed at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.growth.points import (
    ALL,
    BATCH,
    CURVE,
    EXACT,
    EXACT_ONE,
    FLAT,
    FULL,
    GROWING,
    ONE,
    TREE_BATCH,
    TREE_CURVE,
    TRUTH,
    Size,
)

ITEMS, DIMENSIONS, CLUSTERS, QUERIES = "items, n", "dimensions, d", "clusters, k", "queries, m"


@dataclass(frozen=True)
class Axis:
    """Sizes that differ in `letter` alone (and k, which follows n), and what is timed at each."""

    name: str
    letter: str
    sizes: Sequence[Size]
    works: Sequence[str]

    @property
    def values(self) -> list[int]:
        """Of what differs."""
        return [getattr(size, self.letter) for size in self.sizes]


def axes(quick: bool) -> list[Axis]:
    """All four; `quick` is small enough to end within a minute."""
    n, d, m = (4_000, 20, 100) if quick else (50_000, 100, 1_000)
    items = (1_000, 2_000, 4_000) if quick else (10_000, 30_000, 100_000, 300_000, 1_000_000)
    dimensions = (10, 20, 40) if quick else (25, 50, 100, 200, 400)
    clusters = (20, 60, 200) if quick else (100, 300, 1_000, 3_000)
    queries = (50, 100, 200) if quick else (100, 1_000, 10_000, 60_000)
    fewer = 2_000 if quick else 10_000  # items, where the queries are many
    return [
        Axis(ITEMS, "n", [Size(each, d, root(each), m) for each in items], ALL),
        Axis(
            DIMENSIONS,
            "d",
            [Size(n, each, root(n), m) for each in dimensions],
            (EXACT, EXACT_ONE, TRUTH, FULL, *FLAT),
        ),
        Axis(CLUSTERS, "k", [Size(n, d, each, m) for each in clusters], (FULL, *FLAT)),
        Axis(
            QUERIES,
            "m",
            [Size(fewer, d, root(fewer), each) for each in queries],
            (EXACT, TRUTH, GROWING, CURVE, BATCH, ONE, TREE_CURVE, TREE_BATCH),
        ),
    ]


def root(n: int) -> int:
    """As many clusters as flat k-means makes of n items."""
    return round(n**0.5)
