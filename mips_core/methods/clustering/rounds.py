"""Rounds of spherical k-means on all rows given, and what they start from."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import dot, order_of, row_norms
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import row_hashes, sample_rows
from mips_core.base.threads import map_blocks
from mips_core.methods.clustering.cluster_sums import ClusterSums
from mips_core.methods.clustering.nearest import BLOCK, Take, assign_tiles
from mips_core.methods.reductions import LiftedRows, lengths_of

Start = Literal["assignment", "points"]
Empty = Literal["drop", "reseed"]

HELD_BYTES = 2**23  # lifted rows up to so many are made once; of more, a tile in every round


@dataclass(frozen=True, slots=True)
class Round:
    """One pass of Algorithm 1."""

    objective: float  # sum over rows of row . its centroid; never decreases on the same rows
    moved: int  # rows that changed cluster
    live: int  # clusters with members before the pass
    n: int  # rows: all, or a sample
    met: int = 0  # inner products, and those before the pass, where rows met few of the centroids

    @property
    def products(self) -> int:
        """Inner products taken: of each row with every centroid, where it did not meet few."""
        return self.met or self.n * self.live


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

    def sentence(self) -> str:
        """What happened last, for a progress line."""
        last = self.rounds[-1]
        return (
            f"round {len(self.rounds)} of at most {self.max_rounds} · "
            f"{last.moved:,} of {last.n:,} items changed cluster"
        )


def start_of(kind: Start, rng: np.random.Generator, X: Matrix | LiftedRows, k: int) -> Ids | Matrix:
    """`start_labels` or `start_points`, by name."""
    return start_labels(rng, len(X), k) if kind == "assignment" else start_points(rng, X, k)


def start_labels(rng: np.random.Generator, n: int, k: int) -> Ids:
    """(n,) a uniform label below k a row, from the hash of its number (Algorithm 1, step 1)."""
    return (row_hashes(rng, n) % np.uint64(k)).astype(np.int64)


def start_points(rng: np.random.Generator, X: Matrix | LiftedRows, k: int) -> Matrix:
    """(k', d) unit vectors towards k different rows of X that are not zero; fewer where few are.

    Where none is, a single vector of zeros: one cluster for all.
    """
    norms = lengths_of(X)
    usable = np.flatnonzero(norms > 0)
    if len(usable) == 0:
        return np.zeros((1, X.shape[1]), np.float32)
    rows = usable[sample_rows(rng, len(usable), k)]
    return (X[rows] / norms[rows, None]).astype(np.float32)


def spherical_kmeans(
    X: Matrix | LiftedRows,
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
    X = held(X)
    fit = Fit(X, lengths_of(X), start)
    fit.run(empty, max_rounds, progress)
    return fit.result()


def held(X: Matrix | LiftedRows) -> Matrix | LiftedRows:
    """X with all its rows made, where they are few."""
    few = len(X) * X.shape[1] * np.float32().nbytes <= HELD_BYTES
    return X[:] if few else X


class Fit:
    """A clustering of X (n, d), rows of lengths `norms` (n,), that is under way."""

    met = 0  # as in Round

    def __init__(self, X: Matrix | LiftedRows, norms: Floats, start: Ids | Matrix) -> None:
        self.X = X
        self.norms = norms.astype(np.float32)
        self.labels = np.full(len(X), -1, np.int64)  # before the first pass over given centroids
        self.rounds: list[Round] = []
        if start.ndim == 2:
            self.centroids = start.astype(np.float32)
            self.sums = ClusterSums(*start.shape)
        else:
            labels = start.astype(np.int64)
            k = int(labels.max()) + 1
            self.centroids = first_members(X, labels, k)
            self.sums = ClusterSums(k, X.shape[1])
            for first in range(0, len(X), BLOCK):
                self._move(first, X[first : first + BLOCK], labels[first : first + BLOCK])

    def run(self, empty: Empty, max_rounds: int, progress: Progress) -> None:
        """Rounds until no row moves, or `max_rounds` of them."""
        fraction = 0.0
        while len(self.rounds) < max_rounds and (not self.rounds or self.rounds[-1].moved):
            self._round(empty)
            so_far = ClusteringSoFar(tuple(self.rounds), self.sums.counts.copy(), max_rounds)
            fraction = max(fraction, _guess_fraction(so_far))
            progress(fraction, so_far.sentence(), so_far)

    def _round(self, empty: Empty) -> None:
        if self.sums.counts.any():  # not before the first pass over given centroids
            self.update(empty)
        live = len(self.centroids)
        moves: list[int] = []

        def move(first: int, rows: Matrix, nearest: Ids) -> None:
            moves.append(self._move(first, rows, nearest))

        self.assign(move)
        objective = self.sums.objective(self.centroids)
        self.rounds.append(Round(objective, sum(moves), live, len(self.X), self.met))

    def assign(self, take: Take) -> None:
        """Hand over all rows with the cluster of each, in blocks, by several threads."""
        assign_tiles(self.X, self.centroids, self.norms, take)

    def _move(self, first: int, rows: Matrix, labels: Ids) -> int:
        """Put `rows`, which begin at number `first`, into these clusters; how many moved."""
        old = self.labels[first : first + len(rows)]
        moved = self.sums.move(rows, old, labels)
        old[:] = labels
        return moved

    def update(self, empty: Empty) -> None:
        """Point the centroids the way of their rows."""
        if empty == "drop":
            self._drop_empty()
        self.centroids = self.sums.directions(self.centroids)
        if empty == "reseed":
            self._reseed()

    def result(self) -> Clustering:
        """What was found, clusters without rows left out."""
        self._drop_empty()
        converged = self.rounds[-1].moved == 0
        return Clustering(self.centroids, self.labels, tuple(self.rounds), converged)

    def _drop_empty(self) -> None:
        live = self.sums.counts > 0
        if not live.all():
            self.sums.keep(live)
            self.centroids = np.ascontiguousarray(self.centroids[live])
            self.labels = (np.cumsum(live) - 1)[self.labels]

    def _reseed(self) -> None:
        """Point each empty centroid at one of the rows with the smallest cosine to their own."""
        empty = np.flatnonzero(self.sums.counts == 0)
        if len(empty) == 0:
            return

        def work(start: int, stop: int) -> Floats:
            rows = slice(start, stop)
            return own_cosines(self.X[rows], self.labels[rows], self.centroids, self.norms[rows])

        cosines = np.concatenate(map_blocks(work, len(self.X), BLOCK))
        worst = order_of(-cosines, np.arange(len(cosines)))[: len(empty)]
        for cluster, row in zip(empty, worst, strict=False):
            if self.norms[row] > 0:
                self.centroids[cluster] = self.X[row : row + 1][0] / self.norms[row]


def first_members(X: Matrix | LiftedRows, labels: Ids, k: int) -> Matrix:
    """(k, d) unit first member of each cluster: its direction should the first sum vanish."""
    first = np.full(k, -1)
    first[labels[::-1]] = np.arange(len(labels))[::-1]  # of equal labels the last one stays
    present = np.flatnonzero(first >= 0)
    members = X[first[present]]
    lengths = np.maximum(row_norms(members), np.finfo(np.float64).tiny)
    centroids = np.zeros((k, X.shape[1]), np.float32)
    centroids[present] = members.astype(np.float64) / lengths[:, None]
    return centroids


def _guess_fraction(so_far: ClusteringSoFar) -> float:
    """How far: the rounds used up, or how far the moves have fallen from n towards one."""
    last = so_far.rounds[-1]
    fallen = 1 - np.log(max(last.moved, 1)) / np.log(last.n + 1)
    return float(min(0.99, max(len(so_far.rounds) / so_far.max_rounds, fallen)))


@njit(cache=True, nogil=True)
def own_cosines(X: Matrix, labels: Ids, centroids: Matrix, norms: Matrix) -> Floats:
    """(n,) of rows X (n, d) of lengths norms (n,) to their centroids (k, d); 1 for a zero row."""
    cosines = np.ones(len(X), np.float64)
    for i in range(len(X)):
        if norms[i] > 0:
            cosines[i] = dot(X[i], centroids[labels[i]]) / norms[i]
    return cosines
