"""What an evaluated index misses at an effort, and how much more effort would find it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Ids, Mask, Ranks
from mips_core.base.errors import ParamError
from mips_core.base.text import counted, percent
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.setting import position_of
from mips_core.evaluation.truth import Truth
from mips_core.groups.typed_queries.one_query import NEVER
from mips_core.methods.bits import unpack_bits


def answer_counts(truth: Truth, K: int) -> Ids:
    """(n,) for how many queries each item is among the true top K: its in-degree; hubs have many.

    Radovanović, Nanopoulos and Ivanović, "Hubs in space", JMLR 2010: N_k(x). Raises ParamError for
    a K out of range.
    """
    return np.bincount(truth.ids[:, : truth.answers(K)].ravel(), minlength=truth.n)


def missed(evaluation: Evaluation, K: int, effort: int) -> Mask:
    """(m, K) which true answers, best first, are no candidates of their query at `effort`.

    Nothing is searched again. Raises ParamError for an effort that was not measured, and for a K
    out of range or at which the evaluation cannot be read off.
    """
    if evaluation.K not in (None, K):
        raise ParamError(
            f"{evaluation.index.label} was measured at K = {evaluation.K} alone, not {K}.",
            "Its candidates depend on K: evaluate it once for each.",
        )
    (places,) = np.nonzero(evaluation.efforts == effort)
    if len(places) == 0:
        first, last = evaluation.efforts[0], evaluation.efforts[-1]
        raise ParamError(
            f"Effort {effort} was not measured.", f"Efforts go from {first} to {last}."
        )
    at, K = int(places[0]), evaluation.truth.answers(K)
    if evaluation.ranks is not None:
        return evaluation.ranks[:, :K] > at
    assert evaluation.found is not None
    return ~unpack_bits(evaluation.found[at], K)


def times_missed(evaluation: Evaluation, K: int, effort: int) -> Ids:
    """(n,) for how many queries each item is a true answer that a search at `effort` misses.

    Raises ParamError as `missed` does.
    """
    truth = evaluation.truth
    ids = truth.ids[:, : truth.answers(K)]
    return np.bincount(ids[missed(evaluation, K, effort)], minlength=truth.n)


class Later(NamedTuple):
    """What an evaluation found from efforts[at] on, of K answers a query.

    needed (m, K): the least of those efforts at which each answer is a candidate. finds_all (m,):
    the least at which all of a query are. NEVER for none. found (e,): of the answers missed at the
    first effort, those that are candidates at each of the e later ones; lost (e,): those that are
    candidates at the first and not there.
    """

    needed: Ids
    finds_all: Ids
    found: Ids
    lost: Ids


def later(evaluation: Evaluation, K: int, at: int) -> Later:
    """What more effort than efforts[at] does; nothing is searched again."""
    names = np.append(evaluation.efforts, NEVER)
    if evaluation.ranks is not None:
        return _of_ranks(evaluation.ranks[:, :K], names, at)
    p, m = len(evaluation.efforts), evaluation.truth.m
    first, all_at = np.full((m, K), p), np.full(m, p)
    found, lost = np.zeros(p - at, np.int64), np.zeros(p - at, np.int64)
    assert evaluation.found is not None
    now = unpack_bits(evaluation.found[at], K)
    for position in range(p - 1, at - 1, -1):
        there = unpack_bits(evaluation.found[position], K)
        first[there] = position
        all_at[there.all(axis=1)] = position
        found[position - at] = np.count_nonzero(there & ~now)
        lost[position - at] = np.count_nonzero(now & ~there)
    return Later(names[first], names[all_at], found[1:], lost[1:])


def _of_ranks(ranks: Ranks, names: Ids, at: int) -> Later:
    """As `later`, where candidates only grow: ranks (m, K) positions, names (p + 1,) efforts."""
    first = np.maximum(ranks, at)
    turning_up = np.bincount(first.ravel(), minlength=len(names))
    found = np.cumsum(turning_up[at + 1 : -1])
    return Later(names[first], names[first.max(axis=1)], found, np.zeros_like(found))


@dataclass(frozen=True, slots=True, eq=False)
class MoreEffort:
    """What efforts above the present one do for the misses at it.

    efforts (e,), ascending; found (e,) of the `missed` answers those that are candidates at each;
    lost (e,) answers found at the present effort that are none there, as wider beams may do.
    never: misses that no larger effort finds.
    """

    effort: int
    nouns: tuple[str, str]
    missed: int
    efforts: Ids
    found: Ids
    lost: Ids
    never: int

    @property
    def twice(self) -> int | None:
        """Position in `efforts` of the largest that is at most twice the present; None without."""
        if not np.any(self.efforts <= 2 * self.effort):
            return None
        return position_of(2 * self.effort, self.efforts)

    def in_words(self) -> str:
        """What twice the effort would find, or the most there is; "" where nothing is missed."""
        if self.missed == 0:
            return ""
        if len(self.efforts) == 0:
            return "There is no larger effort."
        if self.never == self.missed:
            return "No larger effort finds any of what is missed."
        at = 0 if self.twice is None else self.twice
        effort = int(self.efforts[at])
        name = counted(effort, *self.nouns)
        if effort == 2 * self.effort:
            name = f"Twice as many {self.nouns[1]}, {effort:,},"
        found = int(self.found[at])
        share = {0: "none", self.missed: "all"}.get(found, percent(found / self.missed))
        text = f"{name} would find {share} of what is missed"
        if self.lost[at]:
            text += f", and lose {counted(int(self.lost[at]), 'answer', 'answers')} found now"
        if self.never:
            text += f". {percent(self.never / self.missed)} of it is found by no larger effort"
        return f"{text}."
