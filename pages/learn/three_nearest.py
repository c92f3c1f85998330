"""Lesson 1: who is nearest by inner product, by cosine and by distance."""

from dataclasses import replace
from typing import Any

import numpy as np

from mips_core import Dataset, searched_by
from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.data.dataset import Metric
from mips_core.data.metrics import shown
from mips_core.methods.exact.top_k import exact_top_k_scores
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
    Unseen,
    steps,
)
from pages._ui.parts.lesson.plane_words import POINTS_DATA, QUERY, WORDS, directions, points
from pages._ui.state.session import Session

LENGTHS = steps(0.25, 1.0, 0.05)
SHORT = 0.5  # a length at which the meanings often differ
START: State = {"q": 132.0, "r": 0.55, "show": "all", "near": 1.0, "hull": "no"}
METRICS: dict[str, Metric] = {"inner": "inner product", "cosine": "cosine", "distance": "euclidean"}


def make() -> dict[str, Any]:
    """The two nearest of every query, in each of the three meanings.

    inner, cosine (720, 2) and distance (16 · 720, 2), by length, then by direction; their values:
    inner products at length 1, degrees, and distances in hundredths. `hull`: the words that win by
    inner product anywhere, in the order of their angles.
    """
    X, Q = points(), directions()
    inner, products = _two_best("inner product", Q)
    cosine, cosines = _two_best("cosine", Q)
    distance, distances = _two_best("euclidean", np.concatenate([Q * r for r in LENGTHS]))
    winners, wins = np.unique(inner[:, 0], return_counts=True)
    short = distance.reshape(len(LENGTHS), len(Q), 2)[LENGTHS.index(SHORT), :, 0]
    at = int(2 * START["q"])
    tip = LENGTHS.index(START["r"]) * len(Q) + at
    three = (inner[:, 0] != cosine[:, 0]) & (inner[:, 0] != short) & (cosine[:, 0] != short)
    return {
        "words": list(WORDS),
        "points": X,
        "lengths": LENGTHS,
        "inner": inner.astype(np.uint8),
        "products": products.astype(np.float32),
        "cosine": cosine.astype(np.uint8),
        "degrees": np.degrees(np.arccos(cosines)).astype(np.float32),
        "distance": distance.astype(np.uint8),
        "hundredths": np.rint(100 * distances).astype(np.uint8),
        "hull": winners[np.argsort(np.arctan2(X[winners, 1], X[winners, 0]))].astype(np.uint8),
        "facts": {
            "n": len(WORDS),
            "winners": len(winners),
            "never": len(WORDS) - len(winners),
            "most": WORDS[winners[wins.argmax()]],
            "most_wins": int(wins.max()),
            "directions": len(Q),
            "cosine_winners": len(np.unique(cosine[:, 0])),
            "three": int(three.sum()),
            "inner": WORDS[inner[at, 0]],
            "cosine": WORDS[cosine[at, 0]],
            "distance": WORDS[distance[tip, 0]],
        },
    }


def _two_best(metric: Metric, Q: Matrix) -> tuple[Ids, Floats]:
    """The two nearest words (m, 2) of queries Q (m, 2), and what `metric` says of them (m, 2)."""
    data = searched_by(Dataset(items=points(), queries=Q, labels=WORDS), metric)
    ids, scores = exact_top_k_scores(data.items, data.queries, 2)
    return ids, shown(data, data.queries, scores)


def _ask(session: Session, state: State) -> None:
    metric = METRICS.get(state["show"], session.metric)
    if metric != session.metric and not session.source.logits:  # their order is the inner product's
        session.use(session.source, session.data, session.recipe, metric)


LESSON = Lesson(
    number=1,
    chapter="The problem",
    minutes=2,
    title="Nearest has three meanings",
    short="nearest has three meanings",
    idea="Drag the tip of the {query|query}. By {inner product|inner-product} a line comes in from "
    "far away, by {cosine|cosine} a ray opens, by {distance|distance} a circle grows.",
    state=START,
    handle=Handle(
        label="Query",
        across=replace(QUERY.across, words="{:g}°"),
        up=Track(key="r", values=LENGTHS, words="length {:.2f}"),
    ),
    controls=(
        Options(
            key="show",
            label="Show",
            values=("all", *METRICS),
            words=("All three", "Inner product", "Cosine", "Distance"),
        ),
        Slider(key="near", label="Come nearer", values=steps(0, 1, 0.05), words="{:.0%}"),
        Unseen(key="hull", values=("no", "yes")),
    ),
    steps=(
        LessonStep(
            "Inner product: a line square to the arrow comes in from far away.",
            {"show": "inner", "near": 0.4},
        ),
        LessonStep("The word it meets first lies farthest along the arrow.", {"show": "inner"}),
        LessonStep(
            "Cosine: a ray opens. It meets the word of the smallest angle.", {"show": "cosine"}
        ),
        LessonStep("Distance: a circle grows around the tip.", {"show": "distance"}),
        LessonStep("Three words, three answers.", {"show": "all"}),
        LessonStep(
            "By inner product only {winners} of {n} words ever win: those farthest out.",
            {"show": "inner", "hull": "yes"},
        ),
    ),
    question="Which {words|item} can never win by inner product, wherever the query points?",
    answer="All {never} inside the {outline|hull}: a line that comes in meets one of the {winners} "
    "words on it first. The word {most} alone wins {most_wins} of {directions} directions. By "
    "cosine all {cosine_winners} words win somewhere.",
    answer_state={"show": "inner", "near": 1.0, "hull": "yes"},
    asks=(
        Ask(
            "Lay a ruler square to the arrow, far out, and slide it inwards. Then turn it about "
            "the middle, away from the arrow, to both sides. Then open compasses at the tip. Which "
            "word does each meet first?",
            "The ruler {inner}, by inner product; the turned ruler {cosine}, by cosine; the "
            "compasses {distance}, by distance.",
        ),
        Ask(
            "Pull the tip of the query outwards. Which of the three answers can change?",
            "Only the nearest by distance. Inner products all grow alike, and angles stay as they "
            "are. At length 0.50 the three are three different words in {three} of {directions} "
            "directions.",
        ),
    ),
    pictures=({"show": "inner", "hull": "yes"}, {"r": 1.0}),
    intro="Dots are words, the arrow is the query. Inner product asks which word lies farthest "
    "along the arrow, cosine which has the smallest angle to it, distance which is "
    "nearest to its tip.",
    data=f"{POINTS_DATA}; queries in 720 directions and 16 lengths.",
    own=OwnData("search.py", "Search your own data this way", _ask),
    make=make,
    height=420,
)
