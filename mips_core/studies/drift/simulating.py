"""Changes to try on a set of items: rows that move by noise, or rows held out and added.

Noise is simulated, on the vectors as they were read: row x becomes x + σ ε with ε from N(0, I) and
σ a multiple of the root mean square of the entries. One order of rows and one draw of ε serve every
share and size, so that they differ by nothing else: who changes at 5% changes at 10% too. Rows held
out are real: nobody who built the index saw them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import final

import numpy as np

from mips_core.base.arrays import Ids, as_matrix
from mips_core.base.errors import DataError
from mips_core.base.seeds import rng_for, row_hashes
from mips_core.data.dataset import Conversion, Dataset
from mips_core.data.metrics import conversion
from mips_core.data.queries import rms
from mips_core.studies.drift.change import Change, Changed, change_of, with_items


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
    kept = Change(dataset.n, rows, np.zeros(len(rows), np.bool_))
    return with_items(dataset, dataset.items[rows], kept)


def _order(seed: int, n: int) -> Ids:
    """(n,) rows in the order in which they change."""
    return np.argsort(row_hashes(rng_for(seed, "drift rows"), n))
