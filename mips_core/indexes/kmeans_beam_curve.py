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
    marked = 2 * sizes  # 1 more where a cluster holds wanted items: one look tells both
    slot_of = np.empty(k, np.int64)  # of those clusters
    bits = np.zeros((wanted.shape[1], found.shape[2]), np.uint64)  # of their items, by slot
    for i in range(m):
        counted = items[i % len(items)]
        slots = _group(wanted[i], labels, marked, slot_of, bits)
        for e in range(len(starts) - 1):
            beam = kept[i, starts[e] : starts[e + 1]]
            counted[e] += _gather(beam, marked, slot_of, bits, found[e, i])
        start = total = 0
        reached = np.zeros(found.shape[2], np.uint64)
        for e in range(len(starts) - 1, len(efforts)):
            stop = min(efforts[e], k)
            total += _gather(order[i, start:stop], marked, slot_of, bits, reached)
            start = stop
            counted[e] += total
            found[e, i] = reached
        for item in wanted[i]:
            if item >= 0:
                marked[labels[item]] &= ~1
        bits[:slots] = 0


@njit(cache=True, nogil=True)
def _gather(clusters: Ranks, marked: Ids, slot_of: Ids, bits: Words, found: Words) -> int:
    """Items in clusters (c,), up to a -1; sets the bits of those that are wanted."""
    total = 0
    for cluster in clusters:
        if cluster < 0:
            break
        mark = marked[cluster]
        total += mark >> 1
        if mark & 1:
            for word in range(len(found)):
                found[word] |= bits[slot_of[cluster], word]
    return total


@njit(cache=True, nogil=True)
def _group(wanted: Ids, labels: Ids, marked: Ids, slot_of: Ids, bits: Words) -> int:
    """Mark every cluster of the wanted items (w,), give it a slot and set their bits; slots given.

    bits (w, words) are zero before.
    """
    slots = 0
    for j in range(len(wanted)):
        if wanted[j] < 0:
            continue
        cluster = labels[wanted[j]]
        if not marked[cluster] & 1:
            marked[cluster] |= 1
            slot_of[cluster] = slots
            slots += 1
        bits[slot_of[cluster], j // WORD] |= ONE << np.uint64(j % WORD)
    return slots
