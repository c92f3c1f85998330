"""In which order a query opens clusters: the strict order, the same on every processor.

Float64 products sort, each packed with the number of its cluster into one integer; the few that
come too close to be told apart so are then put in order by their canonical scores.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Matrix, Ranks
from mips_core.base.kernels import dot

NARROW_ID_BITS = 12  # clusters that are sorted with a coarse score, in 32 bits: twice as fast
FINEST = 10  # scores closer together than 2**-10 of the longest are not drawn further apart
STRIP = 256  # queries at once, fewer where that many scores would be more than STRIP_SCORES
STRIP_SCORES = 2**18
MOST_WIDENED = 2**23  # entries of centroids kept in float64; of more, a tile at a time
TILE = 4096
LOOKED_AT = 32  # keys that are compared before any of them is looked at

Keys = NDArray[np.signedinteger]


class Rough(NamedTuple):
    """Clusters of some queries in nearly the right order; `settle` makes it the strict one.

    keys (s, k) int32 or int64, ascending in each row: the low bits, under `mask`, are a cluster.
    Keys that differ by more than `near` are in order, and so are clusters whose scores (s, k)
    differ by more than slack (s,).
    """

    keys: Keys
    near: int
    mask: int
    scores: Floats
    slack: Floats


def cluster_order(Q: Matrix, centroids: Matrix) -> Ranks:
    """(m, k) cluster numbers of each query by inner product descending, lower number on ties.

    Q (m, d), centroids (k, d') float32, d <= d': the zeros that a lift adds to queries may be left
    out, as they change no sum. The length of a query does not matter.
    """
    order = np.empty((len(Q), len(centroids)), np.int32)
    for rows, strip in cluster_orders(Q, centroids):
        order[rows] = strip
    return order


def cluster_orders(Q: Matrix, centroids: Matrix) -> Iterator[tuple[slice, Ranks]]:
    """The rows of `cluster_order` for a few queries at a time; the next overwrite the last."""
    strip = None
    for rows, rough in rough_orders(Q, centroids):
        strip = np.empty(rough.keys.shape, np.int32) if strip is None else strip
        order = strip[: len(rough.keys)]  # the first rows are the most
        _settle_all(*rough, Q[rows], centroids, order)
        yield rows, order


def rough_orders(Q: Matrix, centroids: Matrix) -> Iterator[tuple[slice, Rough]]:
    """Every cluster for a few of the queries Q (m, d) at a time, near ties not yet settled.

    The next take the place of the last in memory: fresh memory costs more than the product.
    An inner product q.c errs by at most d u |q| |c|, u = 2^-53, whatever the order of its additions
    (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1): a product here and the
    canonical one differ by at most twice that, two such pairs by four times.
    """
    k, d = len(centroids), Q.shape[1]
    taken = centroids[:, :d]
    longest = np.einsum("ij,ij->i", taken, taken, dtype=np.float64).max() ** 0.5
    if taken.size <= MOST_WIDENED:
        taken = taken.astype(np.float64)
    rounding = 4.1 * (d + 1) * 2.0**-53  # of two scores of unit vectors, and of their keys
    id_bits = max(k - 1, 1).bit_length()
    narrow = id_bits <= NARROW_ID_BITS
    score_bits = (31 if narrow else 62) - id_bits
    # Keys two units apart are of scores a whole unit apart, beside what rounding moves.
    near = int(rounding * 2.0 ** (score_bits + FINEST)) + 1
    strip = max(min(STRIP_SCORES // k, STRIP, len(Q)), 1)
    wide, scores = np.empty((strip, d)), np.zeros((strip, k))
    keys = np.empty((strip, k), np.int32 if narrow else np.int64)
    for start in range(0, len(Q), strip):
        rows = slice(start, min(start + strip, len(Q)))
        size = rows.stop - start
        asked, products, packed = wide[:size], scores[:size], keys[:size]
        asked[:] = Q[rows]
        for tile in (slice(first, first + TILE) for first in range(0, k, TILE)):
            factor = taken[tile].astype(np.float64, copy=False)
            np.matmul(asked, factor.T, out=products[:, tile])
        most = np.sqrt(np.einsum("ij,ij->i", asked, asked)) * longest  # of a query's scores
        highest, lowest = products.max(axis=1), products.min(axis=1)
        reached = np.maximum((highest - lowest) / 2, most * 2.0**-FINEST)
        units = (2.0**score_bits - 2) / np.where(reached > 0, reached, 1.0)
        _pack(products, (highest + lowest) / 2, units, id_bits, packed)
        packed.sort(axis=1)
        yield rows, Rough(packed, near << id_bits, (1 << id_bits) - 1, products, rounding * most)


@njit(cache=True, nogil=True)
def _pack(scores: Floats, middles: Floats, units: Floats, id_bits: int, keys: Keys) -> None:
    """Write keys (m, k): scores in fixed point from a middle on, the best least, over clusters."""
    m, k = scores.shape
    for i in range(m):
        for c in range(k):
            keys[i, c] = (np.int64((middles[i] - scores[i, c]) * units[i]) << id_bits) | c


@njit(cache=True, nogil=True)
def settle(
    row: Keys, near: int, mask: int, scores: Floats, slack: float, q: Matrix, centroids: Matrix
) -> None:
    """Put the keys (k,) of the query q, a row of Rough, into the strict order by insertion."""
    at = _next_near(row, near, 1)
    while at < len(row):
        key, to = row[at], at
        cluster = key & mask
        while to > 0:
            other = row[to - 1] & mask
            ahead = scores[cluster] - scores[other]
            if abs(ahead) <= slack:
                ahead = _exactly_ahead(q, centroids, cluster, other)
            if ahead < 0:
                break
            row[to] = row[to - 1]
            to -= 1
        row[to] = key
        at = _next_near(row, near, at + 1)


@njit(cache=True, nogil=True)
def _next_near(row: Keys, near: int, start: int) -> int:
    """The first place from `start` on whose key is near the one before it, or the end."""
    while start < len(row):
        stop = min(start + LOOKED_AT, len(row))
        if _any_near(row[start - 1 : stop], near):
            for at in range(start, stop):
                if np.int64(row[at]) - np.int64(row[at - 1]) <= near:
                    return at
        start = stop
    return len(row)


@njit(cache=True, nogil=True)
def _any_near(row: Keys, near: int) -> bool:
    """Whether any key is near the one before it: by counting, which runs wide."""
    found = 0
    for at in range(1, len(row)):
        found += int(np.int64(row[at]) - np.int64(row[at - 1]) <= near)
    return found > 0


@njit(cache=True, nogil=True)
def _exactly_ahead(q: Matrix, centroids: Matrix, cluster: int, other: int) -> float:
    """Above 0 if q opens `cluster` before `other`, else below: by score, then by number."""
    d = len(q)
    ahead = dot(q, centroids[cluster][:d]) - dot(q, centroids[other][:d])
    return ahead if ahead != 0 else np.float64(other - cluster)


@njit(cache=True, nogil=True)
def _settle_all(
    keys: Keys,
    near: int,
    mask: int,
    scores: Floats,
    slack: Floats,
    Q: Matrix,
    centroids: Matrix,
    order: Ranks,
) -> None:
    for i in range(len(keys)):
        settle(keys[i], near, mask, scores[i], slack[i], Q[i], centroids)
        for at in range(keys.shape[1]):
            order[i, at] = keys[i, at] & mask


@njit(cache=True, nogil=True)
def unit_rows(Q: Matrix) -> Matrix:
    """Q (m, d) at unit length, rounded once; rows of zeros stay."""
    unit = np.empty(Q.shape, np.float32)
    for i in range(len(Q)):
        length = max(np.sqrt(dot(Q[i], Q[i])), 1e-300)
        for j in range(Q.shape[1]):
            unit[i, j] = np.float64(Q[i, j]) / length
    return unit
