"""Lesson 4: the two moves of k-means, one after the other, on the directions of words."""

from typing import Any

import numpy as np

from mips_core import rng_for
from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.progress import silent
from mips_core.methods.clustering.rounds import Empty, Fit, start_labels
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Press,
    Slider,
    State,
)
from pages._ui.parts.lesson.plane_words import POINTS_DATA, WORDS, points, unit
from pages._ui.state.session import Session

K, SEED = 5, 4
SQUEEZED = (110, 125, 140, 20, 262)  # degrees of first centroids: no word is nearest to the second
STOPS = 15  # the start and half rounds, at most


def make() -> dict[str, Any]:
    """Both moves of every round of three clusterings: see `story`."""
    X = points()
    D = np.ascontiguousarray(X / row_norms(X)[:, None], np.float32)
    drawn = start_labels(rng_for(SEED, "kmeans"), len(D), K)
    squeezed = unit(np.array(SQUEEZED))
    stories = {
        "random": story(D, drawn, "drop"),
        "drop": story(D, squeezed, "drop"),
        "reseed": story(D, squeezed, "reseed"),
    }
    ends = {name: f"{told['objective'][-1]:.3f}" for name, told in stories.items()}
    live = int(np.isfinite(stories["drop"]["angles"][-1]).sum())
    return {
        "words": list(WORDS),
        "angles": angles_of(X),
        "k": K,
        "stories": stories,
        "facts": {**ends, "left": live},
    }


def story(D: Matrix, start: Ids | Matrix, empty: Empty) -> dict[str, np.ndarray]:
    """K-means on the unit rows D (n, 2), stopped after each of its two moves, in s stops.

    turned (s,): whether the centroids moved last, or the words. angles (s, K) of centroids in
    degrees, NaN where there is none; labels (s, n), K where there is none; objective (s,), mean
    cosine of a word and its centroid, NaN before there are both; moved (s,) words.
    """
    fit = Fit(D, row_norms(D), start)
    names = np.arange(len(fit.centroids))  # of the clusters that are left
    stops: list[tuple[bool, Floats, Ids, float, int]] = []

    def stop(turned: bool, labels: Ids, total: float, moved: int) -> None:
        angles = np.full(K, np.nan)
        if stops or start.ndim == 2:
            angles[names] = angles_of(fit.centroids)
        stops.append((turned, angles, labels, total / len(D), moved))

    stop(False, np.where(fit.labels < 0, K, fit.labels), np.nan, 0)
    while not fit.rounds or fit.rounds[-1].moved:
        if fit.sums.counts.any():  # words have clusters
            labels = names[fit.labels]
            names = names[fit.sums.counts > 0] if empty == "drop" else names
            fit.update(empty)
            stop(True, labels, fit.sums.objective(fit.centroids), 0)
        fit.run(empty, len(fit.rounds) + 1, silent)
        last = fit.rounds[-1]
        stop(False, names[fit.labels], last.objective, last.moved)
    turned, ways, members, objectives, moves = zip(*stops, strict=True)
    return {
        "turned": np.array(turned),
        "angles": np.array(ways, np.float32),
        "labels": np.array(members, np.uint8),
        "objective": np.array(objectives, np.float32),
        "moved": np.array(moves),
    }


def angles_of(rows: Matrix) -> Floats:
    """Degrees (n,) of rows (n, 2)."""
    return np.degrees(np.arctan2(rows[:, 1], rows[:, 0], dtype=np.float64))


def _ask(session: Session, state: State) -> None:
    empty: Empty = "reseed" if state["story"] == "reseed" else "drop"
    session.keep(FlatKMeans(empty=empty))


LESSON = Lesson(
    number=4,
    chapter="Clusters",
    minutes=4,
    title="Two moves, repeated, find the clusters",
    short="k-means, round by round",
    idea="Drag the {round|round} forwards and back. Arrows are {centroids|centroid}; a ring marks "
    "a word that changes {cluster|cluster}.",
    state={"story": "random", "t": 0},
    controls=(
        Press(key="t", label="◀ Back", values=range(STOPS), by=-1),
        Slider(key="t", label="Round", values=range(STOPS), grows=3),
        Press(key="t", label="Forward ▶", values=range(STOPS), by=1),
        Options(
            key="story",
            label="Start",
            values=("random", "drop", "reseed"),
            words=("Random", "One empty: drop", "One empty: re-seed"),
            sets={"t": 0},
        ),
    ),
    steps=(
        LessonStep("Give every word a cluster at random.", {"t": 0}),
        LessonStep("First move: each arrow turns to where its words point, added up.", {"t": 1}),
        LessonStep("Second move: each word joins the arrow nearest in direction.", {"t": 2}),
        LessonStep("Repeat until no word moves. The objective never falls.", {"t": STOPS - 1}),
        LessonStep(
            "An arrow between two others can end up with no words. The paper drops it.",
            {"story": "drop", "t": 1},
        ),
        LessonStep(
            "Or it starts again at the word that is served worst, and ends higher.",
            {"story": "reseed", "t": 9},
        ),
    ),
    question="Start with one empty cluster. Which ends with the higher {objective|objective}: "
    "dropping it, or re-seeding it?",
    answer="Re-seeding: {reseed} with five clusters, against {drop} with the {left} that are left. "
    "Dropping is the default here, as in the paper, and costs one inner product less per query.",
    asks=(
        Ask(
            "In the picture arrow B has no words. Where would a word have to lie to join it?",
            "Nearer to B than to A and C: between the middle of A and B and the middle of B and "
            "C. There is no word.",
        ),
        Ask(
            "Why can the objective not fall when an arrow turns, nor when a word moves?",
            "Of all arrows, the one along the sum of its words has the largest sum of cosines with "
            "them. And a word only moves to an arrow that it has a larger cosine with.",
        ),
    ),
    answer_state={"story": "reseed", "t": 9},
    still={"t": STOPS - 1},
    sheet={"story": "drop", "t": 1},
    pictures=({"story": "drop", "t": 5}, {"story": "reseed", "t": 9}),
    intro="Words stand at their directions. K-means repeats two moves: each arrow turns to "
    "where the words of its cluster point, then each word joins the arrow nearest in "
    "direction.",
    data=f"Directions of {POINTS_DATA}; {K} clusters, seed {SEED}.",
    own=OwnData("build.py", "Cluster your own data like this", _ask),
    make=make,
    height=420,
    side=304,
)
