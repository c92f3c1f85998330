"""Which groups of an index and which queries lose answers, the worst first, and what finds them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.base.limits import BLOCK_BYTES
from mips_core.base.progress import Progress
from mips_core.base.text import counted
from mips_core.base.threads import map_blocks
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.truth import Truth
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.typed_queries.one_query import NEVER
from mips_core.methods.indexes import ListSearcher, Searcher
from mips_core.methods.search import block_size
from mips_core.studies.misses.health import where_misses_gather

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

    needed (m, K): the effort that finds each, NEVER for none; ranks (m, K) as `opening_ranks` has.
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
    middles = np.zeros(k, np.int64)
    middles[some] = values[order[(firsts + (counts - 1) // 2)[some]]]
    return middles


def opening_ranks(
    searcher: Searcher, evaluation: Evaluation, K: int, progress: Progress
) -> Ids | None:
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


class MeasuredQueries(NamedTuple):
    """The m queries measured, their numbers (m,) in the data set, and K true answers of each.

    own_rows (m,): the item each must not get, -1 for none; None where there are no such items.
    ids (m, K) best first; scores (m, K) float64 as `metrics.shown` has them.
    """

    truth: Truth
    numbers: Ids
    own_rows: Ids | None
    ids: Ids
    scores: Floats


@dataclass(frozen=True, slots=True, eq=False)
class QueryLosses:
    """The m queries measured, at one effort, of K answers each. Arrays are (m,).

    numbers: of the query in its data set, from 0. found: how many true answers are candidates.
    place: from 0, of the best true answer that is missed, item and score of it; -1, -1 and NaN
    where none is. finds_all: the least effort from the present one on that finds all, NEVER where
    none does. empty: no item that may be an answer is a candidate.
    """

    K: int
    numbers: Ids
    found: Ids
    place: Ids
    item: Ids
    score: Floats
    finds_all: Ids
    empty: Mask

    @property
    def worst(self) -> Ids:
        """Positions of the queries that miss anything: fewest found, best answer missed, number."""
        (some,) = np.nonzero(self.found < self.K)
        keys = self.numbers[some], self.place[some], self.found[some]
        return some[np.lexsort(keys)]

    def in_words(self) -> str:
        """How many queries miss anything, find nothing, and have nothing to find it among."""
        m, missing = len(self.found), int((self.found < self.K).sum())
        nothing, empty = int((self.found == 0).sum()), int(self.empty.sum())
        if missing == 0:
            return "Every query finds all of its true answers."
        text = f"{missing:,} of {m:,} queries {'misses' if missing == 1 else 'miss'} something"
        if missing == m:
            text = "The query misses something" if m == 1 else f"All {m:,} queries miss something"
        if nothing == 0:
            return f"{text}; {'it' if m == 1 else 'every one'} finds something."
        text += f"; {'it finds' if m == 1 else counted(nothing, 'finds', 'find')} nothing at all"
        if empty == nothing:
            return f"{text}, for want of any candidate."
        if empty:
            text += f", {empty:,} of them for want of any candidate"
        return f"{text}."


def query_losses(
    searcher: Searcher, measured: MeasuredQueries, effort: int, missed: Mask, finds_all: Ids
) -> QueryLosses:
    """What the queries `measured` miss at `effort`; missed (m, K), best answer first.

    Only queries that find nothing are asked again: the others have a candidate.
    """
    truth, rows = measured.truth, np.arange(len(missed))
    K = missed.shape[1]
    found = K - missed.sum(axis=1)
    empty = np.zeros(truth.m, np.bool_)
    (nothing,) = np.nonzero(found == 0)
    if len(nothing):
        own = None if measured.own_rows is None else measured.own_rows[nothing]
        Q = truth.queries[nothing]
        empty[nothing] = _without_candidates(searcher, Q, effort, K + truth.excluded, own)
    first, some = missed.argmax(axis=1), found < K
    return QueryLosses(
        K,
        measured.numbers,
        found,
        np.where(some, first, -1),
        np.where(some, measured.ids[rows, first], -1),
        np.where(some, measured.scores[rows, first], np.nan),
        finds_all,
        empty,
    )


def _without_candidates(
    searcher: Searcher, Q: Matrix, effort: int, K: int, banned: Ids | None
) -> Mask:
    """(m,) whether a query of Q (m, d) has no candidate but the one it must not get."""

    def work(start: int, stop: int) -> Mask:
        listed = searcher.candidates(Q[start:stop], effort, K)
        counts = np.diff(listed.starts)
        if banned is not None:
            owners = np.repeat(np.arange(start, stop), counts)
            own = owners[listed.ids == banned[owners]] - start
            counts = counts - np.bincount(own, minlength=stop - start)
        return counts == 0

    return np.concatenate(map_blocks(work, len(Q), block_size(searcher.n)))
