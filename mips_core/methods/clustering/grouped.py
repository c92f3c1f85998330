"""Spherical k-means for many rows and clusters: each row meets a share of the centroids alone.

Rows are grouped by a coarse clustering of a sample. Inside each group, a sample is clustered by
itself; then rounds on all rows compare each with the centroids of its own best groups.
"""

from itertools import pairwise

import numpy as np
from numba import njit
from numpy.random import Generator

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import dot, product, queries_of_lists
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for, sample_rows, stream
from mips_core.base.threads import limited, map_blocks
from mips_core.methods.cluster_order.first import first_clusters
from mips_core.methods.clustering.growing import growing_kmeans
from mips_core.methods.clustering.nearest import TILE_SCORES, Take, assign, near_ties, two_best
from mips_core.methods.clustering.rounds import Clustering, Empty, Fit, Start, own_cosines, start_of
from mips_core.methods.reductions import LiftedRows, lengths_of

COARSE_SAMPLE = 256  # rows a group
INSIDE_SAMPLE, INSIDE_ROUNDS = 64, 4  # rows a cluster
BEST_GROUPS, ROUNDS = 8, 3  # on all rows; the objective hardly grows after
FEW = 500_000  # rows: of fewer, twice as many rounds gain up to .01 of precision, in seconds
BLOCK = 2**13  # rows a thread takes at once: enough for a product with each group
STRIP = 4096  # rows whose groups are ranked at once

Lists = tuple[Ids, Ids, Ids]  # the groups of each row, and the members of each group: starts, ids


def grouped_kmeans(
    X: Matrix | LiftedRows,
    k: int,
    start: Start,
    rng: Generator,
    *,
    empty: Empty = "drop",
    max_rounds: int = 100,
    progress: Progress = silent,
) -> Clustering:
    """Cluster the rows of X (n, d) into at most k clusters, about sqrt(k) groups of them.

    `start` and `max_rounds` hold inside each group; `max_rounds` also after. A row may be nearer
    to a centroid of a group that is not among its best.
    """
    progress(0.0, "coarse groups")
    draws, n_groups = stream(rng, "groups"), max(round(k**0.5), 1)
    sample = X[sample_rows(draws, len(X), COARSE_SAMPLE * n_groups)]
    coarse = growing_kmeans(sample, n_groups, "assignment", draws)
    groups = _best_groups(X, coarse.centroids)
    progress(0.3, "clusters inside the groups")
    most = min(INSIDE_ROUNDS, max_rounds)
    first, met = _inside(X, k, start, (coarse.centroids, groups[:, 0]), most, rng)
    fit = GroupedFit(X, lengths_of(X), first)
    fit.join(coarse, groups, met)
    rounds = ROUNDS if len(X) >= FEW else 2 * ROUNDS
    fit.run(empty, min(rounds, max_rounds), span(progress, 0.5, 1.0))
    fit.update(empty)
    return fit.result()


def grouped_rounds(
    X: Matrix | LiftedRows, labels: Ids, *, empty: Empty, max_rounds: int, progress: Progress
) -> Clustering:
    """Go on from labels (n,): as `spherical_kmeans`, with the groups of centroids they lead to."""
    fit = GroupedFit(X, lengths_of(X), labels)
    fit.update(empty)
    G = max(round(len(fit.centroids) ** 0.5), 1)
    coarse = growing_kmeans(fit.centroids, G, "assignment", rng_for(0, "groups"))
    fit.join(coarse, _best_groups(X, coarse.centroids), 0)
    fit.run(empty, max_rounds, progress)
    return fit.result()


def _best_groups(X: Matrix | LiftedRows, coarse: Matrix) -> Ids:
    """(n, g) the best groups of each row, of largest inner product first."""

    def best_of(first: int, stop: int) -> Ids:
        return first_clusters(X[first:stop], coarse, BEST_GROUPS).astype(np.uint16)

    return np.concatenate(map_blocks(best_of, len(X), STRIP))


def _inside(
    X: Matrix | LiftedRows,
    k: int,
    start: Start,
    of: tuple[Matrix, Ids],
    rounds: int,
    rng: Generator,
) -> tuple[Matrix, int]:
    """(k', d) centroids of clusters inside groups, of centroids (G, d) and a number a row (n,).

    In each as many as its share of the spread of all rows about the centroids of their groups:
    short rows, lifted, lie close together, and more centroids there gain little. Also the inner
    products that it took.
    """
    rows = sample_rows(stream(rng, "sample"), len(X), INSIDE_SAMPLE * k)
    coarse, labels = of[0], of[1][rows].astype(np.int64)

    def spread_of(at: int, stop: int) -> Floats:
        with limited(1):  # blocks run side by side already
            own = X[rows[at:stop]]
            lengths = lengths_of(own).astype(np.float32)
        return np.maximum(1.0 - own_cosines(own, labels[at:stop], coarse, lengths), 0.0)

    spread = np.concatenate(map_blocks(spread_of, len(rows), BLOCK))
    starts, members = queries_of_lists(labels[:, None], len(coarse))
    ends = np.cumsum(np.bincount(labels, spread, len(coarse))) if spread.any() else starts[1:]
    bounds = np.floor(k * np.append(0.0, ends / ends[-1])).astype(np.int64)

    def work(at: int, stop: int) -> tuple[Matrix, int]:
        own = rows[members[starts[at] : starts[stop]]]
        most = min(int(bounds[stop] - bounds[at]), len(own))
        if not most:
            return np.empty((0, X.shape[1]), np.float32), 0
        with limited(1):  # groups run side by side already
            items, draws = X[own], stream(rng, "inside", at)
            fit = Fit(items, lengths_of(items), start_of(start, draws, items, most))
            fit.run("drop", rounds, silent)
            fit.update("drop")
            return fit.centroids, sum(one.products for one in fit.rounds)

    centroids, met = zip(*map_blocks(work, len(bounds) - 1, 1), strict=True)
    return np.concatenate(centroids), sum(met) + len(rows)


class GroupedFit(Fit):
    """A clustering under way in which a row meets the centroids of its best groups alone.

    coarse (G, d) centroids of the groups; groups (n, g) the best of each row. A centroid belongs to
    the group it is nearest to, anew in every round.
    """

    coarse: Matrix
    groups: Ids
    _before = 0  # inner products since the last round

    def join(self, coarse: Clustering, groups: Ids, met: int) -> None:
        """Take the groups, whose inner products, and `met` before, count with the first round."""
        self.coarse, self.groups = coarse.centroids, groups
        self._before = met + sum(one.products for one in coarse.rounds)
        self._before += len(groups) * len(self.coarse)

    def assign(self, take: Take) -> None:
        centroids, near = self.centroids, near_ties(self.norms, self.X.shape[1])
        group = assign(centroids, self.coarse, np.ones(len(centroids), np.float32))
        starts, members = queries_of_lists(group[:, None], len(self.coarse))
        rows = np.bincount(self.groups.ravel(), minlength=len(self.coarse))  # that meet each group
        self.met = self._before + len(centroids) * len(rows) + int(np.diff(starts) @ rows)
        self._before = 0
        families = [np.ascontiguousarray(centroids[members[a:b]]) for a, b in pairwise(starts)]

        def work(start: int, stop: int) -> None:
            rows, own = self.X[start:stop], self.groups[start:stop].astype(np.int64)
            asked, asking = queries_of_lists(own, len(self.coarse))
            best, second = np.full((2, len(rows)), -np.inf, np.float32)
            labels = np.zeros(len(rows), np.int64)
            for g, family in enumerate(families):
                most = TILE_SCORES // max(len(family), 128)
                for first in range(asked[g], asked[g + 1] if len(family) else 0, most):
                    at = asking[first : min(first + most, asked[g + 1])]
                    tile = np.dot(family, np.take(rows, at, axis=0).T)
                    _meet(tile, at, members[starts[g] : starts[g + 1]], best, second, labels)
            least, lists = best - near[start:stop], (own, starts, members)
            _settle(np.flatnonzero(second >= least), rows, least, centroids, lists, labels)
            take(start, rows, labels)

        map_blocks(work, len(self.X), BLOCK)


@njit(cache=True, nogil=True)
def _meet(scores: Matrix, at: Ids, ids: Ids, best: Matrix, second: Matrix, labels: Ids) -> None:
    """Merge scores (k', b) of the rows at (b,) with centroids ids (k',) into their two best."""
    b = scores.shape[1]
    first, next_first = np.full(b, -np.inf, np.float32), np.full(b, -np.inf, np.float32)
    own = np.zeros(b, np.int32)
    two_best(scores, first, next_first, own)
    for j in range(b):
        i = at[j]
        second[i] = max(second[i], next_first[j], min(best[i], first[j]))
        if first[j] > best[i]:
            best[i], labels[i] = first[j], ids[own[j]]


@njit(cache=True, nogil=True)
def _settle(
    tied: Ids, rows: Matrix, least: Matrix, centroids: Matrix, lists: Lists, labels: Ids
) -> None:
    """Decide in float64 among a tied row's own candidates of `least` and more; of all for none."""
    groups, starts, members = lists
    every = np.arange(len(centroids))
    for i in tied:
        highest = -np.inf
        for g in groups[i]:
            near = every if least[i] == -np.inf else members[starts[g] : starts[g + 1]]
            for c in near:
                if product(rows[i], centroids[c]) >= least[i]:
                    score = dot(rows[i], centroids[c])
                    if score > highest or (score == highest and c < labels[i]):
                        highest, labels[i] = score, c
