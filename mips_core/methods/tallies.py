"""What an evaluation counts: true answers that are candidates, a bit each, and sums by fold."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Mask, Ranks
from mips_core.methods.bits import Words, count_bits

WORD = 64


def sum_by_fold(costs: NDArray[Any], folds: int) -> Floats:
    """costs (m, ...) -> (folds, ...) summed over the queries i of equal i % folds."""
    return np.stack([costs[fold::folds].sum(axis=0, dtype=np.float64) for fold in range(folds)])


def n_words(w: int) -> int:
    """Words that hold w bits."""
    return -(-w // WORD)


def pack_bits(found: Mask) -> Words:
    """found (..., w) -> (..., words): bit j of a row is bit j % 64 of word j // 64."""
    w = found.shape[-1]
    padded = np.zeros((*found.shape[:-1], n_words(w) * WORD), np.bool_)
    padded[..., :w] = found
    packed = np.packbits(padded, axis=-1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def unpack_bits(words: Words, K: int) -> Mask:
    """The first K bits (m, K) of words (m, words)."""
    j = np.arange(K)
    bits = words[:, j // WORD] >> (j % WORD).astype(np.uint64)
    return (bits & np.uint64(1)).astype(np.bool_)


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
