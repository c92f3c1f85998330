"""Of hash tables and the functions that fill them."""

from functools import singledispatch
from typing import Any

import numpy as np

from mips_core.methods.hashing.hash_tables import HEAVY, WORD, Buckets, HashTables
from mips_core.methods.hashing.l2_alsh import L2Hash
from mips_core.methods.hashing.mixed_radix import MixedRadix
from mips_core.methods.hashing.sign_hash import SignHash
from mips_core.methods.hashing.wta import WinnerHash
from mips_core.serving.store.soundness.rules import (
    check_ascending,
    check_lift,
    check_permutation,
    check_shape,
    check_sound,
    check_within,
    expect,
)

MOST_BITS = 64  # of a key


@check_sound.register(HashTables)
def _(built: HashTables[Any], n: int, d: int) -> None:
    T = len(built.buckets.tables) - 1
    expect(built.n == n and T >= 1, f"its tables are of {built.n} items, not {n}")
    _check_buckets(built.buckets, T, n)
    check_family(built.family, T, d)


def _check_buckets(buckets: Buckets, T: int, n: int) -> None:
    tables, keys, starts, members, heavy, bitsets = buckets
    B = len(keys)
    check_shape(keys, (B,), "keys")
    check_ascending(tables, T, B, "tables")
    check_ascending(starts, B, T * n, "buckets")
    sizes = np.diff(starts)
    expect((sizes > 0).all(), "a bucket is empty")
    check_shape(members, (T * n,), "members")
    for t in range(T):
        expect(starts[tables[t]] == t * n, "a table does not start with its first bucket")
        own = keys[tables[t] : tables[t + 1]]
        expect((own[1:] > own[:-1]).all(), "keys do not ascend")
        check_permutation(members[t * n : (t + 1) * n], n, "the items of a table")
    expect(np.array_equal(heavy, np.flatnonzero(sizes * HEAVY >= n)), "heavy buckets are others")
    check_shape(bitsets, (len(heavy), -(-n // WORD)), "bitsets")
    for bits, b in zip(bitsets, heavy, strict=True):
        items = np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))
        same = np.array_equal(items, members[starts[b] : starts[b + 1]])
        expect(same, "the bits of a bucket are not its items")


@singledispatch
def check_family(family: Any, T: int, d: int) -> None:
    """Raise UnsoundError unless `family` hashes vectors of d dimensions for T tables."""


@check_family.register
def _(family: SignHash, T: int, d: int) -> None:
    check_lift(family.lift)
    directions = family.directions
    expect(directions.ndim == 3 and 1 <= directions.shape[1] <= MOST_BITS, "a key has no bits")
    check_shape(directions, (T, directions.shape[1], d + family.lift.n_extra), "directions")


@check_family.register
def _(family: WinnerHash, T: int, d: int) -> None:
    check_lift(family.lift)
    expect(family.d == d, f"it hashes vectors of {family.d} dimensions, not {d}")
    expect(family.prefixes.ndim == 3 and family.prefixes.size > 0, "there are no permutations")
    expect(len(family.prefixes) == T, f"it hashes for {len(family.prefixes)} tables, not {T}")
    check_within(family.prefixes, d + family.lift.n_extra, "a permutation")


@check_family.register
def _(family: L2Hash, T: int, d: int) -> None:
    a = family.functions.a
    expect(a.ndim == 3 and a.shape[1] >= 1 and family.m >= 1, "a key has no numbers")
    check_shape(a, (T, a.shape[1], d + family.m), "directions")
    check_shape(family.functions.b, a.shape[:2], "offsets")
    expect(family.functions.r > 0, "the width of buckets is not positive")
    expect(len(family.radix) == T, f"it joins numbers for {len(family.radix)} tables, not {T}")
    for radix in family.radix:
        _check_radix(radix, a.shape[1])


def _check_radix(radix: MixedRadix, p: int) -> None:
    check_shape(radix.low, (p,), "least numbers")
    check_shape(radix.span, (p,), "bases")
    expect((radix.span >= 1).all() and len(radix.joined) == p, "a base is no number")
    for seen in radix.joined:
        if seen is not None:
            expect(seen.ndim == 1 and len(seen) > 0, "no joined numbers were seen")
            expect((seen[1:] > seen[:-1]).all(), "joined numbers do not ascend")
