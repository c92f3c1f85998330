"""Whole numbers joined to one key, exactly."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.methods.hashing.mixed_radix import NO_KEY, MixedRadix


@given(seed=st.integers(0, 2**31), p=st.integers(1, 12), width=st.sampled_from([2, 40, 2**20]))
def test_mixed_radix_keys_are_equal_just_where_the_numbers_are(seed, p, width):
    rng = np.random.default_rng(seed)
    fitted = rng.integers(-width, width, (p, 60))
    fitted[:, 30:40] = fitted[:, :10]
    radix = MixedRadix.fit(fitted)
    asked = np.concatenate([fitted, rng.integers(-width - 2, width + 2, (p, 60))], axis=1)
    asked[:, 60:70] = fitted[:, :10]
    asked[-1, 60:65] += 1  # all but the last number are known together
    keys = radix.keys(asked)
    number_of = {tuple(column): key for column, key in zip(fitted.T, keys[:60], strict=True)}
    assert len(set(number_of.values())) == len(number_of)
    assert NO_KEY not in number_of.values()
    known = set(number_of.values())
    for column, key in zip(asked.T, keys, strict=True):
        if tuple(column) in number_of:
            assert key == number_of[tuple(column)]
        else:
            assert key not in known


def test_mixed_radix_joins_more_than_64_bits_without_a_collision():
    fitted = rng_for(0).integers(0, 2**20, (9, 2000))  # 180 bits
    radix = MixedRadix.fit(fitted)
    assert sum(distinct is not None for distinct in radix.joined) == 3
    assert len(np.unique(radix.keys(fitted))) == 2000
