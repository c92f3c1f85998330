"""What an index may offer besides: to run in other libraries, and to keep up with changing items.

A lift pads queries with zeros (`reductions`), so that of a centroid the first entries alone count.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.progress import Progress
from mips_core.base.text import counted

NEW = -1  # in place of an earlier row


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


@dataclass(frozen=True, slots=True, eq=False)
class Updated:
    """A structure that was kept fresh, and what that took.

    structure: as the index builds it. spent {part: inner products}; placed: items that moved or
    are new; longer: those of them longer than the scale was made for, of which the longest is
    `excess` times as long as that allows, 1 where none is.
    """

    structure: Any
    spent: Mapping[str, int]
    placed: int
    longer: int = 0
    excess: float = 1.0

    @property
    def inner_products(self) -> int:
        """All that was spent."""
        return sum(self.spent.values())

    @property
    def due(self) -> str:
        """What is to know of vectors longer than any was; "" where none is."""
        return due_in_words(self.longer, self.excess)


def due_in_words(longer: int, excess: float) -> str:
    """What `longer` vectors, up to `excess` times too long, ask for; "" where there is none."""
    if not longer:
        return ""
    items = counted(longer, "vector is", "vectors are")
    return (
        f"{items} longer than any was when the index was built, up to {excess:.3g} times: placed "
        "as if just as long, until a refresh or a rebuild scales all rows anew."
    )


@runtime_checkable
class Updatable(Protocol):
    """An index that can place new and changed items into what it built."""

    def update(self, structure: Any, X: Matrix, before: Ids, placed: Mask) -> Updated:
        """`structure` for the items X (n', d), while what it learned stays as it is.

        before (n',): the earlier row of each item, NEW for none; placed (n',): which of them moved
        or are new, and need a place.
        """

    def refresh(self, structure: Any, X: Matrix, rounds: int, progress: Progress) -> Updated:
        """`structure`, as `update` left it for the items X (n, d), after more learning."""
