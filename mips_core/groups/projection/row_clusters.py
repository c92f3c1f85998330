"""Rows sorted by cluster, to be asked for nearest rows by Euclidean distance in blocks.

The flat spherical k-means of the project, asked a tile at a time: each cluster is scored at once
for all queries of a block that open it. Distances in a tile are taken from the cluster's own mean,
so that float32 tells near rows apart wherever they lie.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import COMPARE, queries_of_lists, row_norms
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.base.threads import map_blocks
from mips_core.data.metrics import conversion
from mips_core.methods.clustering.nearest import assign
from mips_core.methods.clustering.rounds import spherical_kmeans, start_points

CLUSTERS = 2  # times the root of n
ROWS_A_CLUSTER = 64  # k-means is fitted to a sample of so many rows a cluster,
ROUNDS = 6  # for so many rounds
MOST_TIMES_MEAN = 4  # the size of a cluster, before it is cut
FEWEST_OPENED = 4  # clusters
QUERY_BLOCK = 4096
SPARE = 9  # rows kept by float32 distance beyond those asked for
GROUP = 16  # distances whose least is looked at first
CLUSTERING = "Grouping the items to find neighbours"


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredRows:
    """n rows of d' dimensions, those of cluster c at ids[starts[c]:starts[c + 1]].

    centre (d',) near the mean of all; means (c, d') of the clusters, measured from it; offsets
    (n, d') of the rows from their cluster's mean, sorted by cluster, and squares (n,) of their
    lengths. All float32.
    """

    ids: Ids
    starts: Ids
    centre: Matrix
    means: Matrix
    offsets: Matrix
    squares: Matrix

    def near(self, queries: Matrix, k: int, share: float, progress: Progress = silent) -> Ranks:
        """(m, w) int32 ids of rows near the queries (m, d'), in no order; w is k + SPARE, or n.

        A query opens the `share` of clusters whose means are nearest to it, and all where these
        hold fewer than w rows.
        """
        opened = min(len(self.means), max(FEWEST_OPENED, round(share * len(self.means))))
        ids = np.full((len(queries), min(k + SPARE, len(self.ids))), -1, np.int32)
        half_squares = (row_norms(self.means) ** 2 / 2).astype(np.float32)
        done = np.zeros(len(queries), np.bool_)

        def work(start: int, stop: int) -> None:
            centred, near = queries[start:stop] - self.centre, ids[start:stop]
            far = half_squares - centred @ self.means.T
            nearest = np.argpartition(far, opened - 1, axis=1)[:, :opened]
            near[:] = self._scan(centred, nearest, near.shape[1])
            short = np.flatnonzero((near < 0).any(axis=1))
            every = np.tile(np.arange(len(self.means)), (len(short), 1))
            near[short] = self._scan(centred[short], every, near.shape[1])
            done[start:stop] = True
            progress(done.mean(), "Finding neighbours")

        map_blocks(work, len(queries), QUERY_BLOCK)
        return ids

    def _scan(self, queries: Matrix, opened: Ids, width: int) -> Ranks:
        """(b, width) nearest rows in the clusters opened (b, p) by queries less the centre."""
        ids = np.full((len(queries), width), -1, np.int32)
        best = np.full(ids.shape, np.inf, np.float32)
        bounds, asking = queries_of_lists(opened, len(self.means))
        for c in np.flatnonzero(np.diff(bounds)):
            who = asking[bounds[c] : bounds[c + 1]]
            rows = slice(self.starts[c], self.starts[c + 1])
            differences = queries[who] - self.means[c]
            products = differences @ self.offsets[rows].T
            away = np.einsum("ij,ij->i", differences, differences)
            _keep_nearest(products, self.squares[rows], away, who, self.ids[rows], best, ids)
        return ids


def clustered(rows: Matrix, progress: Progress = silent) -> ClusteredRows:
    """`rows` (n, d') in about 2 sqrt(n) clusters; the same at any number of threads."""
    centre = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
    labels = _split_large(rows, _kmeans_labels(rows, centre, progress))
    ids = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    means = np.empty((len(starts) - 1, rows.shape[1]), np.float32)
    offsets = np.empty_like(rows)
    _measure_offsets(rows, ids, starts, centre, means, offsets)
    squares = np.einsum("ij,ij->i", offsets, offsets)
    progress(1.0, CLUSTERING)
    return ClusteredRows(ids, starts, centre, means, offsets, squares)


def _kmeans_labels(rows: Matrix, centre: Matrix, progress: Progress) -> Ids:
    """(n,) clusters, none empty, of spherical k-means over directions that differ as rows do.

    They are directions from a point outside the rows' space, as far from the centre as rows
    typically are: Euclidean distance becomes (nearly) the angle.
    """
    lifted = np.zeros((len(rows), rows.shape[1] + 1), np.float32)
    np.subtract(rows, centre, out=lifted[:, :-1])
    lengths = row_norms(lifted)
    lifted[:, -1] = np.median(lengths) or lengths.max()
    unit = conversion(lifted, "cosine").items(lifted)
    k = max(1, round(CLUSTERS * len(rows) ** 0.5))
    rng = rng_for(0, "map", "clusters")
    sample = unit[sample_rows(rng, len(rows), ROWS_A_CLUSTER * k)]

    def report(fraction: float, message: str, partial: object = None) -> None:
        progress(0.7 * fraction, CLUSTERING)

    start = start_points(rng, sample, k)
    clustering = spherical_kmeans(sample, start, max_rounds=ROUNDS, progress=report)
    labels = assign(unit, clustering.centroids, np.ones(len(rows), np.float32))
    return np.unique(labels, return_inverse=True)[1]


def _split_large(rows: Matrix, labels: Ids) -> Ids:
    """`labels` with large clusters halved at the median of their widest column, again and again."""
    most = MOST_TIMES_MEAN * len(rows) / (labels.max() + 1)
    n_clusters = labels.max() + 1
    large = [np.flatnonzero(labels == c) for c in np.flatnonzero(np.bincount(labels) > most)]
    while large:
        members = large.pop()
        own = rows[members]
        widest = np.argmax(own.max(axis=0) - own.min(axis=0))
        half = len(members) // 2
        upper = np.sort(members[np.argsort(own[:, widest], kind="stable")[half:]])
        labels[upper] = n_clusters
        n_clusters += 1
        if len(upper) > most:
            large += [np.setdiff1d(members, upper, assume_unique=True), upper]
    return labels


@njit(cache=True, nogil=True)
def _measure_offsets(
    rows: Matrix, ids: Ids, starts: Ids, centre: Matrix, means: Matrix, offsets: Matrix
) -> None:
    """Write the means of the clusters, from the centre, and the rows' offsets from them."""
    total = np.empty(rows.shape[1], np.float64)
    for c in range(len(starts) - 1):
        total[:] = 0
        for at in range(starts[c], starts[c + 1]):
            for j in range(len(total)):
                total[j] += np.float64(rows[ids[at], j]) - np.float64(centre[j])
        for j in range(len(total)):
            means[c, j] = total[j] / (starts[c + 1] - starts[c])
        for at in range(starts[c], starts[c + 1]):
            for j in range(len(total)):
                from_centre = np.float64(rows[ids[at], j]) - np.float64(centre[j])
                offsets[at, j] = from_centre - np.float64(means[c, j])


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _keep_nearest(
    products: Matrix,
    squares: Matrix,
    away: Matrix,
    who: Ids,
    ids: Ids,
    best: Matrix,
    nearest: Ranks,
) -> None:
    """Insert the members of a cluster into the lists of the queries `who`, nearest first.

    products (q, s) of query and member, both from the mean; squared distance is
    away[i] + squares[j] - 2 products[i, j].
    """
    size = products.shape[1]
    width = best.shape[1]
    near = np.empty(GROUP, np.float32)
    for i in range(len(who)):
        query = who[i]
        for start in range(0, size, GROUP):
            stop = min(start + GROUP, size)
            least = np.float32(np.inf)
            for j in range(start, stop):
                near[j - start] = squares[j] - 2 * products[i, j]
                least = min(least, near[j - start])
            if away[i] + least >= best[query, width - 1]:
                continue
            for j in range(start, stop):
                distance = away[i] + near[j - start]
                at = width - 1
                if distance >= best[query, at]:
                    continue
                while at > 0 and best[query, at - 1] > distance:
                    best[query, at] = best[query, at - 1]
                    nearest[query, at] = nearest[query, at - 1]
                    at -= 1
                best[query, at] = distance
                nearest[query, at] = ids[j]
