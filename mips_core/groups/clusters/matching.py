"""Which items are in another group, when two indexes over the same items are compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from mips_core.base.arrays import Ids, Mask, Ranks
from mips_core.base.errors import DataError
from mips_core.base.text import percent


@dataclass(frozen=True, slots=True)
class MovedGroup:
    """What became of one group of the first index; groups by number, -1 for none."""

    group: int
    size: int
    match: int  # group of the second index
    kept: int  # items in both
    left: int  # items that are not in the match
    left_for: int  # group of the second index where most of those that left are
    together: int  # how many of them are there


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """The groups of two indexes, matched one to one such that most items stay.

    items (n,): True for an item that is not in the match of its group. matches (k1,) int32: the
    group of the second that each group of the first became, -1 for none. adjusted_rand: 1 for the
    same groups, about 0 for unrelated ones. rows: the groups of the first that hold items, those
    that lost most first.
    """

    items: Mask
    matches: Ranks
    adjusted_rand: float
    rows: Sequence[MovedGroup]

    @property
    def share(self) -> float:
        """Share of the items that moved."""
        return float(self.items.mean())

    def sentence(self, noun: str = "cluster") -> str:
        """How much moved, in words."""
        count = int(self.items.sum())
        if count == 0:
            return f"No item changed {noun}."
        return f"{percent(self.share)} of the items changed {noun}."


def moved(first: Ids | Ranks, second: Ids | Ranks) -> Moved:
    """Match the groups that `first` and `second` (n,) put the same n items into.

    The matching shares as many items as any (Kuhn's assignment problem, solved sparsely); groups
    that share none are never matched. Raises DataError where the two are not over the same items.
    """
    if len(first) != len(second) or len(first) == 0:
        raise DataError(
            f"One index holds {len(first):,} items, the other {len(second):,}.",
            "Both must be built on the same data, of one item or more.",
        )
    shared = _shared(first, second)
    matches = _matched(shared)
    items = matches[first] != second
    return Moved(items, matches, _adjusted_rand(shared), _rows(shared, matches))


def _shared(first: Ids | Ranks, second: Ids | Ranks) -> sparse.csr_array:
    """(k1, k2) int64: items in group i of the first and j of the second."""
    ones = np.ones(len(first), np.int64)
    table = sparse.coo_array((ones, (first, second))).tocsr()
    table.sum_duplicates()
    return table


def _matched(shared: sparse.csr_array) -> Ranks:
    """(k1,) the group of the second matched with each of the first, -1 for none.

    A full matching must exist: each group gets a column of its own that is worth less than any
    shared item, all of them together too.
    """
    k1, k2 = shared.shape
    alone = sparse.eye_array(k1, dtype=np.float64, format="csr")
    worth = sparse.hstack([shared.astype(np.float64) * (k1 + 1), alone], format="csr")
    groups, partners = min_weight_full_bipartite_matching(worth, maximize=True)
    matches = np.full(k1, -1, np.int32)
    matches[groups] = np.where(partners < k2, partners, -1)
    return matches


def _adjusted_rand(shared: sparse.csr_array) -> float:
    """The Rand index, corrected for chance (Hubert and Arabie, "Comparing partitions", 1985)."""
    together, one, other, pairs = (
        float((counts * (counts - 1) // 2).sum())
        for counts in (
            shared.data,
            np.asarray(shared.sum(axis=1)),
            np.asarray(shared.sum(axis=0)),
            np.array([shared.data.sum()]),
        )
    )
    expected = one * other / pairs if pairs else 0.0
    most = (one + other) / 2
    return 1.0 if most == expected else (together - expected) / (most - expected)


def _rows(shared: sparse.csr_array, matches: Ranks) -> tuple[MovedGroup, ...]:
    rows = []
    for group, match in enumerate(matches.tolist()):
        part = slice(shared.indptr[group], shared.indptr[group + 1])
        partners, counts = shared.indices[part], shared.data[part]
        if len(counts) == 0:
            continue
        away = np.where(partners == match, 0, counts)
        most = int(np.lexsort((partners, -away))[0])
        size, kept = int(counts.sum()), int(counts[partners == match].sum())
        left_for = int(partners[most]) if away[most] else -1
        rows.append(MovedGroup(group, size, match, kept, size - kept, left_for, int(away[most])))
    return tuple(sorted(rows, key=lambda row: (-row.left, row.group)))
