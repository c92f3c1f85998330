"""Words of bits: packed, unpacked, counted."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.bits import count_bits, lowest_bit, pack_bits, unpack_bits


@given(st.integers(0, 2**64 - 1))
def test_bits_are_counted(word):
    assert count_bits(np.uint64(word)) == word.bit_count()
    if word:
        assert lowest_bit(np.uint64(word)) == word & -word


@given(st.integers(0, 2**31), st.integers(1, 200))
def test_bits_are_packed_and_unpacked(seed, width):
    found = np.random.default_rng(seed).random((4, width)) < 0.5
    words = pack_bits(found)
    assert words.shape == (4, -(-width // 64))
    for i, j in np.ndindex(*found.shape):
        assert (int(words[i, j // 64]) >> (j % 64)) & 1 == found[i, j]
    for K in {1, width // 2, width}:
        np.testing.assert_array_equal(unpack_bits(words, K), found[:, :K])
