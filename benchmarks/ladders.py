"""Searches set to equal recall: each built index is a ladder of efforts, and the quickest wins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import process_time

import numpy as np

from benchmarks.works import Limited
from mips_core.base.arrays import Ids, Matrix
from mips_core.studies.wall_clock.judge import Judge

Ask = Callable[[Matrix, int], Ids]  # queries (m, d), effort -> answers (m, K)
TRIED = 100  # single queries by which settings are chosen
TURNS = 5  # the least of so many times counts, to choose by


@dataclass(frozen=True)
class Ladder:
    """A built index: its ascending efforts, how it is asked at one, and how one is told."""

    efforts: Sequence[int]
    ask: Ask
    in_words: Callable[[int], str]
    limited: Limited

    def first(self, judge: Judge, recall: float) -> tuple[int, float]:
        """The least effort with this recall on the queries to choose by, and what it has there.

        Found by halving, as recall rises with effort but for chance; the last effort where none
        has it.
        """
        low, high = 0, len(self.efforts) - 1
        known: dict[int, float] = {}

        def reached(at: int) -> float:
            if at not in known:
                effort = self.efforts[at]
                known[at] = judge.precision_to_choose(lambda Q: self.ask(Q, effort))
            return known[at]

        while low < high:
            middle = (low + high) // 2
            if reached(middle) >= recall:
                high = middle
            else:
                low = middle + 1
        return self.efforts[low], reached(low)


@dataclass(frozen=True)
class Chosen:
    """A search that is set: a ladder at an effort; its recall on the queries it was chosen by."""

    ladder: Ladder
    effort: int
    recall: float
    seconds: float  # processor time, by which it was chosen

    @property
    def in_words(self) -> str:
        """The index and the effort."""
        return self.ladder.in_words(self.effort)

    def batch(self, Q: Matrix) -> Ids:
        """(m, K) answers to all of Q (m, d) at once."""
        return self.ladder.ask(Q, self.effort)

    def one_by_one(self, Q: Matrix) -> Ids:
        """The same, a query at a time."""
        ask, effort = self.ladder.ask, self.effort
        return np.concatenate([ask(Q[i : i + 1], effort) for i in range(len(Q))])


@dataclass(frozen=True)
class Best:
    """The quickest searches of a family: all queries at once, and one by one."""

    batch: Chosen
    single: Chosen


def best_of(ladders: Sequence[Ladder], judge: Judge, recall: float) -> Best:
    """The quickest of those that have the recall; where none has, the one that has most."""
    Q = np.ascontiguousarray(judge.truth.queries[judge.to_choose])
    tried = [Chosen(each, *each.first(judge, recall), inf) for each in ladders]
    batches = _timed(tried, lambda each: each.batch(Q))
    singles = _timed(tried, lambda each: each.one_by_one(Q[:TRIED]))
    return Best(_quickest(batches, recall), _quickest(singles, recall))


def _timed(tried: Sequence[Chosen], call: Callable[[Chosen], Ids]) -> list[Chosen]:
    """All of them with their times: in turns, so that a busy machine is busy for all."""
    least = [inf] * len(tried)
    for _ in range(TURNS):
        for at, each in enumerate(tried):
            with each.ladder.limited(1):
                began = process_time()
                call(each)
                least[at] = min(least[at], process_time() - began)
    return [replace(each, seconds=seconds) for each, seconds in zip(tried, least, strict=True)]


def _quickest(tried: Sequence[Chosen], recall: float) -> Chosen:
    ready = [each for each in tried if each.recall >= recall]
    if ready:
        return min(ready, key=lambda each: each.seconds)
    return max(tried, key=lambda each: each.recall)
