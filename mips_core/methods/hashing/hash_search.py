"""How hash tables are asked: the union of the buckets that hold exactly the query's keys.

Tables are independent, so looking into more of them only adds candidates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.params import param
from mips_core.methods.bits import ONE, WORD, count_bits, lowest_bit
from mips_core.methods.contract import Index
from mips_core.methods.hashing.hash_tables import Buckets, HashTables, Keys
from mips_core.methods.searcher import Candidates, Ledger, NestedSearcher, Searcher, Step

MAX_TABLES = 64


@dataclass(frozen=True)
class HashIndex(Index):
    """What every index over hash tables shares: their number, and how they are asked."""

    effort_name: ClassVar[str] = "Tables"
    effort_nouns: ClassVar[tuple[str, str]] = ("table", "tables")
    effort_help: ClassVar[str] = (
        "Tables looked into for each query. More find more and cost more. 1 to the tables built."
    )
    group_nouns: ClassVar[tuple[str, str]] = ("bucket", "buckets of one table")
    asking: ClassVar[str] = "Looking into **{effort} of {live} tables**"

    n_tables: int = param(
        64,
        "Tables",
        "Tables built, 1 to 64, each with hash functions of its own. A query may use fewer. More "
        "find more, and each takes memory.",
        within=(1, MAX_TABLES),
    )

    def searcher(self, structure: HashTables[Any]) -> Searcher:
        return TableSearcher(structure)


@final
@dataclass(frozen=True, eq=False)
class TableSearcher(NestedSearcher):
    """Look into the first t tables; cost = t times the hashing of a table + the distinct items."""

    tables: HashTables[Any]

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return self.tables.n

    def efforts(self) -> Sequence[int]:
        return range(1, len(self.tables.buckets.tables))

    def opened(self, Q: Matrix) -> Ids:
        """(m, T) the bucket of each query in every table, -1 where no item has its key."""
        return _buckets_of(self.tables.family.query_keys(Q), self.tables.buckets)

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        family = self.tables.family
        starts, ids = _list_union(self.opened(Q)[:, :effort], self.tables.buckets, self.n)
        return Candidates(starts, ids, {family.part: np.full(len(Q), effort * family.per_table)})

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        family = self.tables.family
        found, sizes = _sweep(self.opened(Q), wanted, self.tables.buckets, self.n)
        hashing = np.asarray(self.efforts()) * family.per_table
        return found, {family.part: np.broadcast_to(hashing, sizes.shape), "candidates": sizes}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        family = self.tables.family
        hit = np.flatnonzero(self.opened(q[None])[0, :effort] >= 0)
        step = Step(family.part, np.arange(effort), hit, float(effort * family.per_table))
        return [step, *super().trace(q, effort, K)]

    def groups(self) -> list[Ids]:
        """Item -> bucket (n,), one array per table: none is coarser than another."""
        tables, _, starts, members, *_ = self.tables.buckets
        groups = []
        for t, (first, last) in enumerate(pairwise(tables)):
            labels = np.empty(self.n, np.int64)
            sizes = np.diff(starts[first : last + 1])
            own = members[t * self.n : (t + 1) * self.n]
            labels[own] = np.repeat(np.arange(last - first), sizes)
            groups.append(labels)
        return groups


@njit(cache=True, nogil=True)
def _buckets_of(query_keys: Keys, buckets: Buckets) -> Ids:
    """(m, T) the bucket of each key (m, T) in its table; -1 for none."""
    m, T = query_keys.shape
    found = np.full((m, T), -1, np.int64)
    for t in range(T):
        keys = buckets.keys[buckets.tables[t] : buckets.tables[t + 1]]
        for i in range(m):
            at = np.searchsorted(keys, query_keys[i, t])
            if at < len(keys) and keys[at] == query_keys[i, t]:
                found[i, t] = buckets.tables[t] + at
    return found


@njit(cache=True, nogil=True)
def _add(seen: Keys, opened: int, buckets: Buckets) -> np.int64:
    """Set the bits of a bucket's items in `seen` (n/64,); how many were new."""
    new = np.int64(0)
    at = np.searchsorted(buckets.heavy, opened)
    if at < len(buckets.heavy) and buckets.heavy[at] == opened:
        bits = buckets.bitsets[at]
        for w in range(len(seen)):
            new += count_bits(bits[w] & ~seen[w])
            seen[w] |= bits[w]
    else:
        for s in range(buckets.starts[opened], buckets.starts[opened + 1]):
            item = buckets.members[s]
            shift = np.uint64(item & 63)
            new += 1 - np.int64((seen[item >> 6] >> shift) & ONE)
            seen[item >> 6] |= ONE << shift
    return new


@njit(cache=True, nogil=True)
def _sweep(opened: Ids, wanted: Ids, buckets: Buckets, n: int) -> tuple[Ranks, Ids]:
    """The table (m, w) in which each wanted item first turns up, T for never; (m, T) items by t."""
    m, T = opened.shape
    found = np.full(wanted.shape, T, np.int32)
    sizes = np.empty((m, T), np.int64)
    seen = np.empty(buckets.bitsets.shape[1], np.uint64)
    for i in range(m):
        seen[:] = 0
        missing = np.flatnonzero(wanted[i] >= 0)
        size = np.int64(0)
        for t in range(T):
            new = np.int64(0)
            if opened[i, t] >= 0 and size < n:
                new = _add(seen, opened[i, t], buckets)
            size += new
            sizes[i, t] = size
            if new:
                left = 0
                for j in missing:
                    item = wanted[i, j]
                    if (seen[item >> 6] >> np.uint64(item & 63)) & ONE:
                        found[i, j] = t
                    else:
                        missing[left] = j
                        left += 1
                missing = missing[:left]
    return found, sizes


@njit(cache=True, nogil=True)
def _list_union(opened: Ids, buckets: Buckets, n: int) -> tuple[Ids, Ids]:
    """Distinct items of the opened buckets (m, t), -1 for none, row by row and ascending."""
    m, T = opened.shape
    row_starts = np.zeros(m + 1, np.int64)
    most = 0
    for i in range(m):
        total = 0
        for b in opened[i]:
            if b >= 0:
                total += buckets.starts[b + 1] - buckets.starts[b]
        most += min(total, n)
    ids = np.empty(most, np.int64)
    seen = np.empty(buckets.bitsets.shape[1], np.uint64)
    end = 0
    for i in range(m):
        seen[:] = 0
        for t in range(T):
            if opened[i, t] >= 0:
                _add(seen, opened[i, t], buckets)
        for w in range(len(seen)):
            word = seen[w]
            while word:
                lowest = lowest_bit(word)
                ids[end] = w * WORD + count_bits(lowest - ONE)
                end += 1
                word ^= lowest
        row_starts[i + 1] = end
    return row_starts, ids[:end].copy()
