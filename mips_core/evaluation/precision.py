"""Precision@K: the share of its K true answers that a query finds, mean over queries.

A true answer that is a candidate is found (`evaluate`), so hits are counted: from the effort at
which each answer turns up, or from a bit for each answer and effort.
"""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Ranks
from mips_core.methods.bits import WORD, Words, count_bits

ROW_BLOCK = 4096  # queries whose ranks are sorted at once


def mean_precision(histograms: Ids) -> Floats:
    """(p,) mean share of answers found; histograms (p, K+1) count queries that found h of K."""
    found = histograms @ np.arange(histograms.shape[1])
    return found / (histograms.sum(axis=1) * (histograms.shape[1] - 1))


def hit_histograms(ranks: Ranks | None, found: Words | None, p: int, K: int, folds: int) -> Ids:
    """(folds, p, K+1) queries of each fold that found h of K true answers at each of p efforts.

    ranks (m, D) or found (p, m, words), one of the two, as an Evaluation has them.
    """
    counts = np.zeros((folds, p, K + 1), np.int64)
    if found is not None:
        count_bits_found(found, first_bits(np.array([K]), found.shape[2])[0], counts)
    if ranks is not None:
        for start in range(0, len(ranks), ROW_BLOCK):
            block = np.sort(ranks[start : start + ROW_BLOCK, :K], axis=1)
            count_ranks(block, start, counts)
        add_up(counts)
    return counts


def tied_hits(
    ranks: Ranks | None, found: Words | None, p: int, K: int, widths: Ids, folds: int
) -> Ids:
    """(folds, p) answers found by the queries of each fold that only ties make right, K at most.

    widths (m,): of `Truth.widths`.
    """
    more = np.zeros((folds, p), np.int64)
    for fold in range(folds):
        rows = np.flatnonzero(widths[fold::folds] > K) * folds + fold
        if ranks is not None:
            more[fold] = tied_ranks(ranks[rows], widths[rows], K, p)
        if found is not None:
            more[fold] = tied_bits(found[:, rows], widths[rows], K)
    return more


def first_bits(widths: Ids, words: int) -> Words:
    """(m, words) with the first widths[i] bits of row i set."""
    left = np.clip(widths[:, None] - WORD * np.arange(words), 0, WORD).astype(np.uint64)
    full = np.uint64(2**WORD - 1)
    return np.where(left == 0, np.uint64(0), full >> (np.uint64(WORD) - np.maximum(left, 1)))


@njit(cache=True, nogil=True)
def count_bits_found(found: Words, mask: Words, counts: Ids) -> None:
    """Add the queries of found (p, m, words) to counts (folds, p, K+1) by their bits under mask.

    Query i is in fold i % folds.
    """
    for at in range(found.shape[0]):
        for i in range(found.shape[1]):
            hits = 0
            for word in range(len(mask)):
                hits += int(count_bits(found[at, i, word] & mask[word]))
            counts[i % len(counts), at, hits] += 1


@njit(cache=True, nogil=True)
def count_ranks(ranks: Ranks, first: int, changes: Ids) -> None:
    """Add queries `first` and on, and where they have one hit more, to changes (folds, p, K+1).

    ranks (r, K) ascending, p or more for never. `add_up` makes histograms of changes.
    """
    folds, p, K = changes.shape[0], changes.shape[1], changes.shape[2] - 1
    for r in range(len(ranks)):
        fold = (first + r) % folds
        changes[fold, 0, 0] += 1
        for h in range(K):
            at = ranks[r, h]
            if at >= p:
                break
            changes[fold, at, h] -= 1
            changes[fold, at, h + 1] += 1


@njit(cache=True, nogil=True)
def add_up(changes: Ids) -> None:
    """Each effort of changes (folds, p, K+1) becomes the sum of itself and those before it."""
    for fold in range(len(changes)):
        for at in range(1, changes.shape[1]):
            for h in range(changes.shape[2]):
                changes[fold, at, h] += changes[fold, at - 1, h]


def tied_ranks(ranks: Ranks, widths: Ids, K: int, p: int) -> Ids:
    """(p,) hits that ties add at each effort: of the first widths[i] ranks (r, D), K at most.

    Beside those of the first K, all queries together.
    """
    right = np.where(np.arange(ranks.shape[1]) < widths[:, None], ranks, p)
    right.sort(axis=1)
    with_ties, strict = (
        np.bincount(found.ravel(), minlength=p + 1)[:p] for found in (right[:, :K], ranks[:, :K])
    )
    return np.cumsum(with_ties - strict)


def tied_bits(found: Words, widths: Ids, K: int) -> Ids:
    """(p,) hits that ties add at each effort, as `tied_ranks`, for found (p, r, words)."""
    wide, strict = (
        np.bitwise_count(found & first_bits(width, found.shape[2])).sum(axis=2, dtype=np.int64)
        for width in (widths, np.full(len(widths), K))
    )
    return (np.minimum(wide, K) - strict).sum(axis=1)
