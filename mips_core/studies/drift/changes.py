"""What became of the rows of a set of items: as it was, or as it is tried.

Changes to try are rows that move by noise, or rows held out and added. Noise is simulated, on the
vectors as they were read: row x becomes x + σ ε with ε from N(0, I) and σ a multiple of the root
mean square of the entries. One order of rows and one draw of ε serve every share and size, so that
they differ by nothing else: who changes at 5% changes at 10% too. Rows held out are real: nobody
who built the index saw them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import final

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix, as_matrix
from mips_core.base.errors import DataError
from mips_core.base.seeds import rng_for, row_hashes
from mips_core.data.dataset import Conversion, Dataset
from mips_core.data.metrics import conversion
from mips_core.data.queries import rms
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
        earlier = self.before[self.before != NEW]
        if len(self.moved) != len(self.before) or len(np.unique(earlier)) != len(earlier):
            raise DataError("An earlier row stands for two items.", "Give each row once.")
        if len(earlier) and not 0 <= earlier.min() <= earlier.max() < self.n:
            raise DataError(
                f"Row {earlier.max() if earlier.max() >= self.n else earlier.min()} was not there.",
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
        here = np.flatnonzero(self.before != NEW)
        now[self.before[here]] = here
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


class Scenario(ABC):
    """Changes of one set of items, of growing shares."""

    before: Dataset  # as it is searched
    sizes: tuple[float | None, ...]

    @abstractmethod
    def count(self, share: float) -> int:
        """Rows that change at `share`: one or more, unless it is 0."""

    @abstractmethod
    def at(self, share: float, size: float | None) -> Changed:
        """The items after a share of them changed."""


@final
class Moving(Scenario):
    """Rows move by noise; those of `raw`, as it was read, while `searched` is asked.

    The entry that holds the bias of a softmax layer does not move. Raises DataError where all
    entries are zero, so that noise has no measure.
    """

    def __init__(self, raw: Dataset, searched: Dataset, sizes: Sequence[float], seed: int) -> None:
        self.before, self.sizes = searched.float32(), tuple(sizes)
        self.raw = raw.float32()
        self.free = self.raw.d - self.raw.logits  # entries that move
        self.rms = rms(self.raw.items[:, : self.free])
        if self.rms == 0:
            raise DataError(f"All weights of {raw.name} are zero.", "Noise on them has no measure.")
        self.order = _order(seed, self.raw.n)
        self.seed = seed
        self.converted: Conversion = conversion(self.raw.items, searched.metric)

    def count(self, share: float) -> int:
        return min(ceil(share * self.raw.n), self.raw.n)

    def at(self, share: float, size: float | None) -> Changed:
        assert size is not None
        rows = self.order[: self.count(share)]
        noise = rng_for(self.seed, "drift noise").standard_normal(
            (len(rows), self.free), dtype=np.float32
        )  # of a larger share, these are the first
        vectors = self.raw.items[rows].astype(np.float64)
        vectors[:, : self.free] += size * self.rms * noise
        items = self.before.items.copy()
        if len(rows):
            name = f"{self.raw.name} (with noise)"
            items[rows] = self.converted.items(as_matrix(vectors, name))
        changed = replace(self.before, items=items, labels=None)
        return Changed(changed, change_of(self.raw.n, moved=rows))


@final
class Coming(Scenario):
    """Rows that were held out of the build come: at most `most` times as many as were built on.

    Raises DataError where too few rows are there to hold any out.
    """

    sizes: tuple[float | None, ...] = (None,)

    def __init__(self, searched: Dataset, most: float, seed: int) -> None:
        self.all = searched.float32()
        n = self.all.n
        size = max(int(n / (1 + most)), 1)
        if size == n and most > 0:
            items = "one item" if n == 1 else f"{n:,} items"
            raise DataError(
                f"{searched.name} holds {items}: none can be held out and added.",
                "Give more items, or let vectors move.",
            )
        order = _order(seed, n)
        self.rows = np.concatenate([np.sort(order[:size]), order[size:]])
        self.size = size
        self.before = _only(self.all, self.rows[:size])

    def count(self, share: float) -> int:
        return min(ceil(share * self.size), len(self.rows) - self.size)

    def at(self, share: float, size: float | None) -> Changed:
        added = self.count(share)
        dataset = _only(self.all, self.rows[: self.size + added])
        return Changed(dataset, change_of(self.size, added=added))


def _only(dataset: Dataset, rows: Ids) -> Dataset:
    """The items `rows`, each once, in this order, with the same queries."""
    change = Change(dataset.n, rows, np.zeros(len(rows), np.bool_))
    return with_items(dataset, dataset.items[rows], change)


def _order(seed: int, n: int) -> Ids:
    """(n,) rows in the order in which they change."""
    return np.argsort(row_hashes(rng_for(seed, "drift rows"), n))
