"""Tables of buckets of items that share a hash key, the same for every family of hash functions.

Indyk and Motwani, "Approximate nearest neighbors", STOC 1998: each of T tables has hash functions
of its own, and gives a vector one key.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import FLOAT32_ROUNDING, row_norms
from mips_core.base.progress import Progress, span
from mips_core.base.seeds import stream
from mips_core.base.threads import map_blocks
from mips_core.methods.bits import WORD
from mips_core.methods.reductions import Lift
from mips_core.methods.soundness import check_ascending, check_permutation, check_shape, expect

Keys = NDArray[np.uint64]

ROW_BLOCK = 1024  # items hashed at once
HEAVY = 32  # a bucket of n / 32 items or more takes less memory as n bits than as int32 ids


class HashFamily(Protocol):
    """The hash functions of all tables, as drawn."""

    @property
    def part(self) -> str:
        """What the ledger calls the work of hashing a query."""

    @property
    def per_table(self) -> float:
        """Inner products that hashing a query for one table amounts to."""

    def query_keys(self, Q: Matrix) -> Keys:
        """(m, T) the key of each query of Q (m, d), unlifted, in every table."""

    def check(self, T: int, d: int) -> None:
        """Raise UnsoundError unless it hashes vectors of d dimensions for T tables."""


@dataclass(frozen=True, slots=True, eq=False)
class SymmetricFamily(HashFamily, ABC):
    """A family that hashes lifted items and lifted queries alike."""

    lift: Lift

    def query_keys(self, Q: Matrix) -> Keys:
        return self.keys(self.lift.queries(Q))

    @abstractmethod
    def keys(self, V: Matrix) -> Keys:
        """(rows, T) the keys of lifted vectors V (rows, d')."""


Family = TypeVar("Family", bound=HashFamily)
Symmetric = TypeVar("Symmetric", bound=SymmetricFamily)


class Buckets(NamedTuple):
    """The buckets of all tables, one table after the other. A tuple, for kernels to take.

    tables (T+1,)           table t has the buckets tables[t] to tables[t+1] - 1
    keys (B,)               ascending within a table
    starts (B+1,)           bucket b has the items members[starts[b]:starts[b+1]], ascending
    members (T n,) int32
    heavy (H,)              the buckets of n / 32 items or more, ascending
    bitsets (H, n/64) u64   their items again, one bit each
    """

    tables: Ids
    keys: Keys
    starts: Ids
    members: Ranks
    heavy: Ids
    bitsets: Keys

    def check(self, T: int, n: int) -> None:
        """T tables, each of all n items; raises UnsoundError."""
        tables, keys, starts, members, heavy, bitsets = self
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
        large = np.flatnonzero(sizes * HEAVY >= n)
        expect(np.array_equal(heavy, large), "heavy buckets are others")
        check_shape(bitsets, (len(heavy), -(-n // WORD)), "bitsets")
        for bits, b in zip(bitsets, heavy, strict=True):
            items = np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))
            same = np.array_equal(items, members[starts[b] : starts[b + 1]])
            expect(same, "the bits of a bucket are not its items")


@dataclass(frozen=True, slots=True, eq=False)
class HashTables(Generic[Family]):
    """What was built over n items: the hash functions and the buckets they make."""

    n: int
    family: Family
    buckets: Buckets

    def check(self, n: int, d: int) -> None:
        """Tables of all items, filled by functions for as many."""
        T = len(self.buckets.tables) - 1
        expect(self.n == n and T >= 1, f"its tables are of {self.n} items, not {n}")
        self.buckets.check(T, n)
        self.family.check(T, d)


def hash_items(
    family: Symmetric, n_tables: int, V: Matrix, progress: Progress
) -> HashTables[Symmetric]:
    """The tables of the lifted items V (n, d')."""
    n = len(V)
    keys = np.empty((n_tables, n), np.uint64)

    def work(start: int, stop: int) -> None:
        progress(0.6 * start / n, f"{start:,} of {n:,} items hashed")
        keys[:, start:stop] = family.keys(V[start:stop]).T

    map_blocks(work, n, ROW_BLOCK)
    return HashTables(n, family, bucket(keys, span(progress, 0.6, 1.0)))


def bucket(keys: Keys, progress: Progress) -> Buckets:
    """Put the items of equal key together, for keys (T, n) of every table."""
    T, n = keys.shape
    members = np.empty((T, n), np.int32)

    def work(t: int, _: int) -> tuple[Keys, Ids]:
        progress(t / T, f"table {t + 1} of {T}")
        members[t] = np.argsort(keys[t], kind="stable")
        ordered = keys[t, members[t]]
        firsts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        return ordered[firsts], firsts + t * n

    parts = map_blocks(work, T, 1)
    tables = np.cumsum([0, *(len(distinct) for distinct, _ in parts)])
    starts = np.concatenate([*(firsts for _, firsts in parts), [T * n]])
    heavy = np.flatnonzero(np.diff(starts) * HEAVY >= n)
    bitsets = np.zeros((len(heavy), -(-n // WORD)), np.uint64)
    _set_bits(heavy, starts, members.ravel(), bitsets)
    progress(1.0, "built")
    distinct = np.concatenate([distinct for distinct, _ in parts])
    return Buckets(tables, distinct, starts, members.ravel(), heavy, bitsets)


def draw_directions(rng: np.random.Generator, n_tables: int, p: int, dim: int) -> Matrix:
    """(T, p, dim) float32 from N(0, 1). More tables or a larger p leave the first as they were."""
    draws = [
        stream(rng, "directions", t).standard_normal((p, dim)).astype(np.float32)
        for t in range(n_tables)
    ]
    return np.stack(draws)


def float32_slack(V: Matrix) -> Floats:
    """(rows,) s with |float32 product - a.v| <= s |a| for rows v of V and any a.

    Higham, Accuracy and Stability of Numerical Algorithms, section 3.1; nothing may underflow.
    """
    return 1.01 * (V.shape[1] + 2) * FLOAT32_ROUNDING * row_norms(V)


@njit(cache=True, nogil=True)
def _set_bits(heavy: Ids, starts: Ids, members: Ranks, bitsets: Keys) -> None:
    for h in range(len(heavy)):
        for s in range(starts[heavy[h]], starts[heavy[h] + 1]):
            bitsets[h, members[s] >> 6] |= np.uint64(1) << np.uint64(members[s] & 63)
