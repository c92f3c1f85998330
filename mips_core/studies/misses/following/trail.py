"""When every item becomes a candidate of one query, and what each effort costs it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids, Ranks
from mips_core.evaluation.one_query import Question
from mips_core.methods.indexes import NestedSearcher, Searcher
from mips_core.methods.searcher import Ledger


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """One query at the p efforts of a searcher over n items.

    opened (n,) int32 first position in efforts at which each item is a candidate, p for never;
    at position i, lost_ids[lost_starts[i]:lost_starts[i+1]] (int32, ascending) are none though
    they were before. costs {part: (p,)} inner products; found (p, K) uint8 of the K wanted items.
    """

    opened: Ranks
    lost_starts: Ranks
    lost_ids: Ranks
    costs: Ledger
    found: NDArray[np.uint8]


def asked_for(question: Question, K: int) -> int:
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
    every, K = np.arange(searcher.n)[None], asked_for(question, len(wanted))
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
