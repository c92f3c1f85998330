"""Spherical k-means (Auvolat et al. 2015, Algorithm 1), the same bits on every processor.

Sums are int64 fixed point, so their order cannot matter; where two clusters come within rounding
of each other, they are scored again in float64. Rows keep their length, as in Algorithm 1.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit

from mips_core.arrays import Floats, Ids, Matrix
from mips_core.cluster_sums import ClusterSums
from mips_core.kernels import COMPARE, dot, order_of, row_norms
from mips_core.progress import Progress, silent
from mips_core.seeds import row_hashes, sample_rows
from mips_core.threads import map_blocks

Start = Literal["assignment", "points"]
Empty = Literal["drop", "reseed"]

NEAR_TIE = 3e-6  # float32 products of unit vectors err by about 1e-7
GROUP = 32  # scores whose maximum is compared first


@dataclass(frozen=True, slots=True)
class Round:
    """One pass of Algorithm 1."""

    objective: float  # sum over rows of row . its centroid; never decreases
    moved: int  # rows that changed cluster
    live: int  # clusters with members before the pass


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """centroids (k', d) unit rows, live ones only; labels (n,) in 0..k'-1; rounds that led here."""

    centroids: Matrix
    labels: Ids
    rounds: tuple[Round, ...]
    converged: bool


@dataclass(frozen=True, slots=True, eq=False)
class ClusteringSoFar:
    """What a page may draw while the clustering runs."""

    rounds: tuple[Round, ...]
    sizes: Ids  # (k',)
    max_rounds: int

    def sentence(self, n: int) -> str:
        """What happened last, for a progress line about n rows."""
        return (
            f"round {len(self.rounds)} of at most {self.max_rounds} · "
            f"{self.rounds[-1].moved:,} of {n:,} items changed cluster"
        )


def spherical_kmeans(
    X: Matrix,
    start: Ids | Matrix,
    *,
    empty: Empty = "drop",
    max_rounds: int = 100,
    progress: Progress = silent,
) -> Clustering:
    """Cluster the rows of X (n, d) float32 by largest inner product with unit centroids.

    `start` is a label a row (n,) (Algorithm 1, step 1) or first centroids (k, d). Empty clusters
    are dropped, or re-seeded at the rows their centroid serves worst. Stops when no row moved, or
    after `max_rounds`.
    """
    norms = row_norms(X).astype(np.float32)
    labels, centroids, sums = _begin(X, start)
    rounds: list[Round] = []
    fraction = 0.0
    while len(rounds) < max_rounds and (not rounds or rounds[-1].moved):
        if sums.counts.any():  # not before the first pass over given centroids
            if empty == "drop":
                centroids, labels = _drop_empty(sums, centroids, labels)
            centroids = sums.directions(centroids)
            if empty == "reseed":
                _reseed(X, labels, centroids, sums.counts, norms)
        new = assign(X, centroids, norms)
        moved = int(np.count_nonzero(new != labels))
        sums.move(labels, new)
        labels = new
        rounds.append(Round(sums.objective(centroids), moved, len(centroids)))
        report = ClusteringSoFar(tuple(rounds), sums.counts.copy(), max_rounds)
        fraction = max(fraction, _guess_fraction(report, len(X)))
        progress(fraction, report.sentence(len(X)), report)
    centroids, labels = _drop_empty(sums, centroids, labels)
    return Clustering(centroids, labels, tuple(rounds), rounds[-1].moved == 0)


def _begin(X: Matrix, start: Ids | Matrix) -> tuple[Ids, Matrix, ClusterSums]:
    """Labels (-1 before the first pass over given centroids), centroids and sums to start from."""
    unassigned = np.full(len(X), -1, np.int64)
    if start.ndim == 2:
        return unassigned, start.astype(np.float32), ClusterSums(X, len(start))
    labels = start.astype(np.int64)
    sums = ClusterSums(X, int(start.max()) + 1)
    sums.move(unassigned, labels)
    return labels, _first_members(X, labels, len(sums.counts)), sums


def _first_members(X: Matrix, labels: Ids, k: int) -> Matrix:
    """(k, d) unit first member of each cluster: its direction should the first sum vanish."""
    present, first = np.unique(labels, return_index=True)
    rows = X[first].astype(np.float64)
    lengths = np.maximum(row_norms(X[first]), np.finfo(np.float64).tiny)
    centroids = np.zeros((k, X.shape[1]), np.float32)
    centroids[present] = rows / lengths[:, None]
    return centroids


def start_labels(rng: np.random.Generator, n: int, k: int) -> Ids:
    """(n,) a uniform label below k a row, from the hash of its number (Algorithm 1, step 1)."""
    return (row_hashes(rng, n) % np.uint64(k)).astype(np.int64)


def start_points(rng: np.random.Generator, X: Matrix, k: int) -> Matrix:
    """(k', d) unit vectors towards k different rows of X that are not zero; fewer where few are."""
    norms = row_norms(X)
    usable = np.flatnonzero(norms > 0)
    chosen = usable[sample_rows(rng, len(usable), k)]
    return (X[chosen] / norms[chosen, None]).astype(np.float32)


def assign(X: Matrix, centroids: Matrix, norms: Matrix) -> Ids:
    """(n,) the centroid of largest inner product for each row of X; the lower number on ties."""
    n, k = len(X), len(centroids)
    labels = np.empty(n, np.int64)
    block = int(np.clip(2**21 // k, 64, 512))

    def work(start: int, stop: int) -> None:
        rows = slice(start, stop)
        scores = X[rows] @ centroids.T
        _nearest(scores, X[rows], centroids, NEAR_TIE * norms[rows], labels[rows])

    map_blocks(work, n, block)
    return labels


def _guess_fraction(so_far: ClusteringSoFar, n: int) -> float:
    """How far: the rounds used up, or how far the moves have fallen from n towards one."""
    fallen = 1 - np.log(max(so_far.rounds[-1].moved, 1)) / np.log(n + 1)
    return float(min(0.99, max(len(so_far.rounds) / so_far.max_rounds, fallen)))


def _drop_empty(sums: ClusterSums, centroids: Matrix, labels: Ids) -> tuple[Matrix, Ids]:
    live = sums.counts > 0
    if live.all():
        return centroids, labels
    sums.keep(live)
    return np.ascontiguousarray(centroids[live]), (np.cumsum(live) - 1)[labels]


def _reseed(X: Matrix, labels: Ids, centroids: Matrix, counts: Ids, norms: Matrix) -> None:
    """Point each empty centroid at one of the rows with the smallest cosine to their own."""
    empty = np.flatnonzero(counts == 0)
    if len(empty) == 0:
        return
    cosines = _own_cosines(X, labels, centroids, norms)
    worst = order_of(-cosines, np.arange(len(X)))[: len(empty)]
    for cluster, row in zip(empty, worst, strict=False):
        if norms[row] > 0:
            centroids[cluster] = X[row] / norms[row]


@njit(cache=True, nogil=True)
def _own_cosines(X: Matrix, labels: Ids, centroids: Matrix, norms: Matrix) -> Floats:
    cosines = np.ones(len(X), np.float64)
    for i in range(len(X)):
        if norms[i] > 0:
            cosines[i] = dot(X[i], centroids[labels[i]]) / norms[i]
    return cosines


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _highest(scores: Matrix, start: int, stop: int) -> float:
    highest = scores[start]
    for j in range(start, stop):
        highest = max(highest, scores[j])
    return highest


@njit(cache=True, nogil=True)
def _nearest(scores: Matrix, X: Matrix, centroids: Matrix, near: Matrix, labels: Ids) -> None:
    """scores (b, k) float32 -> labels (b,); clusters within near (b,) of the best in float64."""
    b, k = scores.shape
    n_groups = (k + GROUP - 1) // GROUP
    highest = np.empty(n_groups, np.float32)
    for i in range(b):
        row = scores[i]
        best = np.float32(-np.inf)
        for g in range(n_groups):
            highest[g] = _highest(row, g * GROUP, min(g * GROUP + GROUP, k))
            best = max(best, highest[g])
        found = -1
        exact = 0.0
        for g in range(n_groups):
            if highest[g] >= best - near[i]:
                for j in range(g * GROUP, min(g * GROUP + GROUP, k)):
                    if row[j] >= best - near[i]:
                        score = dot(X[i], centroids[j])
                        if found < 0 or score > exact:
                            found, exact = j, score
        labels[i] = found
