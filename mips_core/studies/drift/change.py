"""What became of the rows of a set of items: which moved, which left, which are new."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.errors import DataError
from mips_core.data.dataset import Dataset
from mips_core.methods.capabilities import NEW


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """n items became n' items.

    before (n',): the earlier row of each item, each once, NEW for one that was not there; moved
    (n',): whether the vector of an item that was there is another now. Raises DataError where that
    cannot be, and where no item is left.
    """

    n: int
    before: Ids
    moved: Mask

    def __post_init__(self) -> None:
        if len(self.before) == 0:
            raise DataError("All items were removed.", "An index holds one or more.")
        known = self.before[self.before != NEW]
        if len(self.moved) != len(self.before) or len(np.unique(known)) != len(known):
            raise DataError("An earlier row stands for two items.", "Give each row once.")
        if len(known) and not 0 <= known.min() <= known.max() < self.n:
            raise DataError(
                f"Row {known.max() if known.max() >= self.n else known.min()} was not there.",
                f"There were {self.n:,} items, counted from 0.",
            )

    @property
    def placed(self) -> Mask:
        """(n',) the items that need a place: moved or new."""
        return self.moved | (self.before == NEW)

    @property
    def n_moved(self) -> int:
        """Items whose vector is another now."""
        return int((self.moved & (self.before != NEW)).sum())

    @property
    def n_added(self) -> int:
        """Items that were not there."""
        return int((self.before == NEW).sum())

    @property
    def n_removed(self) -> int:
        """Items that are there no longer."""
        return self.n - (len(self.before) - self.n_added)

    def rows_now(self, rows: Ids) -> Ids:
        """Where earlier `rows` (m,) stand now; NEW for those that left and for NEW itself."""
        now = np.full(self.n + 1, NEW, np.int64)  # the last stands for NEW
        known = np.flatnonzero(self.before != NEW)
        now[self.before[known]] = known
        return now[rows]


def change_of(
    n: int, moved: Sequence[int] | Ids = (), removed: Sequence[int] | Ids = (), added: int = 0
) -> Change:
    """The change of n items in which rows `moved` and `removed`, and `added` ones came at the end.

    Those that stay keep their order; a row both moved and removed is removed. Raises DataError as
    `Change`, and for a row that is not there.
    """
    gone, other = np.zeros((2, n), np.bool_)
    for rows, mask in ((removed, gone), (moved, other)):
        at = np.asarray(rows, np.int64)
        if len(at) and not 0 <= at.min() <= at.max() < n:
            wrong = int(at.max() if at.max() >= n else at.min())
            raise DataError(f"Row {wrong} is not there.", f"Rows go from 0 to {n - 1:,}.")
        mask[at] = True
    stay = np.flatnonzero(~gone)
    before = np.concatenate([stay, np.full(added, NEW)])
    return Change(n, before, np.concatenate([other[stay], np.zeros(added, np.bool_)]))


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """What a set of items became: `dataset` as it is searched, with the same queries."""

    dataset: Dataset
    change: Change


def with_items(dataset: Dataset, items: Matrix, change: Change) -> Dataset:
    """`dataset` with other items: who must not find its own row does not find it where it is."""
    rows = dataset.query_rows
    return replace(
        dataset,
        items=items,
        labels=None,
        query_rows=None if rows is None else change.rows_now(rows),
    )
