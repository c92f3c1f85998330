"""How tables are asked: unions of buckets, and the sweep that counts them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.progress import silent
from mips_core.methods.hashing.hash_search import TableSearcher
from mips_core.methods.hashing.hash_tables import HashTables, bucket


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
