"""Lesson 9: words halved again and again at medians, and the leaf that a query falls into.

Bachrach et al. 2014, as the PCA-tree does it, drawn in the plane: its two principal directions take
turns, since there are no others, and words are not lifted, so that cuts are straight lines.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from mips_core import Plain, exact_top_k, rng_for
from mips_core.base.arrays import Ids
from mips_core.base.progress import silent
from mips_core.methods.trees.median_tree import MedianTree, median_tree, principal_directions
from mips_core.methods.trees.pca import PCATree, SubtreeSearcher
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Slider,
    Unseen,
)
from pages._ui.parts.lesson.plane_words import QUERY, WORDS, directions, points
from pages._ui.state.session import Session

DEPTH, K = 5, 3
ASKED = 112.0  # degrees, where the steps ask


@cache
def tree() -> MedianTree:
    """The words halved DEPTH times."""
    lift = Plain().fit(points())
    rows = lift.items(points())
    principal = principal_directions(rows, 2, rng_for(0), silent)
    return median_tree(lift, rows, principal[np.arange(DEPTH) % 2], silent)


def searcher(*, boosting: bool) -> SubtreeSearcher:
    """How the tree is asked: a query is taken to be as long as the longest word."""
    return SubtreeSearcher(tree(), boosting, scaled=True)


def make() -> dict[str, Any]:
    """The cuts, level by level and by address: at `medians` along `axes`, 0 across and 1 up.

    Addresses of the leaf of each of `items` (72,) and of that which each of `queries` (720,) falls
    into; with fewer levels they lose their last bits. `truth` (720, 3); `cost` (10, 720) of the own
    leaf alone with 1 to 5 levels, then with leaves one bit away.
    """
    outcomes = [outcome(boosting=boosting) for boosting in (False, True)]
    return {
        "words": list(WORDS),
        "points": points(),
        "truth": truth(),
        "axes": np.abs(tree().directions).argmax(axis=1),
        "medians": tree().thresholds,
        "items": tree().addresses,
        "queries": searcher(boosting=True).leaves(directions()),
        "cost": np.concatenate([cost for _, cost in outcomes]),
        "facts": facts(outcomes[0][0], *outcomes[1]),
    }


@cache
def truth() -> Ids:
    """(720, 3) the best words of each direction."""
    return exact_top_k(points(), directions(), K)


def outcome(*, boosting: bool) -> tuple[Ids, Ids]:
    """(5, 720) by levels: how many of its best words each direction finds, and at what cost."""
    heights = list(searcher(boosting=boosting).outcomes(directions(), truth(), K))[::-1]
    hits = np.stack([mask.sum(axis=1) for mask, _ in heights])
    return hits, np.stack([np.sum(list(costs.values()), axis=0) for _, costs in heights])


def facts(own: Ids, boosted: Ids, boosted_cost: Ids) -> dict[str, Any]:
    """What the texts name: the query of the steps, and where boosting at depth 4 misses a word."""
    at = int(2 * ASKED)
    leaf = searcher(boosting=False).candidates(directions()[at : at + 1], DEPTH + 1 - 3, K)
    return {
        "half": len(WORDS) // 2,
        "leaf": len(leaf.ids),
        "lost": K - int(own[2, at]),
        "boosted": int(boosted_cost[2, at]),
        "deep": int(boosted_cost[4, at]),
        "deep_found": int(boosted[4, at]),
        "kept_own": f"{np.mean(own[3] == K):.0%}",
        "kept": f"{np.mean(boosted[3] == K):.0%}",
        "missed": WORDS[next(iter(missed_by_boosting(at, 4)))],
    }


def missed_by_boosting(at: int, depth: int) -> list[int]:
    """Of the best words of direction `at`, those in leaves further than one bit away."""
    one = searcher(boosting=True).candidates(directions()[at : at + 1], DEPTH + 1 - depth, K)
    return [int(item) for item in truth()[at] if item not in one.ids]


def ask(session: Session, state: Mapping[str, Any]) -> None:
    """The PCA-tree over one's own data, boosted or not, cut where it leaves as many levels."""
    index = PCATree(boosting=bool(state["boost"]))
    session.keep(index)
    session.effort = max(index.levels(session.source.n) + 1 - state["h"], 1)


LESSON = Lesson(
    number=9,
    chapter="The others",
    minutes=3,
    title="A tree that cuts the plane in halves",
    short="a tree cuts the plane in halves",
    idea="Drag the {query|query}. Each level cuts every part in two at the {median|median}; the "
    "query falls into one {leaf|leaf}, and only its words are compared.",
    state={"q": ASKED, "h": 3, "boost": 0, "rim": 0},
    handle=QUERY,
    controls=(
        Slider(key="h", label="Levels", values=range(1, DEPTH + 1)),
        Options(
            key="boost",
            label="Open",
            values=(0, 1),
            words=("Its leaf", "Also leaves one bit away"),
        ),
        Unseen(key="rim", values=(0, 1)),
    ),
    steps=(
        LessonStep("Cut at the median: {half} words on either side.", {"h": 1}),
        LessonStep("Cut each half again, at its own median, the other way.", {"h": 2}),
        LessonStep(
            "Eight leaves. The query falls into one, and {lost} of its best lie across a cut.",
            {"h": 3},
        ),
        LessonStep(
            "Open the leaves one bit away as well: all three, for {boosted}.", {"h": 3, "boost": 1}
        ),
        LessonStep(
            "A deeper tree is cheaper, {deep} inner products, and finds {deep_found} of 3.",
            {"h": 5, "boost": 1},
        ),
    ),
    question="How many of 16 leaves are opened at 4 levels with those {one bit away|boosting}? "
    "Find a query for which even these miss a word.",
    answer="5 of 16: its own, and one for each of the four turns on its way. At 112° “{missed}” is "
    "missed: its leaf is two turns away. Pink marks all such directions: in {kept} of them all "
    "three are found, with the own leaf alone in {kept_own}.",
    answer_state={"h": 4, "boost": 1, "rim": 1},
    asks=(
        Ask(
            "How many words does a leaf hold after three cuts?",
            "{leaf}: each cut halves them, 72, 36, 18, {leaf}.",
        ),
        Ask(
            "The query falls into a leaf and never looks across a cut. How many of its best three "
            "does it find at 112° with three levels?",
            "One. With the leaves one bit away all three, for {boosted} inner products.",
        ),
        Ask(
            "Why is the first cut upright, and not level?",
            "It is square to the first {principal direction|principal-direction}, along which the "
            "words lie farthest apart: from left to right.",
        ),
        Ask(
            "Why are leaves one bit away not always neighbours?",
            "A bit is a turn. The other side of the first cut has cuts of its own, so the same "
            "turns after it can lead far away.",
        ),
    ),
    still={},
    intro="Each level cuts every part in two at the median of its words. The query falls into "
    "one leaf, and is compared with the words in it.",
    data="72 words of the shipped data in 2 of their 50 dimensions; medians along both in turn; "
    "K = 3. On real data words are lifted first, and each level has a direction of its own.",
    own=OwnData("tradeoff.py", "See this on your own data", ask),
    make=make,
    height=430,
)
