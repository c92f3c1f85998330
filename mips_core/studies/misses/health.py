"""How the groups of an index fare: how often they are opened, and how much they hold is lost.

All counts are over the queries of one truth, at one effort, from candidates alone.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.base.errors import DataError
from mips_core.base.kernels import mark_candidates
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import counted, percent
from mips_core.base.threads import map_blocks
from mips_core.data.dataset import Dataset
from mips_core.evaluation.truth import Truth
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.clusters.centres import Members, members_of
from mips_core.methods.indexes import Index, Searcher
from mips_core.methods.search import block_size, check_effort

GROUP_BLOCKS = 64  # parts the groups are measured in: progress, threads


@dataclass(frozen=True, slots=True, eq=False)
class Health:
    """The k groups of one level over m queries of K answers, at one effort. Arrays are (k,).

    sizes: items, 0 for a group that lost them all. radii: mean Euclidean distance of the items to
    their mean, NaN without items. opened: queries to which any item of the group is a candidate.
    answers: true answers, over all queries, that lie in the group; misses: those among them that
    are no candidates. missed (m, K): the same for each true answer, best first.
    """

    nouns: tuple[str, str]
    K: int
    effort: int
    sizes: Ranks
    radii: Floats
    opened: Ids
    answers: Ids
    misses: Ids
    missed: Mask

    @property
    def m(self) -> int:
        """Number of queries."""
        return len(self.missed)

    @property
    def opened_share(self) -> Floats:
        """Share of the queries that open the group."""
        return self.opened / self.m

    @property
    def answers_share(self) -> Floats:
        """Share of all true answers that lie in the group."""
        return self.answers / self.missed.size

    @property
    def misses_share(self) -> Floats:
        """Share of all misses that lie in the group; 0 where nothing is missed."""
        return self.misses / max(int(self.misses.sum()), 1)

    @property
    def largest(self) -> Ids:
        """The groups with items, the largest first; the lower number on ties, here and below."""
        return self._ordered(-self.sizes)

    @property
    def smallest(self) -> Ids:
        """The same from the other end, the emptiest first."""
        return self._ordered(self.sizes)

    @property
    def most_misses(self) -> Ids:
        """The same by their misses, the most first; of equal ones that of fewer answers."""
        return self._ordered(-self.misses, self.answers)

    @property
    def most_opened(self) -> Ids:
        """The same by the queries that open them, the most first."""
        return self._ordered(-self.opened)

    def _ordered(self, *keys: Ids | Ranks) -> Ids:
        live = np.flatnonzero(self.sizes > 0)
        return live[np.lexsort([live, *(key[live] for key in reversed(keys))])]

    def in_words(self) -> str:
        """Where misses gather: the fewest groups that hold half of them or more."""
        misses = self.misses[self.sizes > 0]
        return where_misses_gather(misses, counted(len(misses), *self.nouns))


def where_misses_gather(misses: Ids, groups: str) -> str:
    """In words: the fewest groups that hold half of all `misses` (k,), or more.

    `groups`: how many there are and what they are called.
    """
    total = int(misses.sum())
    if total == 0:
        return "Nothing is missed."
    if total == 1:
        return "One true answer is missed."
    worst = np.cumsum(np.sort(misses)[::-1])
    few = int(np.searchsorted(worst, total / 2)) + 1
    return f"{percent(worst[few - 1] / total)} of all misses lie in {few:,} of {groups}."


def health(
    searcher: Searcher,
    index: Index,
    dataset: Dataset,
    truth: Truth,
    K: int,
    effort: int,
    level: GroupLevel,
    rows: Matrix | None = None,
    progress: Progress = silent,
) -> Health:
    """Ask every query of `truth` at `effort`, and count by the groups of `level`.

    rows (n, d'): where radii are measured, by default the items. Raises DataError where the index
    was built on other items, ParamError for an effort or a K out of range.
    """
    check_effort(searcher, effort)
    rows = dataset.float32().items if rows is None else rows
    if not searcher.n == len(rows) == truth.n:
        raise DataError(
            f"{index.label} was built on {searcher.n:,} items, {dataset.name} has {len(rows):,}.",
            "Build it on this data.",
        )
    K, k = truth.answers(K), len(level.sizes)
    opened, missed = _asked(searcher, truth, K, effort, level, span(progress, 0.0, 0.8))
    progress(0.8, "radii")
    ids = truth.ids[:, :K]
    return Health(
        level.nouns,
        K,
        effort,
        level.sizes,
        radii(rows, members_of(level.of, k)),
        opened,
        np.bincount(level.of[ids].ravel(), minlength=k),
        np.bincount(level.of[ids[missed]], minlength=k),
        missed,
    )


def _asked(
    searcher: Searcher, truth: Truth, K: int, effort: int, level: GroupLevel, progress: Progress
) -> tuple[Ids, Mask]:
    """(k,) queries that open each group, (m, K) which true answers are missed."""
    ids, k = np.ascontiguousarray(truth.ids[:, :K]), len(level.sizes)

    def ask(start: int, stop: int) -> tuple[Ids, Mask]:
        progress(start / truth.m, f"{start:,} of {truth.m:,} queries asked")
        candidates = searcher.candidates(truth.queries[start:stop], effort, K + truth.excluded)
        opened = _opened(candidates.starts, candidates.ids, level.of, k)
        return opened, ~mark_candidates(ids[start:stop], candidates.starts, candidates.ids, truth.n)

    parts = map_blocks(ask, truth.m, block_size(truth.n))
    return np.sum([part[0] for part in parts], axis=0), np.concatenate([part[1] for part in parts])


def radii(rows: Matrix, members: Members) -> Floats:
    """(k,) mean Euclidean distance of the members' rows (n, d') to their mean; NaN for none."""
    k = len(members.sizes)
    distances = np.empty(k)

    def work(start: int, stop: int) -> None:
        distances[start:stop] = _radii(rows, members.starts[start : stop + 1], members.ids)

    map_blocks(work, k, -(-k // GROUP_BLOCKS))
    return distances


@njit(cache=True, nogil=True)
def _opened(starts: Ids, ids: Ids, of: Ranks, k: int) -> Ids:
    """(k,) how many rows of candidates in CSR layout hold an item of each group; of (n,)."""
    opened = np.zeros(k, np.int64)
    last = np.full(k, -1, np.int64)  # row that held one
    for i in range(len(starts) - 1):
        for at in range(starts[i], starts[i + 1]):
            group = of[ids[at]]
            opened[group] += last[group] != i
            last[group] = i
    return opened


@njit(cache=True, nogil=True)
def _radii(rows: Matrix, starts: Ids, ids: Ids) -> Floats:
    """As `radii`, of the groups ids[starts[g]:starts[g+1]]; sums in float64, in order."""
    d = rows.shape[1]
    distances = np.full(len(starts) - 1, np.nan)
    for group in range(len(distances)):
        inside = ids[starts[group] : starts[group + 1]]
        mean = np.zeros(d, np.float64)
        for item in inside:
            for j in range(d):
                mean[j] += rows[item, j]
        mean /= max(len(inside), 1)
        total = 0.0
        for item in inside:
            square = 0.0
            for j in range(d):
                square += (rows[item, j] - mean[j]) ** 2
            total += np.sqrt(square)
        if len(inside):
            distances[group] = total / len(inside)
    return distances
