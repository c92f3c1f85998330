"""How one search goes: when it finds each item, in what order it opens groups, and its steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Ranks
from mips_core.base.text import counted
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.typed_queries.one_query import Question
from mips_core.methods.indexes import Index, NestedSearcher, Searcher, Step
from mips_core.methods.search import check_effort
from mips_core.methods.searcher import Ledger

BY_LEVEL = "centroids"  # the part of the ledger whose steps score groups, those of one level each


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """One query at the p efforts of a searcher over n items.

    opened (n,) int32 first position in efforts at which each item is a candidate, p for never;
    at position i, lost_ids[lost_starts[i]:lost_starts[i+1]] (int32, ascending) are none though
    they were before: a wider beam may lose some. costs {part: (p,)} inner products; found (p, K)
    uint8 whether each of the K wanted items is a candidate.
    """

    opened: Ranks
    lost_starts: Ranks
    lost_ids: Ranks
    costs: Ledger
    found: NDArray[np.uint8]


def answers_wanted(question: Question, K: int) -> int:
    """How many answers a searcher is asked for, so that K are left without those left out."""
    return K + len(question.exclude)


def trail_of(searcher: Searcher, question: Question, wanted: Ids) -> Trail:
    """What a searcher proposes for one query at each effort; `wanted` (K,) are its true answers."""
    if isinstance(searcher, NestedSearcher):
        return _in_one_pass(searcher, question, wanted)
    return _effort_by_effort(searcher, question, wanted)


def _in_one_pass(searcher: NestedSearcher, question: Question, wanted: Ids) -> Trail:
    ranks, costs = searcher.sweep(question.query[None], np.arange(searcher.n)[None])
    p = len(searcher.efforts())
    found = ranks[0, wanted] <= np.arange(p)[:, None]
    return Trail(
        ranks[0],
        np.zeros(p + 1, np.int32),
        np.empty(0, np.int32),
        {part: np.array(cost[0]) for part, cost in costs.items()},
        found.astype(np.uint8),
    )


def _effort_by_effort(searcher: Searcher, question: Question, wanted: Ids) -> Trail:
    p = len(searcher.efforts())
    opened = np.full(searcher.n, p, np.int32)
    found = np.empty((p, len(wanted)), np.uint8)
    lost: list[Ranks] = []
    ledgers: list[Ledger] = []
    every, K = np.arange(searcher.n)[None], answers_wanted(question, len(wanted))
    for at, (held, costs) in enumerate(searcher.outcomes(question.query[None], every, K)):
        now = held[0]
        lost.append(np.flatnonzero((opened < at) & ~now).astype(np.int32))
        opened[now & (opened == p)] = at
        found[at] = now[wanted]
        ledgers.append(costs)
    return Trail(
        opened,
        np.cumsum([0, *map(len, lost)]).astype(np.int32),
        np.concatenate(lost),
        {part: np.array([costs[part][0] for costs in ledgers]) for part in ledgers[0]},
        found,
    )


class OpeningOrder(NamedTuple):
    """groups (g,) int32 as they are opened; at (g,) int32 position in efforts of each, ascending.

    Empty where a search does not open groups as a whole: tables, codewords, bands of norm.
    """

    groups: Ranks
    at: Ranks

    def rank(self, group: int) -> int:
        """1 for the group opened first; 0 where this one never is, or none is as a whole."""
        places = np.flatnonzero(self.groups == group)
        return int(places[0]) + 1 if len(places) else 0


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
        q, K = question.query[None], answers_wanted(question, K)
        ends = [searcher.candidates(q, effort, K).ids for effort in (efforts[0], efforts[-1])]
        listed = _first_listed(level, np.concatenate(ends))
        groups = groups[np.lexsort((groups, listed[groups], at[groups]))]
    return OpeningOrder(groups.astype(np.int32), at[groups])


def _first_listed(level: GroupLevel, ids: Ids) -> Ids:
    """(k,) where in a list of items each group has its first one; beyond the end for none."""
    first = np.full(len(level.sizes), len(ids), np.int64)
    first[level.of[ids[::-1]]] = np.arange(len(ids))[::-1]  # of equal groups the last write stays
    return first


@dataclass(frozen=True, slots=True, eq=False)
class WalkStep:
    """One step: what was scored and kept of it, best first, and the inner products it took.

    level: of `levels`, whose groups `scored` and `kept` are; -1 where they are something else.
    part: of the ledger, which they are counted in.
    """

    label: str
    level: int
    scored: Ids
    kept: Ids
    spent: float
    part: str


def walk(
    searcher: Searcher,
    index: Index,
    question: Question,
    effort: int,
    K: int,
    levels: Sequence[GroupLevel],
) -> list[WalkStep]:
    """The steps of a search for K true answers at one effort; what they spent sums to the ledger.

    K is the number of true answers there are, the own row not counted.
    Raises ParamError for an effort that is not offered.
    """
    check_effort(searcher, effort)
    steps = searcher.trace(question.query, effort, answers_wanted(question, K))
    shown = {level.number: at for at, level in enumerate(levels)}
    walked, number = [], 0
    for step in steps:
        level = -1
        if step.part == BY_LEVEL:
            level, number = shown.get(number, -1), number + 1
        label = _label(step, index, levels, level)
        walked.append(WalkStep(label, level, step.scored, step.kept, step.spent, step.part))
    return walked


def _label(step: Step, index: Index, levels: Sequence[GroupLevel], level: int) -> str:
    """In words: "Level 1: 46 clusters scored, 5 kept"; "1,602 items scored"; "Norm of the query".

    Levels that do not nest are side by side: "Clustering 2 of 3: 17 clusters scored, 1 kept".
    """
    if step.part == "candidates":
        return f"{counted(len(step.scored), 'item', 'items')} scored"
    if level < 0:
        part = step.part.capitalize()
        if len(step.scored) == 0:
            return part
        return f"{part}: {len(step.scored):,} looked at, {len(step.kept):,} kept"
    nested = levels[-1].parents is not None
    owner = index.group_nouns[1].rpartition(" ")[2].capitalize()  # clusters of one clustering
    place = f"Level {level + 1}: " if nested else f"{owner} {level + 1} of {len(levels)}: "
    groups = counted(len(step.scored), *levels[level].nouns)
    return f"{place if len(levels) > 1 else ''}{groups} scored, {len(step.kept):,} kept"


def kept_ranks(
    steps: Sequence[WalkStep], levels: Sequence[GroupLevel], item: int
) -> dict[int, int]:
    """level -> rank, from 1, of the group of `item` among those kept there, where it was kept."""
    ranks = {}
    for step in steps:
        if step.level >= 0:
            place = np.flatnonzero(step.kept == levels[step.level].of[item])
            if len(place):
                ranks[step.level] = int(place[0]) + 1
    return ranks
