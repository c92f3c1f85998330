"""Lesson 5. The core's answers for 720 directions travel once; a drag looks them up."""

from typing import Any

import numpy as np

from mips_core import exact_top_k, rng_for
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    OwnData,
    Slider,
    State,
    Unseen,
)
from pages._ui.parts.lesson.plane_words import (
    POINTS_DATA,
    QUERY,
    WORDS,
    directions,
    points,
    unit,
)
from pages._ui.state.session import Session

K, CLUSTERS, SEED = 3, 8, 8
AT = 224  # half degrees, of the query on the worksheet


def make() -> dict[str, Any]:
    """For 720 directions the order in which clusters open, and the three true answers."""
    P, Q = points(), directions()
    index = FlatKMeans(n_clusters=CLUSTERS)
    searcher = index.searcher(index.build(P, rng_for(SEED)))
    labels = searcher.groups()[0]
    one_of_each = np.array([np.flatnonzero(labels == c)[0] for c in range(CLUSTERS)])
    opened_at, spent = searcher.sweep(Q, np.tile(one_of_each, (len(Q), 1)))
    truth = np.asarray(exact_top_k(P, Q, K))
    found_at = np.take_along_axis(opened_at, labels[truth], axis=1)
    missed = {p: (found_at >= p).sum(axis=1) for p in (1, 3)}
    order, scored = np.argsort(opened_at, axis=1), spent["candidates"]
    return {
        "words": WORDS,
        "points": P,
        "labels": labels.astype(np.uint8),
        "order": order.astype(np.uint8),
        "scored": scored.astype(np.uint8),
        "truth": truth.astype(np.uint8),
        "facts": {
            "none": _places(missed[1] == K),
            "all_one": int((missed[1] == 0).sum()),
            "all_three": int((missed[3] == 0).sum()),
            **_on_the_sheet(truth[AT], found_at[AT], order[AT], scored[AT]),
        },
    }


def _on_the_sheet(
    truth: np.ndarray, found_at: np.ndarray, order: np.ndarray, scored: np.ndarray
) -> dict[str, Any]:
    """What the worksheet's query finds: three (3,) answers and the probe, less one, of each."""
    return {
        "true": _words(truth),
        "found": _words(truth[found_at < 1]),
        "missed": _words(truth[found_at >= 1]),
        "scored": int(scored[0]),
        "cost": int(scored[0]) + CLUSTERS,
        "second": "abcdefgh"[order[1]],
        "found_two": int((found_at < 2).sum()),
        "cost_two": int(scored[1]) + CLUSTERS,
    }


def _words(rows: np.ndarray) -> str:
    """The words of these rows, in their order: "army, team and troops"."""
    *most, last = (WORDS[row] for row in rows)
    return f"{', '.join(most)} and {last}" if most else last


def _places(holds: np.ndarray) -> str:
    """Where `holds`, (720,) half degrees, is true: "98.5° to 102° and 326.5° to 338°"."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]]).astype(int)))
    parts = [f"{a / 2:g}° to {(b - 1) / 2:g}°" for a, b in edges.reshape(-1, 2)]
    return " and ".join(parts)


def _ask(session: Session, state: State) -> None:
    """Search with as many probes, and with the word that reaches farthest, where it is there."""
    session.efforts[FlatKMeans.key] = state["p"]
    best = exact_top_k(points(), unit(np.array([state["q"]])), 1)
    word = WORDS[best[0, 0]]
    if word in (session.source.labels or ()):
        session.query = f"words {word}"


LESSON = Lesson(
    number=5,
    chapter="Clusters",
    minutes=3,
    title="Open one cluster, or three",
    short="open one cluster, or three",
    idea="Drag the {query|query} round the circle. Its three best words lie beyond the dashed "
    "line: found ● or {missed|miss} ✕.",
    state={"q": 74, "p": 1, "rim": 0},
    handle=QUERY,
    controls=(
        Slider(key="p", label="Clusters to open", values=range(1, 9), words="{} of 8"),
        Unseen(key="rim", values=(0, 1)),
    ),
    steps=(
        LessonStep(
            "72 words lie in 8 clusters. We want the 3 that reach farthest along the arrow.",
            {"q": 74, "p": 1},
        ),
        LessonStep(
            "Open one cluster, and words across its border are missed.", {"q": 112, "p": 1}
        ),
        LessonStep("Open three, and they are found. That costs more.", {"q": 112, "p": 3}),
        LessonStep(
            "Pink marks every direction that loses a word when one cluster is opened.",
            {"q": 112, "p": 1, "rim": 1},
        ),
        LessonStep(
            "Open all eight, and the search costs more than comparing everything.",
            {"q": 112, "p": 8},
        ),
    ),
    question="With one {cluster|cluster} open, put the query where all three words are missed.",
    answer="At {none}: the query points into one cluster, but the three {true answers|answers} "
    "lie in its neighbours. Near a border one cluster is never enough: an {index|index} trades "
    "misses for speed. On the rim such places are in full pink.",
    answer_state={"p": 1, "rim": 1},
    asks=(
        Ask(
            "Lay a ruler square to the arrow, outside the circle, and slide it inwards. Which "
            "three words does it meet first?",
            "{true}, in this order.",
        ),
        Ask(
            "Only the shaded cluster is opened. Which of the three are found, which are missed?",
            "Found: {found}. Missed: {missed}, across the border.",
        ),
        Ask(
            "Count the words of the shaded cluster. How many inner products does the search cost, "
            "with the 8 {centroids|centroid}?",
            "{scored} words and 8 centroids: {cost} inner products, instead of 72.",
        ),
        Ask(
            "Which cluster would you open next? What does the search find and cost then?",
            "Cluster {second}. It finds {found_two} of 3 for {cost_two}.",
        ),
    ),
    still={"q": 112, "p": 1},
    intro="72 words lie in 8 clusters, a to h. The arrow is the query. A word's inner product with "
    "it is how far the word reaches along the arrow. A search compares the query with the 8 "
    "centroids, opens the best clusters, and compares it with their words.",
    sheet={"q": AT / 2, "p": 1},
    pictures=({"q": AT / 2, "p": 1}, {"q": AT / 2, "p": 2}, {"q": AT / 2, "p": 1, "rim": 1}),
    data=f"{POINTS_DATA}; flat k-means, 8 clusters, seed 8; K = 3.",
    own=OwnData("search.py", "See this on your own data", _ask),
    make=make,
    height=430,
)  # fmt: skip
