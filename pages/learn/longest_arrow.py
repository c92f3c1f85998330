"""Lesson 2: a long item wins many searches, and in a recommender few items win nearly all."""

from dataclasses import replace
from typing import Any

import numpy as np

from mips_core import exact_top_k, shipped
from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import row_norms
from pages._ui.parts.lesson.declaration import (
    Ask,
    Handle,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Slider,
    State,
    Track,
    steps,
)
from pages._ui.parts.lesson.plane_words import (
    POINTS_DATA,
    WORDS,
    directions,
    points,
    principal_plane,
)
from pages._ui.state.session import Session

STRETCHED = "jazz"
STRETCHES = steps(0.5, 3.0, 0.05)
FREQUENT = 200  # words of the second set
LONGEST = 0.01  # share of the recommender's items that is counted apart


def make() -> dict[str, Any]:
    """Who wins in every direction, for each stretch of one word; of 200 words; for every user.

    winners (51, 720) and frequent_winners (720,) hold words; hubs: the items that win for any user,
    those that win most first, with `users` won and `lengths` beside the longest of all.
    """
    X, Q = points(), directions()
    winners = np.stack([_winners(stretched(X, by), Q) for by in STRETCHES])
    words, frequent = frequent_words()
    frequent_winners = _winners(frequent, Q)
    hubs, counts = _hubs()
    wins = (winners == WORDS.index(STRETCHED)).sum(axis=1)
    at = {by: int(wins[STRETCHES.index(by)]) for by in (1.0, 1.5, 2.0, 3.0)}
    touched = np.unique(winners[STRETCHES.index(1.0)])
    return {
        "words": list(WORDS),
        "points": X,
        "stretched": WORDS.index(STRETCHED),
        "stretches": STRETCHES,
        "winners": winners.astype(np.uint8),
        "frequent_words": words,
        "frequent_points": frequent,
        "frequent_winners": frequent_winners.astype(np.uint8),
        **hubs,
        "facts": {
            "once": at[1.0],
            "half_more": at[1.5],
            "twice": at[2.0],
            "thrice": at[3.0],
            "directions": len(Q),
            "touched": ", ".join(WORDS[row] for row in touched),
            "touching": len(touched),
            "frequent": len(words),
            "frequent_winning": len(np.unique(frequent_winners)),
            **counts,
        },
    }


def _hubs() -> tuple[dict[str, Any], dict[str, int]]:
    """Who wins for the users of the recommender, and what was counted of it."""
    ratings = shipped("simulated-ratings")
    hubs, users = np.unique(_winners(ratings.items, ratings.queries), return_counts=True)
    order = np.argsort(-users, kind="stable")
    hubs, users = hubs[order], users[order]
    lengths = row_norms(ratings.items)
    longest = np.argsort(-lengths)[: round(LONGEST * ratings.n)]
    data = {
        "hubs": hubs,
        "users": users,
        "lengths": (lengths[hubs] / lengths.max()).astype(np.float32),
        "median": float(np.median(lengths) / lengths.max()),
    }
    counts = {
        "hubs": len(hubs),
        "n_items": ratings.n,
        "m_users": ratings.m,
        "longest": len(longest),
        "by_longest": int(users[np.isin(hubs, longest)].sum()),
    }
    return data, counts


def stretched(X: Matrix, by: float) -> Matrix:
    """X (72, 2) with one word `by` times as long."""
    longer = X.copy()
    longer[WORDS.index(STRETCHED)] *= np.float32(by)
    return longer


def frequent_words() -> tuple[list[str], Matrix]:
    """The most frequent words of letters alone, and where they lie in their own plane (200, 2)."""
    data = shipped("glove-6b-50d")
    labels = data.labels or ()
    rows = [row for row, word in enumerate(labels) if word.isalpha()][:FREQUENT]
    words = [labels[row] for row in rows]
    plane = principal_plane(data.items[rows], words.index("minister"), words.index("season"))
    return words, plane


def _winners(X: Matrix, Q: Matrix) -> Ids:
    return exact_top_k(X, Q, 1)[:, 0]


def _ask(session: Session, state: State) -> None:
    session.states["map"] = replace(session.states["map"], colour="answers")


LESSON = Lesson(
    number=2,
    chapter="The problem",
    minutes=3,
    title="The longest arrow can win every search",
    short="the longest arrow",
    idea="Drag the tip of jazz. The ring shows who has the largest {inner product|inner-product} "
    "in each direction, by colour and shape.",
    state={"set": "plane", "f": 1.0},
    handle=Handle(
        label=f"Tip of {STRETCHED}",
        across=Track(key="f", values=STRETCHES, words="{:.2f} times as long", page=5),
    ),
    controls=(
        Options(
            key="set",
            label="Data",
            values=("plane", "frequent", "users"),
            words=(f"{len(WORDS)} words", f"{FREQUENT} words", "Recommender"),
        ),
        Slider(
            key="f",
            label=f"Length of {STRETCHED}",
            values=STRETCHES,
            words="{:.2f} times",
            when={"set": "plane"},
        ),
    ),
    steps=(
        LessonStep("Each colour is the word that wins there.", {"f": 1.0}),
        LessonStep("Make one arrow longer, and its part grows.", {"f": 1.5}),
        LessonStep("Twice as long: a third of all directions.", {"f": 2.0}),
        LessonStep(
            "Other words, the same: {frequent_winning} of {frequent} win everything.",
            {"set": "frequent"},
        ),
        LessonStep(
            "A simulated recommender: {hubs} of {n_items} items win for all {m_users} users.",
            {"set": "users"},
        ),
    ),
    question="How long must jazz be to win half of all directions?",
    answer="No length here is enough: it wins {once} of {directions} as it is, {half_more} at 1.5 "
    "times, {twice} at twice and {thrice} at three times its {length|norm}. However long, it never "
    "wins more than half: on the other side its inner products are negative.",
    answer_state={"set": "plane", "f": 3.0},
    asks=(
        Ask(
            "Lay a ruler against the words from outside, and turn it all round them. Which words "
            "does it touch? They are the only ones that win.",
            "{touched}: {touching} of 72. The ring shows how far the ruler turns on each.",
        ),
        Ask(
            "The recommender has {n_items} items. How many users get one of its {longest} longest "
            "first?",
            "{by_longest} of {m_users}. Such items are called {hubs|hub}: a search that looks at "
            "the longest items first finds most answers at once.",
        ),
    ),
    still={"f": 1.5},
    pictures=({"f": 3.0}, {"set": "users"}),
    intro="The ring shows, for each direction of a query, which word has the largest inner "
    "product with it.",
    data=f"{POINTS_DATA}, the {FREQUENT} most frequent words likewise; 720 directions. A "
    "simulated recommender, no real people.",
    own=OwnData("map.py", "See how often each of your items wins", _ask),
    make=make,
    height=430,
)
