"""What the beams of all widths find, in one pass (Auvolat et al. 2015, Algorithm 2).

A beam as wide as every level above it has clusters keeps the first of a level in the order of the
query, whatever their parents. Narrower ones, few and short, are walked one by one.
"""

import numpy as np
from numba import njit

from mips_core.arrays import Ids, Matrix, Ranks
from mips_core.indexes.base import Ledger
from mips_core.indexes.bits import ONE, Words
from mips_core.indexes.kmeans_tree import KMeansTree
from mips_core.indexes.tallies import WORD, n_words
from mips_core.probing import cluster_order


def beams(
    tree: KMeansTree, efforts: Ids, Q: Matrix, wanted: Ids, folds: int
) -> tuple[Words, Ledger]:
    """Bits (p, m, words) of the wanted items (m, w; -1 none) found at p ascending efforts, costs.

    costs {part: (folds, p)} inner products of the queries i of equal i % folds.
    """
    scored, items = (np.zeros((folds, len(efforts)), np.int64) for _ in range(2))
    found = np.zeros((len(efforts), len(Q), n_words(wanted.shape[1])), np.uint64)
    queries = np.bincount(np.arange(len(Q)) % folds, minlength=folds)[:, None]
    coarse, finest = tree.levels[:-1], tree.levels[-1]
    parents, n_children = np.zeros(len(tree.levels[0].centroids), np.int64), np.empty(0, np.int64)
    kept, starts = np.empty((len(Q), 0), np.int32), np.zeros(1, np.int64)
    walked = 0  # beams narrower than a level above
    for level in (*coarse, finest):
        order = cluster_order(Q, level.centroids)
        k = order.shape[1]
        narrow = walked if level is finest else max(walked, int(np.searchsorted(efforts, k)))
        above, above_starts = kept, starts
        starts = np.concatenate([[0], np.cumsum(np.minimum(efforts[:narrow], k))])
        kept = np.empty((len(Q), starts[-1]), np.int32)
        _keep(order, parents, n_children, above, above_starts, walked, kept, starts, scored)
        scored[:, walked:] += k * queries
        parents, n_children, walked = level.labels, level.sizes, narrow
    _open(order, kept, starts, efforts, finest.labels, finest.sizes, wanted, found, items)
    return found, {"centroids": scored, "candidates": items}


@njit(cache=True, nogil=True)
def _keep(
    order: Ranks,
    parents: Ids,
    n_children: Ids,
    above: Ranks,
    above_starts: Ids,
    walked: int,
    kept: Ranks,
    starts: Ids,
    scored: Ids,
) -> None:
    """Write the clusters kept (m, total) of a level, best first, -1 after the last.

    Those of effort e are kept[:, starts[e]:starts[e+1]]: the first of order (m, k); for the first
    `walked` efforts, of the children of what is kept above (m, total), with starts as here.
    parents (k,) of the clusters, n_children of those above; scored (folds, p) counts children.
    """
    kept_by = np.full(len(n_children), -1, np.int64)  # the last beam that kept this parent
    for i in range(len(order)):
        for e in range(len(starts) - 1):
            room = kept[i, starts[e] : starts[e + 1]]
            if e >= walked:
                room[:] = order[i, : len(room)]
                continue
            beam = i * walked + e
            children = 0
            for parent in above[i, above_starts[e] : above_starts[e + 1]]:
                if parent < 0:
                    break
                kept_by[parent] = beam
                children += n_children[parent]
            scored[i % len(scored), e] += children
            size, most, at = 0, min(len(room), children), 0
            while size < most:
                if kept_by[parents[order[i, at]]] == beam:
                    room[size] = order[i, at]
                    size += 1
                at += 1
            room[most:] = -1


@njit(cache=True, nogil=True)
def _open(
    order: Ranks,
    kept: Ranks,
    starts: Ids,
    efforts: Ids,
    labels: Ids,
    sizes: Ids,
    wanted: Ids,
    found: Words,
    items: Ids,
) -> None:
    """Set the bits of wanted items (m, w) in opened clusters, and add up the items in them.

    The first efforts open what is kept (m, total), as `_keep` wrote it; wider ones the first of
    order (m, k). found (p, m, words) starts at zero, as does items (folds, p).
    """
    m, k = order.shape
    held = np.append(sizes, 0)  # the last is what -1 opens: nothing
    bits = np.zeros((found.shape[2], k + 1), np.uint64)  # of the wanted items of each cluster
    for i in range(m):
        counted = items[i % len(items)]
        for j in range(wanted.shape[1]):
            if wanted[i, j] >= 0:
                bits[j // WORD, labels[wanted[i, j]]] |= ONE << np.uint64(j % WORD)
        for e in range(len(starts) - 1):
            beam = kept[i, starts[e] : starts[e + 1]]
            counted[e] += _gather(beam, held, bits, found[e, i])
        start = total = 0
        reached = np.zeros(found.shape[2], np.uint64)
        for e in range(len(starts) - 1, len(efforts)):
            stop = min(efforts[e], k)
            total += _gather(order[i, start:stop], held, bits, reached)
            start = stop
            counted[e] += total
            found[e, i] = reached
        for j in range(wanted.shape[1]):
            if wanted[i, j] >= 0:
                bits[j // WORD, labels[wanted[i, j]]] = 0


@njit(cache=True, nogil=True)
def _gather(clusters: Ranks, sizes: Ids, bits: Words, found: Words) -> int:
    """Items in clusters (c,), by sizes (k + 1,); sets the bits (words, k + 1) that these have."""
    total = 0
    for cluster in clusters:
        total += sizes[cluster]
    for word in range(len(found)):
        reached, of = found[word], bits[word]
        for cluster in clusters:
            reached |= of[cluster]
        found[word] = reached
    return total
