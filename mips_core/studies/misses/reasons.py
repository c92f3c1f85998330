"""Why true answers are missed, in sentences: over all queries, and answer by answer of one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.base.text import counted, in_one_line, percent
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.typed_queries.one_query import Question
from mips_core.methods.indexes import Index, NestedSearcher, Searcher
from mips_core.studies.misses.contrasts import Contrast
from mips_core.studies.misses.rates import MOST_IN_ONE
from mips_core.studies.misses.trail import OpeningOrder, Trail, WalkStep, kept_ranks, walk

LONGEST = 60  # characters of a name in a sentence


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """What tells missed answers from found ones, over m queries.

    by_norm: of the item; by_nearness: to a boundary between its group and the next, None for an
    index that does not open whole groups; each None where it tells nothing apart. `measure` is
    what the norm is called: "norm", or a distance. groups: what there are boundaries between.
    longest: share of the true answers that are in the tenth of the items of largest norm.
    """

    m: int
    longest: float
    measure: str
    groups: str
    by_norm: Contrast | None
    by_nearness: Contrast | None

    def in_words(self) -> str:
        """One or two sentences, sure of themselves only where the intervals are."""
        contrasts = [c for c in (self.by_nearness, self.by_norm) if c is not None]
        sure = [c for c in contrasts if c.sure]
        if not sure:
            return self._nothing(contrasts) if contrasts else ""
        best = max(sure, key=lambda c: abs(c.difference))
        text = f"Misses gather {self._where(best)}: {self._shares(best)} ({best.in_points()})."
        others = (f" {self._other(c)}: {self._shares(c)}." for c in contrasts if c is not best)
        return text + "".join(others)

    def where_answers_are(self) -> str:
        """That most are in few items; "" where they are not."""
        if self.longest <= MOST_IN_ONE:
            return ""
        share = percent(self.longest)
        return (
            f"{share} of the true answers are in the tenth of the items of largest {self.measure}."
        )

    def _where(self, best: Contrast) -> str:
        less = best.difference < 0
        if best is self.by_nearness:
            return f"at boundaries between {self.groups}" if less else "away from boundaries"
        return f"in items of {'large' if less else 'small'} {self.measure}"

    def _other(self, other: Contrast) -> str:
        """What the other of the two tells."""
        name = self._name(other)
        if other.sure:
            return f"{_capital(name)} matters less"
        if other.small:
            return f"{_capital(name)} does not explain them"
        return f"Whether {name} matters too cannot be told"

    def _nothing(self, contrasts: list[Contrast]) -> str:
        """Neither explains the misses, or it cannot be told."""
        names = [self._name(c) for c in contrasts]
        if all(c.small for c in contrasts):
            text = f"neither {names[0]} nor {names[-1]} explains"
            if len(contrasts) == 1:
                text = f"{names[0]} does not explain"
        else:
            queries = counted(self.m, "query does", "queries do")
            text = f"{queries} not tell whether {' or '.join(names)} explains"
        return f"{_capital(text)} the misses: {'; '.join(map(self._shares, contrasts))}."

    def _name(self, contrast: Contrast) -> str:
        return "nearness to a boundary" if contrast is self.by_nearness else f"the {self.measure}"

    def _shares(self, contrast: Contrast) -> str:
        """The quarter where it is most first."""
        most, least = percent(contrast.highest), percent(contrast.lowest)
        if contrast is self.by_nearness:
            which, other = "nearest to a boundary", "farthest from one"
        else:
            which, other = f"of largest {self.measure}", "of smallest"
        return f"{most} are found of the quarter of true answers {which}, {least} of that {other}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedSearch:
    """What is known of a search when its answers are explained."""

    searcher: Searcher
    index: Index
    question: Question
    trail: Trail
    order: OpeningOrder
    levels: Sequence[GroupLevel]

    def named(self, group: int, level: int = -1) -> str:
        """cluster 57 (castle); without the brackets where its number is all its name."""
        number = f"{self.levels[level].nouns[0]} {group}"
        name = in_one_line(self.levels[level].names[group], LONGEST)
        return number if name in ("", number) else f"{number} ({name})"


def reasons(of: ExplainedSearch, true: Ids) -> list[str]:
    """A text for each true answer (K,): what finds it and where it lies, and what loses it again.

    Names in it are one line each, long ones cut.
    """
    efforts = list(of.searcher.efforts())
    walks: dict[int, list[WalkStep]] = {}
    texts = []
    for number, item in enumerate(true):
        at = int(of.trail.opened[item])
        if at == len(efforts):
            never = f"it shares no {of.index.group_nouns[0]} with the query."
            if of.index.opens_groups:
                never = f"{of.named(int(of.levels[-1].of[item]))} is never opened for this query."
            texts.append(f"No effort finds it: {never}")
            continue
        if at not in walks:
            walks[at] = _walk(of, efforts[at], len(true))
        text = _found(of, walks[at], int(item), efforts, at)
        texts.append(text + _lost(of, efforts, number, at))
    return texts


def _walk(of: ExplainedSearch, effort: int, K: int) -> list[WalkStep]:
    """The steps at an effort that is kept at every level; none where groups are opened one by one.

    So they are where more effort only adds groups, as it does below a fixed number of probes.
    """
    by_level = of.index.opens_groups and of.levels[0].centroid_rows is not None
    one_by_one = len(of.levels) < 2 or isinstance(of.searcher, NestedSearcher)
    if one_by_one or not by_level or effort == 1:
        return []
    return walk(of.searcher, of.index, of.question, effort, K, of.levels)


def _found(
    of: ExplainedSearch, steps: list[WalkStep], item: int, efforts: list[int], at: int
) -> str:
    """By which effort an item is found first, and the rank that makes it so where one does."""
    nouns, effort = of.index.effort_nouns, efforts[at]
    if effort == 1:
        return f"Found with the first {nouns[0]}."
    if not of.index.opens_groups:
        return f"Found with {counted(effort, *nouns)}."
    ranks = kept_ranks(steps, of.levels, item)
    place = _held_back(of, steps, item, ranks, efforts[at - 1]) if ranks else _nth(of, item, effort)
    a_level = " a level" if ranks else ""
    group = of.named(int(of.levels[-1].of[item]))
    return f"In {group}{place}: {counted(effort, *nouns)}{a_level} find it."


def _nth(of: ExplainedSearch, item: int, effort: int) -> str:
    """When the group of an item is opened, where groups are opened one by one."""
    rank, at = of.order.rank(int(of.levels[-1].of[item])), of.trail.opened[item]
    if rank == 0 or of.order.at[rank - 1] > at:
        return f", with a copy in a {of.index.group_nouns[0]} that is opened earlier"
    opened = int(np.searchsorted(of.order.at, at, side="right"))
    return f", the {ordinal(rank)} opened for this query" if opened <= effort else ""


def _held_back(
    of: ExplainedSearch, steps: list[WalkStep], item: int, ranks: dict[int, int], less: int
) -> str:
    """The level of a beam at which `less` branches did not reach the item, and its rank there.

    Below two levels the groups scored may be others with fewer branches; then there may be none.
    """
    level = max(ranks, key=lambda level: (ranks[level], -level))
    if ranks[level] <= less:
        return ""
    scored = next(len(step.scored) for step in steps if step.level == level)
    coarse = level < len(of.levels) - 1
    under = f", under {of.named(int(of.levels[level].of[item]), level)}" if coarse else ""
    return f"{under}, {ordinal(ranks[level])} of {scored:,} at level {level + 1}"


def _lost(of: ExplainedSearch, efforts: list[int], number: int, at: int) -> str:
    """The first larger effort that does not find an answer any more, where there is one."""
    later = np.flatnonzero(of.trail.found[at:, number] == 0)
    if len(later) == 0:
        return ""
    return f" {counted(efforts[at + int(later[0])], *of.index.effort_nouns)} lose it again."


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st, 1,002nd."""
    teen = 10 <= number % 100 < 20
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
