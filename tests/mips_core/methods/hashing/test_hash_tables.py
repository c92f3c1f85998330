"""What the hash indexes share: buckets, unions, the fast sweep, and exact integer keys."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.methods.bits import count_bits, lowest_bit
from mips_core.methods.hashing.hash_search import TableSearcher
from mips_core.methods.hashing.hash_tables import HashTables, bucket, float32_slack
from mips_core.methods.hashing.mixed_radix import NO_KEY, MixedRadix


class GivenKeys:
    """A family whose queries (m, 1) name rows of given keys."""

    part = "projections"

    def __init__(self, keys, per_table):
        self.given, self.per_table = keys, per_table

    def query_keys(self, Q):
        return self.given[Q[:, 0].astype(int)]


def union_of(item_keys, query_keys):
    """For t = 1, 2, ...: items that share the query's key in one of the first t tables."""
    seen, unions = set(), []
    for table, key in zip(item_keys, query_keys, strict=True):
        seen = seen | {i for i, other in enumerate(table) if int(other) == int(key)}
        unions.append(seen)
    return unions


def searcher_of(item_keys, query_keys, per_table=3.0):
    buckets = bucket(item_keys, silent)
    return TableSearcher(HashTables(item_keys.shape[1], GivenKeys(query_keys, per_table), buckets))


@given(
    seed=st.integers(0, 2**31),
    n=st.integers(1, 300),
    T=st.integers(1, 6),
    values=st.integers(1, 80),  # few make heavy buckets, many make light ones
)
def test_candidates_and_sweep_are_the_union_of_equal_keys(seed, n, T, values):
    rng = np.random.default_rng(seed)
    some = rng.integers(0, 2**64, values, dtype=np.uint64)
    item_keys, query_keys = rng.choice(some, (T, n)), rng.choice(some, (5, T))
    searcher = searcher_of(item_keys, query_keys)
    Q = np.arange(5, dtype=np.float32)[:, None]
    wanted = np.tile(np.append(np.arange(n), -1), (5, 1))
    found, costs = searcher.sweep(Q, wanted)
    for t in range(1, T + 1):
        got = searcher.candidates(Q, t, 1)
        for i in range(5):
            expected = union_of(item_keys, query_keys[i])[t - 1]
            assert got.ids[got.starts[i] : got.starts[i + 1]].tolist() == sorted(expected)
            assert set(np.flatnonzero(found[i, :-1] < t)) == expected
            assert found[i, -1] == T
            assert got.cost[i] == 3 * t + len(expected)
            assert costs["candidates"][i, t - 1] == len(expected)
            assert costs["projections"][i, t - 1] == 3 * t


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


def test_groups_part_the_items_by_key_in_every_table():
    keys = np.array([[7, 2, 7, 2**63, 2], [1, 1, 1, 1, 0]], np.uint64)
    searcher = searcher_of(keys, keys[:, :1].T)
    assert [labels.tolist() for labels in searcher.groups()] == [[1, 0, 1, 2, 0], [1, 1, 1, 1, 0]]
    assert all(labels.dtype == np.int64 for labels in searcher.groups())


def test_a_trace_tells_which_tables_held_the_key():
    keys = np.array([[7, 2], [4, 4], [9, 1]], np.uint64)
    searcher = searcher_of(keys, np.array([[7, 5, 1]], np.uint64), per_table=0.25)
    hashing, scoring = searcher.trace(np.zeros(1, np.float32), 3, 1)
    assert (hashing.part, hashing.scored.tolist(), hashing.kept.tolist()) == (
        "projections",
        [0, 1, 2],
        [0, 2],
    )
    assert hashing.spent == 0.75
    assert (scoring.kept.tolist(), scoring.spent) == ([0, 1], 2)


def test_a_build_of_many_items_reports_on_the_way():
    fractions = []
    bucket(np.zeros((8, 5), np.uint64), lambda fraction, *_: fractions.append(fraction))
    assert sorted(fractions) == [t / 8 for t in range(9)]


@given(st.integers(0, 2**64 - 1))
def test_bits_are_counted(word):
    assert count_bits(np.uint64(word)) == word.bit_count()
    if word:
        assert lowest_bit(np.uint64(word)) == word & -word


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


def test_float32_slack_bounds_the_error_of_a_product():
    rng = np.random.default_rng(0)
    V, a = (rng.normal(size=(200, 300)).astype(np.float32) for _ in range(2))
    error = np.abs(V @ a.T - V.astype(float) @ a.T.astype(float))
    bound = float32_slack(V)[:, None] * np.linalg.norm(a.astype(float), axis=1)
    assert 0 < error.max() < bound.min()
    assert bound.max() == pytest.approx(1.01 * 302 * 2.0**-24 * 300, rel=0.3)
