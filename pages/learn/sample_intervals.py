"""Lesson 11. 300 samples of m queries, for eight m and two settings, each with its intervals."""

from dataclasses import replace
from typing import Any

import numpy as np

from mips_core import QueryRecipe, evaluate, rng_for, shipped, truth_of, with_queries
from mips_core.base.arrays import Floats, Ids
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts.lesson.declaration import (
    Ask,
    Lesson,
    LessonStep,
    NewRow,
    Options,
    OwnData,
    Press,
    Slider,
    State,
)
from pages._ui.state.session import Session

SIZES = (10, 20, 50, 100, 200, 500, 1_000, 2_000)  # queries in a sample
PROBES = (8, 90)
SAMPLES, K, CLUSTERS = 300, 10, 141


def make() -> dict[str, Any]:
    """What all words as queries find is the truth; samples of them, each with its intervals."""
    hits = hits_of_all()
    truth = hits.mean(axis=1) / K
    seen = [[intervals_of(row, m) for m in SIZES] for row in hits]
    of = {
        name: np.array([[one[name] for one in row] for row in seen], np.float32)
        for name in ("mean", "low", "high", "half")
    }
    return {
        "sizes": SIZES,
        "truth": truth,
        **of,
        "hits": hits.astype(np.uint8),
        "facts": _facts(of, truth),
    }


def hits_of_all() -> Ids:
    """(2, 20,000) true answers, of K, that each word as a query finds with each of PROBES."""
    data = shipped("glove-6b-50d")
    truth = truth_of(with_queries(data, QueryRecipe(count=data.n)))
    index = FlatKMeans(n_clusters=CLUSTERS)
    evaluation = evaluate(index, index.searcher(index.build(data.items, rng_for(0))), truth, 0)
    at = [int(np.flatnonzero(evaluation.efforts == p)[0]) for p in PROBES]
    return np.stack([evaluation.hits(K, place) for place in at])


def intervals_of(hits: Ids, m: int) -> dict[str, Floats]:
    """Of SAMPLES samples of m of hits (n,): mean, ends of the interval, half of the schoolbook's.

    Each (SAMPLES,). Without replacement: at m = 2,000 a tenth of all is seen, so a little more than
    95% of the intervals hold.
    """
    drawn = [rng_for(s, "sample", m).choice(hits, m, replace=False) for s in range(SAMPLES)]
    histograms = np.stack([np.bincount(sample, minlength=K + 1) for sample in drawn])
    low, high = precision_interval(histograms).T
    half = 1.96 * np.std(drawn, axis=1, ddof=1) / K / np.sqrt(m)
    return {"mean": mean_precision(histograms), "low": low, "high": high, "half": half}


def held(of: dict[str, Any], truth: Floats, kind: str, setting: int, m: int, count: int) -> Any:
    """(count,) whether the first intervals of this kind hold the truth, as the browser judges."""
    at = setting, SIZES.index(m), slice(count)
    if kind == "school":
        low, high = of["mean"][at] - of["half"][at], of["mean"][at] + of["half"][at]
    else:
        low, high = of["low"][at], of["high"][at]
    return (low <= truth[setting]) & (truth[setting] <= high)


def _facts(of: dict[str, Any], truth: Floats) -> dict[str, Any]:
    """Shares of all samples whose interval holds, and the like."""

    def share(kind: str, setting: int, m: int) -> str:
        return f"{held(of, truth, kind, setting, m, SAMPLES).mean():.0%}"

    return {
        "school_near": share("school", 1, 10),
        "ours_near": share("core", 1, 10),
        "school_far": share("school", 0, 10),
        "ours_far": share("core", 0, 10),
        "hold": int(held(of, truth, "core", 0, 50, 100).sum()),
        "hold_more": int(held(of, truth, "core", 0, 2_000, 100).sum()),
        "narrower": f"{_width(of, 50) / _width(of, 2_000):.1f}",
    }


def _width(of: dict[str, Any], m: int) -> float:
    at = SIZES.index(m)
    return float((of["high"][0, at, :100] - of["low"][0, at, :100]).mean())


def _ask(session: Session, state: State) -> None:
    session.K = K
    session.recipe = replace(session.recipe, count=int(state["m"]))
    session.keep(FlatKMeans())
    session.effort = PROBES[int(state["near"])]


LESSON = Lesson(
    number=11,
    chapter="Judging",
    minutes=5,
    title="How sure is a curve?",
    short="how sure is a curve?",
    idea="Drag the number of queries. Each bar is the {95% interval|interval} of one "
    "{sample|sample}; pink ✕ marks those that miss the truth.",
    state={"m": 50, "c": 20, "near": 0, "kind": "core"},
    controls=(
        Slider(
            key="m",
            label="Queries in a sample, m",
            values=SIZES,
            words=[f"{m:,}" for m in SIZES],
            grows=3,
        ),
        Press(label="Another", key="c", values=range(1, SAMPLES + 1), by=1),
        Press(label="100 more", key="c", values=range(1, SAMPLES + 1), by=100),
        Press(label="Clear", key="c", values=range(1, SAMPLES + 1), to=1),
        NewRow(),
        Options(
            key="near", label="Setting", values=(0, 1), words=("8 probes", "90 probes, near 1")
        ),
        Options(
            key="kind", label="Interval", values=("core", "school"),
            words=("Used here", "±1.96 s/√m"),
        ),
    ),
    steps=(
        LessonStep("Ask 50 queries: one precision, and an interval around it.", {"c": 1}),
        LessonStep(
            "Other queries, another number. How often does the interval hold the truth?", {"c": 20}
        ),
        LessonStep(
            "A hundred samples: {hold} hold the truth. About 95: that is what 95% means.",
            {"c": 100},
        ),
        LessonStep(
            "Forty times the queries: {narrower} times narrower, and {hold_more} of 100 hold.",
            {"m": 2_000, "c": 100},
        ),
        LessonStep(
            "Near 1 the schoolbook interval fails: ten queries without a miss, and no width at "
            "all.",
            {"m": 10, "c": 100, "near": 1, "kind": "school"},
        ),
        LessonStep(
            "The interval used here keeps its width, and its word.",
            {"m": 10, "c": 100, "near": 1},
        ),
    ),
    question="Why not simply ±1.96 s/√m? Take 90 probes, m = 10, and switch the interval.",
    answer="Near 1 most samples of ten queries miss nothing, so s = 0 and the interval has no "
    "width, and others end above 1: it holds the truth in {school_near} of 300 samples. Wilson's "
    "interval with one miss assumed, which is used here, holds it in {ours_near}. Away from 1 they "
    "differ less: at m = 10 and 8 probes {school_far} against {ours_far}.",
    asks=(
        Ask(
            "A sample is drawn with another {seed|seed}. Does the truth move, or the interval?",
            "The interval: the truth is the {precision|precision} over all 20,000 queries, and "
            "stays.",
        ),
        Ask(
            "How many queries make an interval half as wide?",
            "About four times as many. From 50 to 2,000, forty times, it is {narrower} times "
            "narrower.",
        ),
    ),
    still={"c": 26},
    intro="Each bar is the 95% interval of one sample of queries. The line is the precision "
    "over all queries.",
    data="GloVe 6B words; flat k-means, 141 clusters, seed 0, K = 10; samples of the 20,000 words "
    "as queries.",
    own=OwnData("tradeoff.py", "See the intervals on your own data", _ask),
    make=make,
    height=372,
    stored=True,
)  # fmt: skip
