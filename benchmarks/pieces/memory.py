"""Memory: what a k-means index holds beside its vectors, and the peak of an evaluation."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from benchmarks.memory import peak_of
from benchmarks.sets import MANY_USERS, Measurable, simulated
from benchmarks.works import Comparison, Target, Told, Work, told
from mips_core import evaluate, rng_for
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.searcher import effort_ladder
from mips_core.serving.fast_search import retriever_of

EFFORTS = 64
HELD, PEAK, GROWN = "× the vectors", "GB at most", "GB grown"


def comparisons(data: Measurable, rounds: int) -> list[Comparison]:
    """The index on every data set; the evaluation where there are many queries. Measured once."""
    index = "k-means index with its vectors"
    coded = f"{index} and int8 codes"
    works = [
        Work(index, lambda: held(data), _told_held),
        Work(coded, lambda: held(data, codes=True), _told_held),
    ]
    targets = [Target(index, index, told(HELD, "≤", HELD), 1.15)]
    if data.dataset.m == MANY_USERS:
        peak = f"evaluation of {MANY_USERS:,} queries × 100 answers, {EFFORTS} efforts"
        works.append(Work(peak, lambda: peak_of(evaluation), _told_peak))
        targets.append(Target(peak, peak, told(PEAK, "≤", "GB, all of the process"), 1.0))
    return [Comparison("Memory", works, targets, rounds=1, warm=False)]


def held(data: Measurable, *, codes: bool = False) -> float:
    """Bytes of a flat k-means index that answers, its vectors among them, by those of vectors.

    codes: with the vectors in int8 too, which single queries are quicker by.
    """
    X, index = data.dataset.items, FlatKMeans()
    searcher = index.searcher(index.build(X, rng_for(0)))
    level = searcher.tree.levels[-1]
    structure = sum(getattr(level, part.name).nbytes for part in fields(level))
    return (structure + retriever_of(searcher, X, codes=codes).nbytes) / X.nbytes


def evaluation() -> Callable[[], Any]:
    """Evaluates flat k-means on 60,000 simulated users at 64 efforts; its parts are made ready."""
    data = simulated()
    index = FlatKMeans(n_clusters=_clusters_with(EFFORTS))
    searcher = index.searcher(index.build(data.dataset.items, rng_for(0)))
    truth = data.truth
    return lambda: evaluate(index, searcher, truth, 0).curve((1, 10, 100))


def _clusters_with(efforts: int) -> int:
    """The least number of clusters whose ladder has so many efforts."""
    k = efforts
    while len(effort_ladder(k)) < efforts:
        k += 1
    return k


def _told_held(share: float) -> Told:
    return {HELD: share}


def _told_peak(peak: tuple[float, float]) -> Told:
    return {PEAK: peak[0] / 1e9, GROWN: peak[1] / 1e9}
