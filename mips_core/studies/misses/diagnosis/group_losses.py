"""Which groups of an index lose answers, and what would have had to be opened to find them."""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids, Ranks
from mips_core.base.limits import BLOCK_BYTES
from mips_core.base.progress import Progress
from mips_core.base.text import counted
from mips_core.base.threads import map_blocks
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.one_query import NEVER
from mips_core.groups.clusters import GroupLevel
from mips_core.methods.indexes import ListSearcher, Searcher
from mips_core.studies.misses.groups import where_misses_gather

NO_RANK = 0  # of a group that no effort opens, or that is not opened as a whole


@dataclass(frozen=True, slots=True, eq=False)
class GroupLosses:
    """The k groups of one level over all queries, at one effort. Arrays are (k,).

    label: how many there are, "141 clusters". sizes: items. answers: true answers, over all
    queries, in the group; misses: those among them that are no candidates. median_rank: in the
    order in which a query would open the groups, the least rank that reaches half of the group's
    misses; NO_RANK where none does, where nothing is missed, and everywhere where `ranked` is not.
    half_effort: the effort that finds half of them, by the same rule; NEVER where none does, 0
    where nothing is missed.
    """

    label: str
    nouns: tuple[str, str]
    names: tuple[str, ...]
    sizes: Ranks
    answers: Ids
    misses: Ids
    ranked: bool
    median_rank: Ids
    half_effort: Ids

    @property
    def most_misses(self) -> Ids:
        """The groups that miss anything, the most first; of equal ones that of fewer answers."""
        some = np.flatnonzero(self.misses)
        return some[np.lexsort((some, self.answers[some], -self.misses[some]))]

    def in_words(self) -> str:
        """Where misses gather: the fewest groups that hold half of them or more."""
        return where_misses_gather(self.misses[self.sizes > 0], self.label)


def group_losses(
    level: GroupLevel, ids: Ids, needed: Ids, ranks: Ids | None, missed: Ids
) -> GroupLosses:
    """Of the answers ids (m, K) those at the flat positions `missed`, by the groups of `level`.

    needed (m, K): the effort that finds each, NEVER for none; ranks (m, K) as `ranks_of` gives.
    """
    k = len(level.sizes)
    of = level.of[ids.ravel()]
    lost = of[missed]
    none = np.zeros(k, np.int64)
    half = _middle(lost, needed.ravel()[missed], NEVER, k)
    return GroupLosses(
        label=level.label,
        nouns=level.nouns,
        names=tuple(level.names),
        sizes=level.sizes,
        answers=np.bincount(of, minlength=k),
        misses=np.bincount(lost, minlength=k),
        ranked=ranks is not None,
        median_rank=none if ranks is None else _middle(lost, ranks.ravel()[missed], NO_RANK, k),
        half_effort=half,
    )


def _middle(of: Ranks, values: Ids, none: int, k: int) -> Ids:
    """(k,) the least value that half of those of each group do not exceed; `none` is above all.

    0 for a group without values.
    """
    above_all = np.iinfo(np.int64).max
    order = np.lexsort((np.where(values == none, above_all, values), of))
    counts = np.bincount(of, minlength=k)
    firsts = np.cumsum(counts) - counts
    some = counts > 0
    found = np.zeros(k, np.int64)
    found[some] = values[order[(firsts + (counts - 1) // 2)[some]]]
    return found


def ranks_of(searcher: Searcher, evaluation: Evaluation, K: int, progress: Progress) -> Ids | None:
    """(m, K) when each true answer's list is opened at the largest effort, from 1; NO_RANK: never.

    None for a searcher that does not open whole lists one after another.
    """
    if not isinstance(searcher, ListSearcher):
        return None
    truth, (starts, members) = evaluation.truth, searcher.lists()
    n_lists, effort = len(starts) - 1, int(evaluation.efforts[-1])
    list_of = np.empty(searcher.n, np.int64)
    list_of[members] = np.repeat(np.arange(n_lists), np.diff(starts))

    def work(start: int, stop: int) -> Ids:
        progress(start / truth.m, f"{start:,} of {counted(truth.m, 'query', 'queries')} ranked")
        opened, _ = searcher.opened(truth.queries[start:stop], effort)
        rank_of = np.full((stop - start, n_lists + 1), NO_RANK, np.int64)  # the last is for -1
        np.put_along_axis(rank_of, opened, np.arange(1, opened.shape[1] + 1)[None], axis=1)
        return np.take_along_axis(rank_of, list_of[truth.ids[start:stop, :K]], axis=1)

    block = max(BLOCK_BYTES // (32 * (n_lists + 1)), 1)
    return np.concatenate(map_blocks(work, truth.m, block))
