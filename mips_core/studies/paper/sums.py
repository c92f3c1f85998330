"""What builds find and cost, summed over groups of queries: all that the claims are judged by.

Query i is in group i % GROUPS. A build takes a few kilobytes so, and any number made of these sums
has an interval: each group, and each build, is left out in turn (`jackknife`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import DataError
from mips_core.base.limits import BLOCK_BYTES
from mips_core.base.progress import Progress, silent
from mips_core.base.threads import map_blocks
from mips_core.evaluation.evaluate import QUERY_BLOCK
from mips_core.evaluation.precision import hit_histograms
from mips_core.evaluation.setting import position_of
from mips_core.evaluation.truth import Truth
from mips_core.methods.indexes import Index, NestedSearcher, Searcher

GROUPS = 16
FEWEST_QUERIES = 2 * GROUPS
EVERY = 8  # the ladder has each effort up to this one, among them those of the paper


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """A method on n items: hits (S, G, p, c), costs (S, G, p) summed over the queries of a group.

    S builds, G groups of queries (G,), p points in `settings`, c columns: mostly one for each K,
    where `most` (c,) is how many hits a query can have. costs are inner products. What was not
    measured is NaN.
    """

    n: int
    queries: Ids
    most: Floats
    hits: Floats
    costs: Floats
    settings: tuple[tuple[int, int], ...] = ()  # (number of the index, effort) of each point
    labels: tuple[str, ...] = field(default=(), repr=False)  # of the indexes

    @property
    def builds(self) -> int:
        """S."""
        return len(self.hits)

    def only(self, points: Sequence[int]) -> "Sums":
        """Some of the points."""
        at = list(points)
        return Sums(
            self.n, self.queries, self.most, self.hits[:, :, at], self.costs[:, :, at],
            tuple(self.settings[i] for i in at), self.labels,
        )  # fmt: skip


def joined(parts: Sequence[Sums]) -> Sums:
    """Several indexes as one method, its points one after another; as many builds of each."""
    first, before = parts[0], np.cumsum([0, *(len(part.labels) for part in parts)])
    return Sums(
        first.n,
        first.queries,
        first.most,
        np.concatenate([part.hits for part in parts], axis=2),
        np.concatenate([part.costs for part in parts], axis=2),
        tuple(
            (int(start) + index, effort)
            for start, part in zip(before[:-1], parts, strict=True)
            for index, effort in part.settings
        ),
        tuple(label for part in parts for label in part.labels),
    )


def ladder(most: int) -> list[int]:
    """Efforts from 1 to `most`: each up to EVERY, then steps of a fifth; the same for any build."""
    steps = list(range(1, min(most, EVERY) + 1))
    while steps[-1] < most:
        steps.append(min(most, steps[-1] + max(steps[-1] // 5, 1)))
    return steps


def check_queries(truth: Truth) -> None:
    """Raise DataError for too few queries to be parted into groups."""
    if truth.m < FEWEST_QUERIES:
        raise DataError(
            f"{truth.m} queries are too few to judge claims by.", f"Give {FEWEST_QUERIES} or more."
        )


def group_sizes(m: int) -> Ids:
    """(G,) queries in each group."""
    return np.bincount(np.arange(m) % GROUPS, minlength=GROUPS)


def measured(
    index: Index, searcher: Searcher, truth: Truth, ks: Sequence[int], progress: Progress = silent
) -> Mapping[str, Any]:
    """Arrays hits (G, p, c), costs (G, p), efforts (p,): one build, asked along the `ladder`.

    Where candidates depend on K it is asked once, for the middle one of `ks`; others are NaN.
    """
    efforts = np.asarray(searcher.efforts(), np.int64)
    at = np.array([position_of(effort, efforts) for effort in ladder(truth.n)])  # for any build
    at[-1] = len(efforts) - 1
    one_k = ks[len(ks) // 2] if index.depends_on_k else None
    answers = truth.answers(one_k or ks[-1]) + truth.excluded
    nested, done = isinstance(searcher, NestedSearcher), 0

    def work(start: int, stop: int) -> tuple[Floats, Floats]:
        nonlocal done
        seen, ledger = searcher.tally(
            truth.queries[start:stop], truth.ids[start:stop], answers, GROUPS
        )
        ranks = np.searchsorted(at, seen).astype(np.int32) if nested else None
        found = None if nested else seen[at]
        hits = np.full((GROUPS, len(at), len(ks)), np.nan)
        for column, K in enumerate(ks):
            if one_k in (None, K):
                counts = hit_histograms(ranks, found, len(at), truth.answers(K), GROUPS)
                hits[:, :, column] = counts @ np.arange(counts.shape[2])
        costs = np.sum([np.asarray(cost)[:, at] for cost in ledger.values()], axis=0)
        done += stop - start
        progress(min(done / truth.m, 1.0), f"{index.label}: {done:,} of {truth.m:,} queries")
        return hits, costs

    fitting = min(BLOCK_BYTES // searcher.bytes_a_query(), max(QUERY_BLOCK, truth.m // 16))
    blocks = map_blocks(work, truth.m, max(fitting - fitting % GROUPS, GROUPS))
    hits, costs = (np.sum([block[i] for block in blocks], axis=0) for i in (0, 1))
    return {"hits": hits, "costs": np.asarray(costs, np.float64), "efforts": efforts[at]}
