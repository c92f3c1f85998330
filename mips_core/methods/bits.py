"""Bits of 64-bit words, for kernels."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Words = NDArray[np.uint64]

ONE = np.uint64(1)


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
