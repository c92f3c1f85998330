"""What searches find after a change, kept up with in three ways, on one set of queries.

frozen: the rows that changed joined the clusters that were there. refreshed: the clusters went on
from there. rebuilt: all was built anew. Each with the same seeds, at the effort in use before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import mark_candidates
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import counted
from mips_core.base.threads import map_blocks, working_clock
from mips_core.evaluation.builder import Built, built
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.setting import Setting, position_of
from mips_core.evaluation.truth import Truth, truth_of
from mips_core.methods.capabilities import Updated, due_in_words
from mips_core.methods.indexes import Index, Searcher
from mips_core.methods.search import block_size
from mips_core.studies.comparison import Difference, difference
from mips_core.studies.drift.changes import Changed
from mips_core.studies.drift.update import build_cost, refreshed, updated

Way = Literal["frozen", "refreshed", "rebuilt"]
BUILDS = 5  # by default: with 3, the luck of builds makes intervals half as wide again
WAYS: tuple[Way, ...] = ("frozen", "refreshed", "rebuilt")


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One build, kept up one way.

    hits (m,): true answers found, of K; cost: mean inner products a query, at `effort`. spent:
    inner products it took to keep up, and `seconds` by the clock.
    """

    effort: int
    hits: Ids
    cost: float
    spent: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Fresh:
    """A change of items, and what each way makes of it: one outcome for each build.

    n items after it. changed: items that moved or are new; removed: that left; share: of the items
    before that changed, as asked for; size: of their moves, in root mean squares of the entries,
    None where nothing was simulated. K answers, m queries. longer, excess: as in `Updated`.
    """

    n: int
    changed: int
    removed: int
    share: float
    size: float | None
    K: int
    m: int
    longer: int
    excess: float
    ways: Mapping[Way, tuple[Outcome, ...]]

    @property
    def due(self) -> str:
        """What is to know of vectors longer than any was; "" where none is."""
        return due_in_words(self.longer, self.excess)

    @property
    def efforts(self) -> tuple[int, int]:
        """The least and the most that searches were asked at: builds may have no more to open."""
        efforts = [one.effort for outcomes in self.ways.values() for one in outcomes]
        return min(efforts), max(efforts)

    def precision(self, way: Way) -> float:
        """Mean precision@K over queries and builds."""
        return float(np.mean([one.hits for one in self.ways[way]])) / self.K

    def interval(self, way: Way) -> tuple[float, float]:
        """95% interval of `precision` over queries, for these builds."""
        hits = np.sum([one.hits for one in self.ways[way]], axis=0)
        most = self.K * len(self.ways[way])  # answers of a query, over all builds
        low, high = precision_interval(np.bincount(hits, minlength=most + 1)[None])[0]
        return float(low), float(high)

    def cost(self, way: Way) -> float:
        """Mean inner products a query, over builds."""
        return float(np.mean([one.cost for one in self.ways[way]]))

    def speedup(self, way: Way) -> float:
        """n / mean cost; below 1 where exact search is cheaper."""
        return self.n / self.cost(way)

    def spent(self, way: Way) -> float:
        """Mean inner products to keep up, over builds."""
        return float(np.mean([one.spent for one in self.ways[way]]))

    def seconds(self, way: Way) -> float:
        """Mean seconds to keep up, over builds."""
        return float(np.mean([one.seconds for one in self.ways[way]]))

    def behind(self, way: Way) -> Difference:
        """Precision of the rebuilt less that of this way, over queries and builds.

        Builds of one seed belong together: what one finds more than the other, query by query, is
        held against nothing at all, so that their luck counts once. Simulated with 3 and 5 builds,
        60 and 500 queries: its interval of 95% holds the true mean in 93 to 98% of cases.
        """
        pairs = zip(self.ways["rebuilt"], self.ways[way], strict=True)
        more = [self.K + rebuilt.hits - other.hits for rebuilt, other in pairs]
        return difference(more, [np.full(self.m, self.K)] * len(more), self.K)

    def dearness(self, way: Way) -> float:
        """Mean cost of its searches, as a multiple of the rebuild's."""
        return self.cost(way) / self.cost("rebuilt")

    def paid_back(self, way: Way) -> float | None:
        """Searches after which a rebuild has earned what it takes beyond `way`.

        None where its searches are no cheaper; 0 where it takes no more.
        """
        saved = self.cost(way) - self.cost("rebuilt")
        return max(self.spent("rebuilt") - self.spent(way), 0.0) / saved if saved > 0 else None


def builds_of(setting: Setting, items: Matrix, builds: int, progress: Progress) -> list[Built]:
    """setting.index on items (n, d), with its seed and those after it."""
    shares = [span(progress, at / builds, (at + 1) / builds) for at in range(builds)]
    return [
        built(setting.index, items, setting.seed + at, _named(share, 0.0, 1.0, "Building"))
        for at, share in enumerate(shares)
    ]


def hits_at(
    searcher: Searcher, truth: Truth, K: int, effort: int, progress: Progress = silent
) -> tuple[int, Ids, float]:
    """The effort nearest below `effort`, hits (m,) of K answers there, mean cost of a query."""
    efforts = searcher.efforts()
    effort = int(efforts[position_of(effort, np.asarray(efforts))])
    wanted = np.ascontiguousarray(truth.ids[:, :K])

    def ask(start: int, stop: int) -> tuple[Ids, float]:
        candidates = searcher.candidates(truth.queries[start:stop], effort, K + truth.excluded)
        marked = mark_candidates(wanted[start:stop], candidates.starts, candidates.ids, truth.n)
        progress(start / truth.m, f"{start:,} of {counted(truth.m, 'query', 'queries')} asked")
        return marked.sum(axis=1), float(candidates.cost.sum())

    parts = map_blocks(ask, truth.m, block_size(truth.n))
    hits = np.concatenate([part[0] for part in parts])
    return effort, hits, float(sum(part[1] for part in parts)) / truth.m


def upkeep(
    setting: Setting,
    before: Sequence[Built],
    changed: Changed,
    K: int,
    rounds: int,
    share: float,
    size: float | None,
    progress: Progress = silent,
) -> Fresh:
    """Every build of `before` kept up with a change, in every way, and asked for K answers.

    `share` and `size` are what is said of the change. A rebuild of items that did not change is
    the build before. Raises DataError as `truth_of`.
    """
    truth = truth_of(changed.dataset, span(progress, 0.0, 0.1))
    K, S = truth.answers(K), len(before)
    parts = [span(progress, 0.1 + 0.9 * at / S, 0.1 + 0.9 * (at + 1) / S) for at in range(S)]
    outcomes: dict[Way, list[Outcome]] = {way: [] for way in WAYS}
    for build, part in zip(before, parts, strict=True):
        ways, last = _ways(setting.index, build, changed, rounds, span(part, 0.0, 0.9))
        for way, (structure, spent, took) in ways.items():
            searcher = setting.index.searcher(structure)
            answers = hits_at(searcher, truth, K, setting.effort, span(part, 0.9, 1.0))
            outcomes[way].append(Outcome(*answers, spent, took))
    return Fresh(
        n=truth.n,
        changed=last.placed,
        removed=changed.change.n_removed,
        share=share,
        size=size,
        K=K,
        m=truth.m,
        longer=last.longer,
        excess=last.excess,
        ways={way: tuple(of_way) for way, of_way in outcomes.items()},
    )


def _ways(
    index: Index, build: Built, changed: Changed, rounds: int, progress: Progress
) -> tuple[dict[Way, tuple[Any, int, float]], Updated]:
    """What each way makes of a build: structure, inner products, seconds; and the update."""
    items, change = changed.dataset.items, changed.change
    began = working_clock()
    frozen = updated(index, build.structure, items, change)
    seconds = working_clock() - began
    report = _named(progress, 0.0, 0.3, "Refreshing")
    fresh = refreshed(index, frozen.structure, items, rounds, report)
    after, whole = working_clock() - began, build
    if change.placed.any() or change.n_removed:
        whole = built(index, items, build.seed, _named(progress, 0.3, 1.0, "Rebuilding"))
    return {
        "frozen": (frozen.structure, frozen.inner_products, seconds),
        "refreshed": (fresh.structure, frozen.inner_products + fresh.inner_products, after),
        "rebuilt": (whole.structure, build_cost(whole.structure), whole.seconds),
    }, frozen


def _named(progress: Progress, start: float, stop: float, doing: str) -> Progress:
    """A part of the bar, which says what is done; its own partial results are of no use."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        progress(start + fraction * (stop - start), f"{doing} · {message}")

    return report
