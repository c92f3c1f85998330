"""What the hash indexes share: buckets, unions, the fast sweep, and exact integer keys."""

import numpy as np
import pytest

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.methods.hashing.hash_tables import bucket, draw_directions, float32_slack, hash_items
from mips_core.methods.hashing.sign_hash import SignHash
from mips_core.methods.reductions import Plain


def test_buckets_hold_every_item_once_a_table_and_large_ones_as_bits_too():
    rng = np.random.default_rng(0)
    n, T = 1000, 3
    keys = rng.geometric(0.3, (T, n)).astype(np.uint64)  # a few large buckets, many small ones
    found = bucket(keys, silent)
    assert 0 < len(found.heavy) < len(found.keys)
    for t in range(T):
        np.testing.assert_array_equal(
            found.keys[found.tables[t] : found.tables[t + 1]], np.unique(keys[t])
        )
        for b in range(found.tables[t], found.tables[t + 1]):
            items = found.members[found.starts[b] : found.starts[b + 1]]
            np.testing.assert_array_equal(items, np.flatnonzero(keys[t] == found.keys[b]))
            assert (b in found.heavy) == (32 * len(items) >= n)
    for b, words in zip(found.heavy, found.bitsets, strict=True):
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        items = found.members[found.starts[b] : found.starts[b + 1]]
        np.testing.assert_array_equal(np.flatnonzero(bits), items)


def test_a_build_of_many_items_reports_on_the_way():
    fractions = []
    bucket(np.zeros((8, 5), np.uint64), lambda fraction, *_: fractions.append(fraction))
    assert sorted(fractions) == [t / 8 for t in range(9)]


def test_float32_slack_bounds_the_error_of_a_product():
    rng = np.random.default_rng(0)
    V, a = (rng.normal(size=(200, 300)).astype(np.float32) for _ in range(2))
    error = np.abs(V @ a.T - V.astype(float) @ a.T.astype(float))
    bound = float32_slack(V)[:, None] * np.linalg.norm(a.astype(float), axis=1)
    assert 0 < error.max() < bound.min()
    assert bound.max() == pytest.approx(1.01 * 302 * 2.0**-24 * 300, rel=0.3)


def test_items_are_hashed_alike_in_blocks_and_at_once():
    X = np.random.default_rng(0).normal(size=(2500, 6)).astype(np.float32)
    lift = Plain().fit(X)
    family = SignHash(lift, draw_directions(rng_for(0), 3, 7, 6))
    buckets = hash_items(family, 3, lift.items(X), silent).buckets
    keys = family.keys(lift.items(X))
    for t in range(3):
        own = buckets.members[t * 2500 : (t + 1) * 2500]
        np.testing.assert_array_equal(own, np.argsort(keys[:, t], kind="stable"))
