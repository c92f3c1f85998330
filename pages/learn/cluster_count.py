"""Lesson 6: cost against the number of clusters, by the formula and as real builds measure it.

Auvolat et al. 2015, section 4.1: k + p n / k inner products for p of k clusters opened, the least
at k = sqrt(p n).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mips_core import (
    Dataset,
    QueryRecipe,
    Truth,
    evaluate,
    rng_for,
    shipped,
    truth_of,
    with_queries,
)
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts.lesson.declaration import (
    Ask,
    Handle,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Slider,
    Track,
)
from pages._ui.state.session import Session

BUILDS = (18, 35, 71, 141, 283, 566, 1131)  # clusters asked for: sqrt(n) over 8, 4, 2, 1, 1/2 …
MOST_OPENED = 10
QUERIES, K, TARGET = 1000, 10, 0.9
_RATIO = BUILDS[-1] / BUILDS[0]
_ROOTS = {round((p * 20_000) ** 0.5) for p in (1, 10)}  # where the steps find the least
STOPS = sorted({round(BUILDS[0] * _RATIO ** (i / 60)) for i in range(61)} | {*BUILDS, *_ROOTS})


def make() -> dict[str, Any]:
    """All builds; their arrays have a row or an entry for each."""
    dataset = words_asked()
    truth = truth_of(dataset)
    builds = [measured(dataset, truth, k) for k in BUILDS]
    columns = {name: np.array([build[name] for build in builds]) for name in builds[0]}
    return {"n": dataset.n, **columns, "facts": facts(dataset.n, columns)}


def words_asked() -> Dataset:
    """The shipped words, and those of them that are asked for."""
    return with_queries(shipped("glove-6b-50d"), QueryRecipe(count=QUERIES))


def measured(dataset: Dataset, truth: Truth, k: int) -> dict[str, Any]:
    """One build: live clusters; cost, precision and its interval, by clusters opened (10,).

    And the least opened that reach the target: how many, their cost and precision.
    """
    index = FlatKMeans(n_clusters=k)
    structure = index.build(dataset.items, rng_for(0))
    curve = evaluate(index, index.searcher(structure), truth, 0).curve((K,))
    precision, cost = curve.precision(K), curve.mean_cost
    enough = int(np.argmax(precision >= TARGET))
    return {
        "k": k,
        "live": len(structure.levels[0].centroids),
        "cost": cost[:MOST_OPENED],
        "precision": precision[:MOST_OPENED],
        "low": curve.interval(K)[:MOST_OPENED, 0],
        "high": curve.interval(K)[:MOST_OPENED, 1],
        "enough": int(curve.efforts[enough]),
        "enough_cost": float(cost[enough]),
        "enough_precision": float(precision[enough]),
    }


def formula(n: int, k: float, p: int) -> float:
    """Inner products a query by the formula."""
    return k + p * n / k


def facts(n: int, builds: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """What the texts name: at the square root of n, and where the target is reached for least."""
    root = BUILDS.index(round(n**0.5))
    best = int(builds["enough_cost"].argmin())
    return {
        "root": BUILDS[root],
        "formula": f"{formula(n, BUILDS[root], 1):,.0f}",
        "measured": f"{builds['cost'][root][0]:,.0f}",
        "root_probes": int(builds["enough"][root]),
        "root_cost": f"{builds['enough_cost'][root]:,.0f}",
        "best": BUILDS[best],
        "best_probes": int(builds["enough"][best]),
        "best_cost": f"{builds['enough_cost'][best]:,.0f}",
        "few": BUILDS[0],
        "above": f"{builds['cost'][0][0] / formula(n, BUILDS[0], 1) - 1:.0%}",
        "root_ten": f"{(10 * n) ** 0.5:,.0f}",
    }


def ask(session: Session, state: Mapping[str, Any]) -> None:
    """The curve of as many clusters on one's own data, with as many opened."""
    index = FlatKMeans(n_clusters=min(state["k"], session.source.n))
    session.keep(index)
    session.effort = state["p"]


LESSON = Lesson(
    number=6,
    chapter="Clusters",
    minutes=3,
    title="How many clusters?",
    short="how many clusters?",
    idea="Drag the blue ring. Curve: the formula k + p n / k. Dots: real builds on 20,000 words, "
    "with the {precision|precision} each reaches.",
    state={"k": 141, "p": 1, "view": "same"},
    handle=Handle(
        label="Clusters k",
        across=Track(key="k", values=STOPS, words="{} clusters", page=6),
    ),
    controls=(
        Slider(
            key="p",
            label="Clusters opened, p",
            values=range(1, MOST_OPENED + 1),
            when={"view": "same"},
        ),
        Options(
            key="view",
            label="Compare builds",
            values=("same", "reach"),
            words=("Same p", f"Same precision, {TARGET:.0%}"),
        ),
    ),
    steps=(
        LessonStep(
            "With few clusters, the ones that are opened hold many words.", {"k": 35, "p": 1}
        ),
        LessonStep("With many, comparing the centroids costs most.", {"k": 1131, "p": 1}),
        LessonStep(
            "Between them the cost is least: at the square root of p n.", {"k": 141, "p": 1}
        ),
        LessonStep(
            "Open more clusters, and the best number of clusters grows.", {"k": 447, "p": 10}
        ),
        LessonStep(
            "Least {cost|cost} is not the goal. For 90% precision, more clusters are cheaper.",
            {"k": 566, "p": 10, "view": "reach"},
        ),
    ),
    question="By the formula, {root} clusters are best for p = 1. Are they also the cheapest way "
    "to 90% precision?",
    answer="No. {root} clusters need {root_probes} {probes|probe} and {root_cost} inner products; "
    "{best} clusters need {best_probes} and {best_cost}. Smaller clusters fit the answers better, "
    "so the words that are scored are better chosen. The formula knows cost, not precision.",
    answer_state={"view": "reach", "k": 566},
    asks=(
        Ask(
            "One cluster is opened. At how many clusters does a search cost least by the formula, "
            "and how much?",
            "At {root}: {root} centroids and about as many words, {formula} inner products. A real "
            "build of {root} clusters costs {measured}.",
        ),
        Ask(
            "At {few} clusters a real build costs more than the formula says. Why?",
            "The formula takes all clusters as equally large. Large ones are opened more often, so "
            "the real cost is {above} above it.",
        ),
        Ask(
            "Ten clusters are opened instead of one. Which number of clusters is then best?",
            "{root_ten}: it grows with the square root of p.",
        ),
    ),
    still={"k": 141, "p": 1},
    intro="A search compares the query with k centroids, then with the words of the p clusters "
    "it opens. Were all clusters equally large, that would be k + p n / k inner products "
    "for n words.",
    data="GloVe 6B words, 20,000 × 50; flat k-means, seed 0; 1,000 queries, K = 10.",
    own=OwnData("tradeoff.py", "See this on your own data", ask),
    make=make,
    height=420,
    stored=True,
)
