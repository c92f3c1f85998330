"""What each query misses: the worst first, and those that find nothing."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask, Matrix
from mips_core.base.text import counted
from mips_core.base.threads import map_blocks
from mips_core.evaluation.truth import Truth
from mips_core.methods.indexes import Searcher
from mips_core.methods.search import block_size


class AskedQueries(NamedTuple):
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
        said = f"{missing:,} of {m:,} queries {'misses' if missing == 1 else 'miss'} something"
        if missing == m:
            said = "The query misses something" if m == 1 else f"All {m:,} queries miss something"
        if nothing == 0:
            return f"{said}; {'it' if m == 1 else 'every one'} finds something."
        said += f"; {'it finds' if m == 1 else counted(nothing, 'finds', 'find')} nothing at all"
        if empty == nothing:
            return f"{said}, for want of any candidate."
        if empty:
            said += f", {empty:,} of them for want of any candidate"
        return f"{said}."


def query_losses(
    searcher: Searcher, asked: AskedQueries, effort: int, missed: Mask, finds_all: Ids
) -> QueryLosses:
    """What the queries `asked` miss at `effort`; missed (m, K), best answer first.

    Only queries that find nothing are asked again: the others have a candidate.
    """
    truth, rows = asked.truth, np.arange(len(missed))
    K = missed.shape[1]
    found = K - missed.sum(axis=1)
    empty = np.zeros(truth.m, np.bool_)
    (nothing,) = np.nonzero(found == 0)
    if len(nothing):
        own = None if asked.own_rows is None else asked.own_rows[nothing]
        Q = truth.queries[nothing]
        empty[nothing] = _without_candidates(searcher, Q, effort, K + truth.excluded, own)
    first, some = missed.argmax(axis=1), found < K
    return QueryLosses(
        K,
        asked.numbers,
        found,
        np.where(some, first, -1),
        np.where(some, asked.ids[rows, first], -1),
        np.where(some, asked.scores[rows, first], np.nan),
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
