"""What the beams of all widths find, in one pass (Auvolat et al. 2015, Algorithm 2).

A beam as wide as every level above it has clusters keeps the first of a level in the order of the
query, whatever their parents. Narrower ones, few and short, are walked one by one.
"""

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.methods.bits import ONE, WORD, Words, n_words
from mips_core.methods.cluster_order.order import cluster_order, cluster_orders
from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.searcher import Ledger


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
    above, above_starts = np.empty((len(Q), 0), np.int32), np.zeros(1, np.int64)
    walked = 0  # beams narrower than a level above
    for level in coarse:
        k = len(level.centroids)
        narrow = max(walked, int(np.searchsorted(efforts, k)))
        starts, kept = _room(efforts[:narrow], len(Q), k)
        order = cluster_order(Q, level.centroids)
        _keep(order, parents, n_children, above, above_starts, walked, kept, starts, scored, 0)
        scored[:, walked:] += k * queries
        parents, n_children, walked = level.labels, level.sizes, narrow
        above, above_starts = kept, starts
    k = len(finest.centroids)
    by_rank, labels = np.zeros((folds, k), np.int64), finest.labels.astype(np.int32)
    opened_at = np.maximum(np.searchsorted(efforts, np.arange(1, k + 1)), walked)
    scored[:, walked:] += k * queries
    for rows, order in cluster_orders(Q, finest.centroids):
        starts, kept = _room(efforts[:walked], len(order), k)
        family, first = (parents, n_children, above[rows], above_starts), rows.start
        _keep(order, *family, walked, kept, starts, scored, first)
        lists = (labels, finest.sizes, wanted[rows], found[:, rows])
        _open(order, kept, starts, opened_at, *lists, items, by_rank, first)
    items[:, walked:] = np.cumsum(by_rank, axis=1)[:, np.minimum(efforts[walked:], k) - 1]
    return found, {"centroids": scored, "candidates": items}


def _room(efforts: Ids, m: int, k: int) -> tuple[Ids, Ranks]:
    """starts (e+1,) and kept (m, total): room for the clusters, of k, that m queries keep.

    Those of the beam of efforts[at] are kept[:, starts[at]:starts[at+1]].
    """
    starts = np.concatenate([[0], np.cumsum(np.minimum(efforts, k))])
    return starts, np.empty((m, starts[-1]), np.int32)


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
    first: int,
) -> None:
    """Write the clusters kept (m, total) of a level, best first, -1 after the last.

    Those of effort e are kept[:, starts[e]:starts[e+1]]: the first of order (m, k); for the first
    `walked` efforts, of the children of what is kept above (m, total), with starts as here.
    parents (k,) of the clusters, n_children of those above; scored (folds, p) counts children.
    The queries are `first` and on.
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
            scored[(first + i) % len(scored), e] += children
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
    opened_at: Ids,
    labels: Ranks,
    sizes: Ids,
    wanted: Ids,
    found: Words,
    items: Ids,
    by_rank: Ids,
    first: int,
) -> None:
    """Set the bits of wanted items (m, w) in opened clusters, and count the items of these.

    The first efforts open what is kept (m, total), as `_keep` wrote it: their items are added to
    items (folds, p). Wider ones open the first of order (m, k): of these, sizes are added to
    by_rank (folds, k), and opened_at (k,) is the first effort that opens a rank. found (p, m,
    words) starts at zero. The queries are `first` and on.
    """
    m, k = order.shape
    held = np.append(sizes, 0)  # the last is what -1 opens: nothing
    bits = np.zeros((found.shape[2], k + 1), np.uint64)  # of the wanted items of each cluster
    rank_of, clusters = np.empty(k, np.int32), np.empty(wanted.shape[1], np.int32)
    for i in range(m):
        fold = (first + i) % len(items)
        for j in range(len(clusters)):
            clusters[j] = labels[wanted[i, j]] if wanted[i, j] >= 0 else -1
        _open_kept(kept[i], starts, clusters, held, bits, found[:, i], items[fold])
        _open_first(order[i], opened_at, clusters, sizes, rank_of, found[:, i], by_rank[fold])


@njit(cache=True, nogil=True)
def _open_kept(
    kept: Ranks, starts: Ids, clusters: Ranks, held: Ids, bits: Words, found: Words, items: Ids
) -> None:
    """One query's narrow beams: found (p, words), items (p,), the wanted `clusters` (w,), -1 none.

    held (k + 1,) sizes, bits (words, k + 1): zero, and left so; 0 at the end, which -1 opens.
    """
    for j in range(len(clusters)):
        if clusters[j] >= 0:
            bits[j // WORD, clusters[j]] |= ONE << np.uint64(j % WORD)
    for e in range(len(starts) - 1):
        beam = kept[starts[e] : starts[e + 1]]
        for cluster in beam:
            items[e] += held[cluster]
        for word in range(found.shape[1]):
            reached, of = found[e, word], bits[word]
            for cluster in beam:
                reached |= of[cluster]
            found[e, word] = reached
    for j in range(len(clusters)):
        if clusters[j] >= 0:
            bits[j // WORD, clusters[j]] = 0


@njit(cache=True, nogil=True)
def _open_first(
    order: Ranks,
    opened_at: Ids,
    clusters: Ranks,
    sizes: Ids,
    rank_of: Ranks,
    found: Words,
    by_rank: Ids,
) -> None:
    """One query's wide beams, which open the first of order (k,): as `_open_kept`, from ranks."""
    for at in range(len(order)):
        rank_of[order[at]] = at
        by_rank[at] += sizes[order[at]]
    for j in range(len(clusters)):
        if clusters[j] >= 0:
            e = opened_at[rank_of[clusters[j]]]
            found[e, j // WORD] |= ONE << np.uint64(j % WORD)
    for e in range(opened_at[0] + 1, len(found)):
        for word in range(found.shape[1]):
            found[e, word] |= found[e - 1, word]
