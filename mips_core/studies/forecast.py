"""What a build will take, told before it starts: memory and time, about.

Work is counted in multiplications of k-means' search for the nearest centroid, and turned into
seconds by how many of those this machine does a second (`rate`), measured once in a moment. The
numbers below were fitted to builds of 50,000 to 200,000 items of 64 to 256 dimensions. At 120,000
of 100 dimensions, with nine methods, memory was .47 to .84 of what was said and never above, and
processor time .4 to 1.1 of it; a machine with other work takes longer by the clock.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import log2
from time import thread_time
from typing import Any

import numpy as np

from mips_core.base import limits
from mips_core.base.errors import ParamError
from mips_core.base.seeds import rng_for, stream
from mips_core.base.text import counted, memory
from mips_core.base.threads import limited, n_threads
from mips_core.evaluation.setting import index_in_words
from mips_core.methods.clustering.grouped import FEW
from mips_core.methods.clustering.nearest import assign
from mips_core.methods.indexes import Index

LARGE = 500_000  # items: below, all settings of a method are built within a minute or so
LONG = 10.0  # seconds from which on it is worth saying
MEASURED = (4096, 256, 64)  # rows, centroids and dimensions of the rate
ROUNDS = 3  # of which the fastest counts
FIXED_BYTES = 64 * 2**20  # threads and blocks take so much whatever the size
ASKED = 1_500  # bytes that a query's answers and ranks take beside its vector
GROWING = 1 / 3  # of the work, where k-means sees samples that grow
GROUPED = 1_400  # multiplications an entry of an item, where clusters are met by groups
OF_GROUPS = (45, 85)  # and for each root of the clusters: of many items, of fewer
GROUPED_LOSS = (
    "Grouped fit: clusters are trained inside coarse groups, then each item meets those of its own "
    "best 8 groups. fit=exact compares every item with every cluster, many times as long; "
    "on 100,000 word vectors it gained at most .004 of precision@10 at a speedup of 30 with √(4n) "
    "clusters or more, .011 with √n, means of three builds. On as many simulated vectors the "
    "grouped fit was better, by .05 or more; on other data as large it was not measured."
)
FEWEST_ITEMS = 1_000  # of a sample that is advised

Parts = tuple[float, float]  # multiplications, and bytes at the peak beside the items


@dataclass(frozen=True, slots=True)
class Forecast:
    """About what a build takes: multiplications, and bytes at its peak, the items with them."""

    work: float
    bytes: float

    @property
    def seconds(self) -> float:
        """About how long it takes here, alone."""
        return self.work / rate()

    def in_words(self) -> str:
        """About 40 s and 1,200 MB of memory."""
        return f"about {long_in_words(self.seconds)} and {memory(self.bytes)} of memory"


def is_large(n: int) -> bool:
    """Whether settings of n items are tried on samples first, and few of them built on all."""
    return n >= LARGE


def forecast(index: Index, n: int, d: int, m: int = 0) -> Forecast:
    """What building `index` on n items of d dimensions takes, and asking it m queries."""
    index = index.explicit(n)
    work, room = _OF[index.key](index, n, d) if index.key in _OF else _unknown(index, n, d)
    asked = 2.0 * m * n * d, m * (4.0 * d + ASKED)
    return Forecast(work + asked[0], FIXED_BYTES + 4.0 * n * d + room + asked[1])


def grouped_in_words(index: Index, n: int) -> str:
    """What a grouped fit does and loses, where `index` is fitted so on n items; else ""."""
    return GROUPED_LOSS if "grouped fit" in index_in_words(index, n) else ""


def long_in_words(seconds: float) -> str:
    """40 s; 12 min; 3 h."""
    for size, unit in ((3_600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{max(seconds, 1):.0f} s"


def budget() -> int:
    """Bytes that work may take, with its items: of the limit, what results are not promised."""
    most = limits.MEMORY_BYTES or machine_bytes() * 3 // 4
    return max(most - limits.CACHE_BYTES, most // 2)


@cache
def machine_bytes() -> int:
    """The memory of the machine; what a system that does not say has is taken for 8 GB."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        return 8 * 2**30


def rate_is_known() -> bool:
    """Whether the rate of this machine was measured by now."""
    return rate.cache_info().currsize > 0


@cache
def rate() -> float:
    """Multiplications a second of the search for nearest centroids, on all threads when alone.

    Measured on one, in its processor time, which other work on the machine changes little.
    """
    rows, k, d = MEASURED
    rng = stream(rng_for(0), "rate")
    X, centroids = (rng.normal(size=(count, d)).astype(np.float32) for count in (rows, k))
    norms = np.linalg.norm(X, axis=1).astype(np.float32)
    spent = []
    for _ in range(ROUNDS):
        began = thread_time()
        with limited(1):
            assign(X, centroids, norms)
        spent.append(thread_time() - began)
    return n_threads() * rows * k * d / max(min(spent), 1e-6)


def refuse_too_large(indexes: Sequence[Index], n: int, d: int, m: int = 0) -> None:
    """Raise ParamError where building one of `indexes` will not fit, and say what would."""
    for index in indexes:
        words = f"{index.label}, {index_in_words(index, n)},"
        sizes = forecast(index, n, d, m).bytes, budget()
        refuse_beyond(words, *sizes, n, d, partial(what_fits, index, n, d, m))


def refuse_beyond(
    what: str, size: float, room: float, n: int, d: int, what_fits: Callable[[], str]
) -> None:
    """Raise ParamError where `what` of (n, d) items takes more bytes than `room`; say what fits."""
    if size > room:
        items = f"{counted(n, 'item', 'items')} of {counted(d, 'dimension', 'dimensions')}"
        raise ParamError(
            f"{what} takes about {memory(size)} of memory on {items}; the limit is {memory(room)}.",
            what_fits() or "The data alone do not fit.",
        )


def what_fits(index: Index, n: int, d: int, m: int = 0) -> str:
    """Advice that holds: fewer clusters or tables, else fewer items; "" where nothing fits."""
    index = index.explicit(n)
    for name, noun in (("n_clusters", "clusters"), ("n_tables", "tables")):
        most = getattr(index, name, 0) // 2
        while most >= 2:
            if forecast(replace(index, **{name: most}), n, d, m).bytes <= budget():
                return f"With {most:,} {noun} it would fit."
            most //= 2
    return fewer_items(n, budget(), lambda fewer: forecast(index, fewer, d, m).bytes)


def fewer_items(n: int, room: float, size_of: Callable[[int], float]) -> str:
    """Advice: the largest of halves, quarters … of n items whose bytes fit; "" where none do."""
    fewer = n // 2
    while fewer >= FEWEST_ITEMS:
        if size_of(fewer) <= room:
            return f"A sample of {fewer:,} items would fit."
        fewer //= 2
    return ""


def _clusters(index: Any, n: int, d: int, k: int, factor: float = 1.0) -> Parts:
    """K-means: a pass over all centroids a round. Labels and norms an item, sums a centroid."""
    each = index.max_rounds * k * (GROWING if index.fit == "growing" else 1.0)
    if index.fit == "grouped":
        each = min(GROUPED + OF_GROUPS[n < FEW] * k**0.5, each)
    return factor * each * n * d, 64.0 * n + 24.0 * k * d + 512.0 * k


def _flat(index: Any, n: int, d: int) -> Parts:
    return _clusters(index, n, d, index.n_clusters)


def _head(index: Any, n: int, d: int) -> Parts:
    work, room = _clusters(index, n, d, index.n_clusters, 1.9)
    return work, room + 8.0 * n * d  # the lifted rows are held twice


def _levels(index: Any, n: int, d: int) -> Parts:
    factor = 1.0 if index.fit == "grouped" else 1.7
    return _clusters(index, n, d, max([index.n_clusters, *index.sizes]), factor)


def _several(index: Any, n: int, d: int) -> Parts:
    work, room = _clusters(index, n, d, index.n_clusters, 1.25 * index.n_clusterings)
    return work, room + index.n_clusterings * (24.0 * n + 4.0 * index.n_clusters * d)


def _top_down(index: Any, n: int, d: int) -> Parts:
    levels, crowd = log2(max(n / index.leaf_size, 2)), (64 / index.leaf_size) ** 0.5
    return 1_900 * crowd * n * d * levels, n * (8.0 * d + 160 * max(1.0, crowd))


def _tables(each: Callable[[Any], float]) -> Callable[[Any, int, int], Parts]:
    return lambda index, n, d: (each(index) * n * index.n_tables, 18.0 * n * index.n_tables)


def _product(index: Any, n: int, d: int) -> Parts:
    parts = index.n_subspaces
    return n * index.n_codewords * (16.0 * d + 400 * parts), n * (4.0 * d + 8 * parts + 64)


def _unknown(index: Any, n: int, d: int) -> Parts:
    """An index of somebody else: as the dearest of ours."""
    return 2_000 * n * d * log2(n + 2), n * (8.0 * d + 1_200)


_OF: dict[str, Callable[[Any, int, int], Parts]] = {
    "exact": lambda index, n, d: (0, 0),
    "largest-norm": lambda index, n, d: (250 * n * d, 48 * n),
    "flat-kmeans": _flat,
    "head-kmeans": _head,
    "hierarchical-kmeans": _levels,
    "multi-kmeans": _several,
    "top-down-kmeans": _top_down,
    "ip-tree": lambda index, n, d: (840 * n * d * log2(n + 2), n * (6.0 * d + 96)),
    "pca-tree": lambda index, n, d: (375 * n * d * index.depth, n * (4.0 * d + 72)),
    "product-quantization": _product,
    "srp-hash": _tables(lambda index: 450 * (index.n_bits + 3)),
    "simple-lsh": _tables(lambda index: 450 * (index.n_bits + 3)),
    "l2-alsh": _tables(lambda index: 2_000 * (index.n_hashes + 2)),
    "wta-hash": _tables(lambda index: 7_400),
}
