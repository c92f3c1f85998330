"""Searchers that other libraries can run too: lists of lists, chosen by inner products.

A lift pads queries with zeros (`reductions`), so that of a centroid the first entries alone count.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mips_core.base.arrays import Ids, Matrix


@dataclass(frozen=True, slots=True, eq=False)
class InvertedLists:
    """What is in the lists of one level: rows (r, w), list i those of members[starts[i]:...]."""

    rows: Matrix
    starts: Ids
    members: Ids


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """How a search runs: centroids (k, w) of the coarsest level, then lists of lists.

    Each of `lists` is chosen by the level before it, `probes[i]` of its lists are opened; the last
    holds the items. `width`: entries of a query, one more than of an item where `asks_norm`, which
    is |q|.
    """

    centroids: Matrix
    lists: tuple[InvertedLists, ...]
    probes: tuple[int, ...]
    width: int
    asks_norm: bool = False


@runtime_checkable
class Descending(Protocol):
    """A searcher that opens lists which centroids choose, each item in one."""

    def descent(self, X: Matrix, effort: int) -> Descent:
        """How it finds its candidates among the items X (n, d) at an effort."""
