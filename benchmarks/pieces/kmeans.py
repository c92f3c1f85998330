"""Spherical k-means, exact and fast, beside faiss and scikit-learn: time, cosine, precision."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.peers import (
    FAISS,
    FAISS_ROUNDS,
    SKLEARN,
    faiss_kmeans,
    sklearn_kmeans,
    work_of,
)
from benchmarks.pieces.curves import CLUSTERS
from benchmarks.pieces.exact import product
from benchmarks.reference import at
from benchmarks.sets import K, Measurable
from benchmarks.works import TIMES_FASTER, Comparison, Measured, Target, Told, Work, Yardstick
from mips_core import evaluate, rng_for
from mips_core.base.arrays import Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.threads import map_blocks
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.flat import FlatKMeans

SPEEDUP = 30  # at which precision is told
CAPPED = 256  # points a centroid that faiss takes by default
COSINE, PRECISION = "mean cosine", f"precision@{K} at {SPEEDUP}×"


def _lost(ours: Measured, beside: Measured | None) -> float | None:
    if beside is None or not beside.told or not ours.told:
        return None
    return beside.told[COSINE] - ours.told[COSINE]


COSINE_LOST = Yardstick("≤", "of mean cosine lost to {beside}", _lost)


def comparisons(data: Measurable, rounds: int) -> list[Comparison]:
    """A comparison for each number of clusters."""
    return [_comparison(data, round(data.root * factor), rounds) for factor in CLUSTERS]


def _comparison(data: Measurable, k: int, rounds: int) -> Comparison:
    X = data.dataset.items
    full = FlatKMeans(n_clusters=k, max_rounds=FAISS_ROUNDS)
    fast = replace(full, fit="growing")
    rows = full.reduction.fit(X).items(X)

    def told(centroids: Matrix) -> Told:
        return {COSINE: mean_cosine(rows, centroids)}

    ours, quick = f"k-means, {FAISS_ROUNDS} rounds", "k-means, fast mode"
    theirs, capped = "faiss.Kmeans, all points", f"faiss.Kmeans, {CAPPED} points a centroid"
    works = [
        Work(f"{FAISS_ROUNDS} products of items with centroids", _products(rows, k)),
        Work(ours, lambda: full.build(X, rng_for(0)), _told_of(full, data, rows)),
        Work(quick, lambda: fast.build(X, rng_for(0)), _told_of(fast, data, rows)),
        work_of(FAISS, theirs, lambda: faiss_kmeans(rows, k, None), told),
        work_of(FAISS, capped, lambda: faiss_kmeans(rows, k, CAPPED), told),
        work_of(
            SKLEARN, "scikit-learn KMeans, not spherical", lambda: sklearn_kmeans(rows, k), told
        ),
    ]
    targets = [
        Target(f"{ours}, {k:,} clusters", ours, TIMES_FASTER, 2.5, theirs),
        Target(f"{quick}, {k:,} clusters", quick, TIMES_FASTER, 5, capped),
        Target(f"{quick}, {k:,} clusters", quick, COSINE_LOST, 0.0015, capped),
    ]
    title = f"Spherical k-means, {k:,} clusters, {FAISS_ROUNDS} rounds"
    return Comparison(title, works, targets, rounds)


def _products(rows: Matrix, k: int) -> Callable[[], Any]:
    once = product(rows[:k].copy(), rows)
    return lambda: [once() for _ in range(FAISS_ROUNDS)]


def mean_cosine(rows: Matrix, centroids: Matrix) -> float:
    """Mean over rows (n, d) of the largest cosine with a centroid (k, d): what k-means raises."""
    lengths = np.maximum(row_norms(centroids), np.finfo(np.float64).tiny)
    unit = (centroids / lengths[:, None]).astype(np.float32)
    norms = np.maximum(row_norms(rows), np.finfo(np.float64).tiny)

    def work(start: int, stop: int) -> float:
        best = (rows[start:stop] @ unit.T).max(axis=1)
        return float((best / norms[start:stop]).sum())

    return sum(map_blocks(work, len(rows), 1024)) / len(rows)


def _told_of(
    index: FlatKMeans, data: Measurable, rows: Matrix
) -> Callable[[KMeansTree], dict[str, float]]:
    def told(tree: KMeansTree) -> dict[str, float]:
        found = {COSINE: mean_cosine(rows, tree.levels[-1].centroids)}
        curve = evaluate(index, index.searcher(tree), data.truth, 0).curve((K,))
        points = list(zip(curve.speedup.tolist(), curve.precision(K).tolist(), strict=True))
        precision = at(points, SPEEDUP)
        return found if precision is None else {**found, PRECISION: precision}

    return told
