"""Bits in 64-bit words: packed, counted, and told apart; and the sums of costs beside them."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Mask

Words = NDArray[np.uint64]

ONE = np.uint64(1)
WORD = 64  # bits


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


@njit(cache=True, nogil=True)
def count_bits(word: np.uint64) -> np.int64:
    """Bits set in a 64-bit word: sums of ever wider neighbours, none of which may overflow."""
    word -= (word >> ONE) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word += word >> np.uint64(8)
    word += word >> np.uint64(16)
    word += word >> np.uint64(32)
    return np.int64(word & np.uint64(127))


@njit(cache=True, nogil=True)
def lowest_bit(word: np.uint64) -> np.uint64:
    """The word with only its lowest set bit, of which there is one."""
    return word & (~word + ONE)
