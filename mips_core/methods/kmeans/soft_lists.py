"""Items in more lists than one: each in its own cluster, and a copy in its second best.

Soft assignment: an item at the edge of two clusters is found with either. A query that opens both
scores it once.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import dot, row_norms
from mips_core.base.threads import map_blocks
from mips_core.methods.clustering.nearest import near_ties

ROW_BLOCK = 512
SPREADS = 2.0  # standard deviations above its mean that a cluster's best scores are taken to lie


@dataclass(frozen=True, slots=True, eq=False)
class SoftLists:
    """Lists of items, each item in one or two of them.

    labels (c, n) int32: the list of each item, then that of its copy, if c is 2. starts (l+1,),
    members: list i is members[starts[i]:starts[i+1]], its items ascending. pairs (s, 2) int32:
    the lists that share items, lower number first; shared (s,) how many.
    """

    labels: Ranks
    starts: Ids
    members: Ids
    pairs: Ranks
    shared: Ids

    @property
    def sizes(self) -> Ids:
        """(l,) items of each list, copies among them."""
        return np.diff(self.starts)


def lists_of(labels: Ranks, count: int) -> SoftLists:
    """`count` lists from labels (c, n); equal labels of an item are one."""
    n = labels.shape[1]
    copied = np.flatnonzero(labels[0] != labels[-1])
    held = np.concatenate([labels[0], labels[-1][copied]])
    items = np.concatenate([np.arange(n), copied])
    members = items[np.lexsort((items, held))]
    starts = np.concatenate([[0], np.cumsum(np.bincount(held, minlength=count))])
    both = np.sort(labels[[0, -1]][:, copied].astype(np.int64), axis=0)
    codes, shared = np.unique(both[0] * count + both[1], return_counts=True)
    pairs = np.stack(np.divmod(codes, count), axis=1).astype(np.int32)
    return SoftLists(labels, starts, members, pairs, shared.astype(np.int64))


def second_best(rows: Matrix, centroids: Matrix, labels: Ids) -> Ids:
    """(n,) the cluster of largest inner product besides labels (n,); the lower number on ties.

    rows (n, d') float32, centroids (k, d') unit rows; with a single cluster, that one.
    """
    second = labels.copy()
    if len(centroids) == 1:
        return second
    near = near_ties(row_norms(rows), rows.shape[1])

    def work(start: int, stop: int) -> None:
        part = slice(start, stop)
        scores = rows[part] @ centroids.T
        scores[np.arange(stop - start), labels[part]] = -np.inf
        _best_of(scores, rows[part], centroids, near[part], second[part])

    map_blocks(work, len(rows), ROW_BLOCK)
    return second


@njit(cache=True, nogil=True)
def _best_of(scores: Matrix, rows: Matrix, centroids: Matrix, near: Matrix, best: Ids) -> None:
    """The column of the largest score of each row; those within near (b,) of it in float64."""
    for i in range(len(scores)):
        least = scores[i].max() - near[i]
        found, exact = -1, 0.0
        for j in range(scores.shape[1]):
            if scores[i, j] >= least:
                score = dot(rows[i], centroids[j])
                if found < 0 or score > exact:
                    found, exact = j, score
        best[i] = found


@njit(cache=True, nogil=True)
def first_opened(
    opened: Ranks, labels: Ranks, pairs: Ranks, shared: Ids, wanted: Ids
) -> tuple[Ranks, Ids]:
    """When wanted items are met first, and how many items of a list were met before it.

    opened (m, p): every list that has items, in the order a query opens them; labels, pairs and
    shared as in `SoftLists`; wanted (m, w), -1 for none -> positions (m, w) int32, p for never;
    repeats (m, p).
    """
    m, count = opened.shape
    found = np.full(wanted.shape, count, np.int32)
    repeats = np.zeros((m, count), np.int64)
    at = np.empty(count + 1, np.int32)  # the head may be empty and missing
    for i in range(m):
        for position in range(count):
            at[opened[i, position]] = position
        for pair in range(len(pairs)):
            repeats[i, max(at[pairs[pair, 0]], at[pairs[pair, 1]])] += shared[pair]
        for j in range(wanted.shape[1]):
            item = wanted[i, j]
            if item >= 0:
                found[i, j] = min(at[labels[0, item]], at[labels[-1, item]])
    return found, repeats


def means_of(X: Matrix, lists: SoftLists) -> Matrix:
    """(k, d + 1): the mean of each list but the first, and SPREADS times its deviation.

    All on one scale, so that no row is longer than 1.
    """
    means, deviations = _means_and_deviations(X, lists.starts[1:], lists.members)
    rows = np.column_stack([means, SPREADS * deviations])
    longest = np.sqrt((rows**2).sum(axis=1).max())
    return (rows / (longest or 1.0)).astype(np.float32)


@njit(cache=True, nogil=True)
def _means_and_deviations(X: Matrix, starts: Ids, members: Ids) -> tuple[Floats, Floats]:
    """Of each list of rows of X (n, d): the mean (k, d), and the deviation a dimension (k,).

    The latter is the root of the mean squared distance to the mean, over the root of d: the
    standard deviation of u.x for a unit vector u, averaged over all directions.
    """
    k, d = len(starts) - 1, X.shape[1]
    means = np.zeros((k, d))
    deviations = np.zeros(k)
    for c in range(k):
        size = starts[c + 1] - starts[c]
        for item in members[starts[c] : starts[c + 1]]:
            for j in range(d):
                means[c, j] += np.float64(X[item, j]) / size
        square = 0.0
        for item in members[starts[c] : starts[c + 1]]:
            for j in range(d):
                square += (np.float64(X[item, j]) - means[c, j]) ** 2
        if size:
            deviations[c] = np.sqrt(square / (size * d))
    return means, deviations
