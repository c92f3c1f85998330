"""The one thing readers produce and everything else consumes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal, Protocol

import numpy as np

from mips_core.base.arrays import Ids, Matrix, as_matrix, as_vectors
from mips_core.base.errors import DataError

Metric = Literal["inner product", "cosine", "euclidean"]
HASHED_ROWS = 8192  # at once: of float16 a float32 copy is made


class Conversion(Protocol):
    """A metric fitted to the items that are searched."""

    def items(self, X: Matrix) -> Matrix:
        """The rows to search in place of X (n, d)."""

    def queries(self, Q: Matrix) -> Matrix:
        """The rows to ask in place of Q (m, d)."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Items (n, d) to search and queries (m, d) to search with; float32, C order, finite.

    Their inner products rank the items. Where people asked for another metric, items and queries
    are those that `metrics.searched_by` made. Raises DataError where the arrays do not fit
    together, for no items, and where every item is zero.
    """

    items: Matrix
    queries: Matrix = field(default_factory=lambda: np.empty((0, 0), np.float32))  # or (0, d)
    labels: Sequence[str] | None = None  # one per item
    name: str = "unnamed"
    notes: Sequence[str] = ()  # what was left out, repaired or supposed, in sentences
    query_rows: Ids | None = None  # (m,) the item a query must not get as an answer; -1: none
    simulated: bool = False
    metric: Metric = "inner product"  # whose ranking the inner products give
    logits: bool = False  # items are rows [w, b] of a softmax layer, queries [h, 1]
    query_labels: Sequence[str] | None = None  # one per query
    keep_dtype: bool = False  # items and queries stay in the dtype they were given in
    conversion: Conversion | None = None  # how vectors became these; None: they are as they were
    rows: Ids | None = None  # (n,) places of the items in their file; None: it has no others
    private: str = ""  # keeps what is computed apart from that of equal items of somebody else

    def __post_init__(self) -> None:
        as_numbers = as_vectors if self.keep_dtype else as_matrix
        items = as_numbers(self.items, self.name)
        n, d = items.shape
        queries = np.empty((0, d), np.float32) if np.size(self.queries) == 0 else self.queries
        object.__setattr__(self, "items", items)
        object.__setattr__(self, "queries", as_numbers(queries, f"{self.name} (queries)"))
        self._check_shapes(n, d)

    def _check_shapes(self, n: int, d: int) -> None:
        if n < 1:
            raise DataError(f"{self.name} holds no vectors.", "A search needs one or more.")
        if d < 1:
            raise DataError(f"{self.name} has rows without numbers.", "Give one column or more.")
        if not self.items.any():
            raise DataError(f"{self.name}: all rows are zero.", "There is nothing to rank.")
        if self.queries.shape[1] != d:
            raise DataError(
                f"The queries have {self.queries.shape[1]} dimensions, the items {d}.",
                "Both must come from the same model.",
            )
        if self.labels is not None and len(self.labels) != n:
            raise DataError(
                f"{self.name} has {len(self.labels):,} labels for {n:,} rows.",
                "Give one label a row, or none.",
            )
        if self.query_rows is not None and len(self.query_rows) != self.m:
            raise DataError("query_rows must have one entry per query.")
        if self.query_labels is not None and len(self.query_labels) != self.m:
            raise DataError("query_labels must have one entry per query.")

    def float32(self) -> "Dataset":
        """The same in float32, which every index and measurement takes; itself where it is so."""
        return replace(self, keep_dtype=False) if self.keep_dtype else self

    def float32_or_16(self) -> "Dataset":
        """The same in float32 but for items of float16, which every build takes as they are."""
        if self.items.dtype != np.float16:
            return self.float32()
        return replace(self, queries=self.queries.astype(np.float32, copy=False))

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.items)

    @property
    def available(self) -> int:
        """Items that may be answers of a query: all, or all but its own row."""
        return self.n - (self.query_rows is not None)

    @property
    def m(self) -> int:
        """Number of queries."""
        return len(self.queries)

    @property
    def d(self) -> int:
        """Dimensions of a vector."""
        return self.items.shape[1]

    @property
    def is_mapped(self) -> bool:
        """Whether the items are read where their file lies, and take no memory of their own."""
        array: Any = self.items
        while array is not None and not isinstance(array, np.memmap):
            array = getattr(array, "base", None)
        return array is not None

    def as_dict(self) -> dict[str, Any]:
        """What names it in a report, as plain values for JSON."""
        named = ("name", "n", "d", "fingerprint", "query_fingerprint", "simulated", "metric")
        return {name: getattr(self, name) for name in named}

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the items' content: the name under which builds are remembered."""
        return fingerprint_of(self.items)

    @cached_property
    def query_fingerprint(self) -> str:
        """Hash of the queries and of the rows they must not get: names what is evaluated."""
        rows = np.empty(0, np.int64) if self.query_rows is None else self.query_rows
        return fingerprint_of(self.queries, rows)


def fingerprint_of(*arrays: np.ndarray) -> str:
    """32 hex digits naming the shapes, dtypes and every byte of the arrays.

    float16 counts as the float32 that each such number is: the same vectors have one name.
    """
    digest = blake2b(digest_size=16)
    for array in arrays:
        dtype = np.dtype(np.float32) if array.dtype == np.float16 else array.dtype
        digest.update(f"{array.shape}{dtype.str}".encode())
        for start in range(0, len(array) if array.size else 0, HASHED_ROWS):
            part = np.ascontiguousarray(array[start : start + HASHED_ROWS], dtype)
            digest.update(part.view(np.uint8).data)
    return digest.hexdigest()
