"""In which order a search opens the groups of its index, as its effort grows."""

from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Ids, Ranks
from mips_core.evaluation.one_query import Question
from mips_core.groups.clusters import GroupLevel
from mips_core.methods.indexes import Index, Searcher
from mips_core.studies.misses.following.trail import asked_for


class OpeningOrder(NamedTuple):
    """groups (g,) int32 as they are opened; at (g,) int32 position in efforts of each, ascending.

    Empty where a search does not open groups as a whole: tables, codewords, bands of norm.
    """

    groups: Ranks
    at: Ranks

    def rank(self, group: int) -> int:
        """1 for the group opened first; 0 where this one never is, or none is as a whole."""
        found = np.flatnonzero(self.groups == group)
        return int(found[0]) + 1 if len(found) else 0


def opening_order(
    searcher: Searcher, index: Index, question: Question, K: int, opened: Ranks, level: GroupLevel
) -> OpeningOrder:
    """The groups of the finest `level` that any effort opens; opened (n,) as in `Trail`.

    A group is opened when the last of its items becomes a candidate: where trees hold copies, some
    turn up earlier in another leaf. Of groups opened at one effort, the order decides in which the
    searcher lists them at its least effort, then at its largest: that of scores or of the visit.
    """
    if not index.opens_groups:
        return OpeningOrder(np.empty(0, np.int32), np.empty(0, np.int32))
    efforts = searcher.efforts()
    at = np.full(len(level.sizes), -1, np.int32)
    np.maximum.at(at, level.of, opened)
    groups = np.flatnonzero((at >= 0) & (at < len(efforts)))
    if len(np.unique(at[groups])) == len(groups):
        groups = groups[np.argsort(at[groups])]
    else:
        q, K = question.query[None], asked_for(question, K)
        ends = [searcher.candidates(q, effort, K).ids for effort in (efforts[0], efforts[-1])]
        listed = _first_listed(level, np.concatenate(ends))
        groups = groups[np.lexsort((groups, listed[groups], at[groups]))]
    return OpeningOrder(groups.astype(np.int32), at[groups])


def _first_listed(level: GroupLevel, ids: Ids) -> Ids:
    """(k,) where in a list of items each group has its first one; beyond the end for none."""
    first = np.full(len(level.sizes), len(ids), np.int64)
    first[level.of[ids[::-1]]] = np.arange(len(ids))[::-1]  # of equal groups the last write stays
    return first
