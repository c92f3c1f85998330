"""The steps of one search, as groups of the levels of its index where they are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.base.text import counted
from mips_core.evaluation.one_query import Question
from mips_core.groups.clusters import GroupLevel
from mips_core.methods.indexes import Index, Searcher, Step
from mips_core.methods.search import check_effort
from mips_core.studies.misses.following.trail import asked_for

BY_LEVEL = "centroids"  # the part of the ledger whose steps score groups, those of one level each


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

    K as `answers.ask` takes it: the number of true answers there are, the own row not counted.
    Raises ParamError for an effort that is not offered.
    """
    check_effort(searcher, effort)
    steps = searcher.trace(question.query, effort, asked_for(question, K))
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


def ranks_of(steps: Sequence[WalkStep], levels: Sequence[GroupLevel], item: int) -> dict[int, int]:
    """level -> rank, from 1, of the group of `item` among those kept there, where it was kept."""
    ranks = {}
    for step in steps:
        if step.level >= 0:
            place = np.flatnonzero(step.kept == levels[step.level].of[item])
            if len(place):
                ranks[step.level] = int(place[0]) + 1
    return ranks
