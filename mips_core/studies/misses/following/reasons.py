"""Why a true answer is found as late as it is, or never: one plain sentence or two for each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.base.text import counted, in_one_line
from mips_core.evaluation.one_query import Question
from mips_core.groups.clusters import GroupLevel
from mips_core.methods.indexes import Index, NestedSearcher, Searcher
from mips_core.studies.misses.following.opening_order import OpeningOrder
from mips_core.studies.misses.following.trail import Trail
from mips_core.studies.misses.following.walking import WalkStep, ranks_of, walk

LONGEST = 60  # characters of a name in a sentence


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
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


def reasons(of: Followed, true: Ids) -> list[str]:
    """A text for each true answer (K,): what finds it and where it lies, and what loses it again.

    Names in it are one line each, long ones cut.
    """
    efforts = list(of.searcher.efforts())
    walks: dict[int, list[WalkStep]] = {}
    texts = []
    for number, item in enumerate(true):
        at = int(of.trail.opened[item])
        if at == len(efforts):
            texts.append(_never(of, int(item)))
            continue
        if at not in walks:
            walks[at] = _walk(of, efforts[at], len(true))
        found = _found(of, walks[at], int(item), efforts, at)
        texts.append(found + _lost(of, efforts, number, at))
    return texts


def _walk(of: Followed, effort: int, K: int) -> list[WalkStep]:
    """The steps at an effort that is kept at every level; none where groups are opened one by one.

    So they are where more effort only adds groups, as it does below a fixed number of probes.
    """
    by_level = of.index.opens_groups and of.levels[0].centroid_rows is not None
    one_by_one = len(of.levels) < 2 or isinstance(of.searcher, NestedSearcher)
    if one_by_one or not by_level or effort == 1:
        return []
    return walk(of.searcher, of.index, of.question, effort, K, of.levels)


def _never(of: Followed, item: int) -> str:
    if of.index.opens_groups:
        group = of.named(int(of.levels[-1].of[item]))
        return f"No effort finds it: {group} is never opened for this query."
    return f"No effort finds it: it shares no {of.index.group_nouns[0]} with the query."


def _found(of: Followed, steps: list[WalkStep], item: int, efforts: list[int], at: int) -> str:
    """By which effort an item is found first, and the rank that makes it so where one does."""
    nouns, effort = of.index.effort_nouns, efforts[at]
    if effort == 1:
        return f"Found with the first {nouns[0]}."
    if not of.index.opens_groups:
        return f"Found with {counted(effort, *nouns)}."
    ranks = ranks_of(steps, of.levels, item)
    place = _held_back(of, steps, item, ranks, efforts[at - 1]) if ranks else _nth(of, item, effort)
    a_level = " a level" if ranks else ""
    group = of.named(int(of.levels[-1].of[item]))
    return f"In {group}{place}: {counted(effort, *nouns)}{a_level} find it."


def _nth(of: Followed, item: int, effort: int) -> str:
    """When the group of an item is opened, where groups are opened one by one."""
    rank, at = of.order.rank(int(of.levels[-1].of[item])), of.trail.opened[item]
    if rank == 0 or of.order.at[rank - 1] > at:
        return f", with a copy in a {of.index.group_nouns[0]} that is opened earlier"
    opened = int(np.searchsorted(of.order.at, at, side="right"))
    return f", the {ordinal(rank)} opened for this query" if opened <= effort else ""


def _held_back(
    of: Followed, steps: list[WalkStep], item: int, ranks: dict[int, int], less: int
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


def _lost(of: Followed, efforts: list[int], number: int, at: int) -> str:
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
