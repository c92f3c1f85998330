"""An index that was built, with all it takes to ask it again; its items are in memory once."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.text import MADE_BY, counted
from mips_core.data.classifier import layer_queries
from mips_core.data.dataset import Conversion, Dataset, Metric, fingerprint_of
from mips_core.data.metrics import EXTRA, AsTheyAre, EuclideanLift, shown
from mips_core.methods.indexes import Index, Searcher
from mips_core.methods.search import check_effort
from mips_core.serving.fast_search import Retriever, retriever_of
from mips_core.serving.fast_search.retriever import ListRetriever

_HELD = "_held items"
SUFFIX = ".mips"


class ItemsOnce:
    """A field of a dataclass: items (n, d) float32, or None where they are not known.

    They lie there as they were given, until they are left to a retriever that keeps the
    rows of a list side by side: then whoever reads the field gets them put back in order, a copy.
    """

    @overload
    def __get__(self, stored: None, owner: type) -> "ItemsOnce": ...
    @overload
    def __get__(self, stored: object, owner: type) -> Matrix | None: ...
    def __get__(self, stored: object | None, owner: type) -> "ItemsOnce | Matrix | None":
        if stored is None:
            return self
        held = vars(stored)[_HELD]
        return _in_order(held) if isinstance(held, ListRetriever) else held

    def __set__(self, stored: object, items: "Matrix | ItemsOnce | None") -> None:
        vars(stored)[_HELD] = None if isinstance(items, ItemsOnce) else items


def _in_order(retriever: ListRetriever) -> Matrix:
    items = np.empty_like(retriever.packed.rows)
    items[retriever.packed.items] = retriever.packed.rows
    return items


@dataclass(frozen=True, eq=False)
class StoredIndex:
    """An index of n items of d dimensions, the structure it built, and the items if they are known.

    `items` (n, d') float32 are those that are searched: `conversion` made them of the n items
    (n, d) where the metric is not the inner product, and makes such queries. `fingerprint` is
    theirs. `effort`: the operating point that was chosen, if one was. `logits`: items are rows
    [w, b] of a softmax layer. `made_by`: the program that built it, and its version.
    """

    index: Index
    seed: int
    structure: Any
    name: str
    metric: Metric
    conversion: Conversion
    n: int
    d: int
    fingerprint: str
    items: ItemsOnce = field(default=ItemsOnce(), repr=False)
    labels: Sequence[str] | None = field(default=None, repr=False)
    effort: int | None = None
    logits: bool = False
    simulated: bool = False
    made_by: str = MADE_BY

    @cached_property
    def searcher(self) -> Searcher:
        """How the structure is asked."""
        return self.index.searcher(self.structure)

    @cached_property
    def retriever(self) -> Retriever:
        """Searcher and items, laid out to answer quickly. Raises DataError without items.

        Where it lays rows out list by list, the items are kept so alone, not in a second copy.
        """
        items = self.items_or("Give the items it was built on, to score candidates.")
        retriever = retriever_of(self.searcher, items)
        if isinstance(retriever, ListRetriever):
            vars(self)[_HELD] = retriever
        return retriever

    def search(self, Q: ArrayLike, K: int, effort: int | None = None) -> tuple[Ids, Floats]:
        """ids (m, K) int64, best first, and float64 scores (m, K) of the items for Q (m, d).

        Scores are inner products, cosines, Euclidean distances or logits, as the metric is; a
        softmax layer takes hidden states (m, d - 1) too. A query with fewer than K candidates ends
        in id -1 and a score that is infinitely bad. `effort` defaults to the operating point that
        was chosen. Raises ParamError where there is none, and for an effort or K out of range;
        DataError for queries that are no finite numbers or of other dimensions, and where the
        items are not known.
        """
        queries = self.converted(Q)
        ids, scores = self.retriever.search(queries, K, self.effort_for(effort))
        return ids, shown(self, queries, scores)

    def converted(self, Q: ArrayLike) -> Matrix:
        """The queries (m, d') that are asked in place of Q (m, d). Raises DataError as `search`."""
        queries = as_matrix(Q, "Q")
        if self.logits and queries.shape[1] == self.d - 1:
            queries = layer_queries(queries)
        if queries.shape[1] != self.d:
            raise DataError(
                f"The queries have {counted(queries.shape[1], 'dimension', 'dimensions')}, the "
                f"items {self.d:,}.",
                "Both must come from the same model.",
            )
        return self.conversion.queries(queries)

    @property
    def has_items(self) -> bool:
        """Whether the items are known; asking for them may copy them."""
        return vars(self)[_HELD] is not None

    def items_or(self, remedy: str) -> Matrix:
        """The items (n, d) as searched. Raises DataError, with this remedy, where it has none."""
        items = self.items
        if items is None:
            raise DataError(f"The index of {self.name} was saved without its items.", remedy)
        return items

    def with_items(self, items: ArrayLike) -> "StoredIndex":
        """The same with the items (n, d) it was built on; (n, d') are taken as they are.

        Raises DataError for others.
        """
        X = as_matrix(items, "items")
        if X.shape == (self.n, self.d) and fingerprint_of(X) != self.fingerprint:
            X = self.conversion.items(X)
        if fingerprint_of(X) != self.fingerprint:
            raise DataError(
                f"The index was built on other data: {self.name}, {self._size(self.n, self.d)}; "
                f"these are {self._size(*np.shape(items))}.",
                "Give the items it was built on.",
            )
        return replace(self, items=X)

    def _size(self, n: int, d: int) -> str:
        return f"{counted(n, 'item', 'items')} of {counted(d, 'dimension', 'dimensions')}"

    def effort_for(self, effort: int | None) -> int:
        """`effort`, or the one that was chosen, or the only one there is. Raises ParamError."""
        efforts = self.searcher.efforts()
        effort = self.effort if effort is None else effort
        if effort is None and len(efforts) == 1:
            return efforts[0]
        if effort is None:
            raise ParamError(
                "No effort was chosen for this index.",
                f"Give one: {efforts[0]} to {counted(efforts[-1], *self.index.effort_nouns)}.",
            )
        check_effort(self.searcher, effort)
        return int(effort)


def stored_index(
    dataset: Dataset,
    index: Index,
    seed: int,
    structure: Any,
    effort: int | None = None,
    *,
    with_items: bool = True,
) -> StoredIndex:
    """What `index` built of the items of `dataset` with `seed`, as it is saved.

    `dataset` is the one that is searched. Without items the file is smaller, and they must be given
    to whoever loads it. Raises ParamError for an effort that is not offered, DataError where the
    structure is of other items.
    """
    dataset = dataset.float32()
    stored = StoredIndex(
        index=index,
        seed=seed,
        structure=structure,
        name=dataset.name,
        metric=dataset.metric,
        conversion=_conversion_of(dataset),
        n=dataset.n,
        d=dataset.d - EXTRA * (dataset.metric == "euclidean"),
        fingerprint=dataset.fingerprint,
        items=dataset.items if with_items else None,
        labels=dataset.labels,
        effort=effort,
        logits=dataset.logits,
        simulated=dataset.simulated,
    )
    if stored.searcher.n != dataset.n:
        raise DataError(
            f"The structure holds {counted(stored.searcher.n, 'item', 'items')}, {dataset.name} "
            f"{dataset.n:,}.",
            "Build the index on these items.",
        )
    if effort is not None:
        check_effort(stored.searcher, effort)
    return stored


def _conversion_of(dataset: Dataset) -> Conversion:
    if dataset.conversion is not None:
        return dataset.conversion
    if dataset.metric != "inner product":
        raise ParamError(
            f"{dataset.name} does not say how its vectors were converted.",
            "Convert a data set with searched_by.",
        )
    return AsTheyAre()


def held_data(stored: StoredIndex) -> tuple[Dataset, Metric]:
    """A data set without queries, and the metric by which it has the very items of `stored`.

    Of a Euclidean index the vectors come back as they were: x - c is exact, and so is adding c. Of
    one by cosine the lengths are gone: its unit vectors rank by inner product as by cosine. Raises
    DataError where the index holds no items.
    """
    items = stored.items_or("Open the data it was built on, then the index.")
    metric = stored.metric
    if isinstance(stored.conversion, EuclideanLift):
        items = np.ascontiguousarray(items[:, :-EXTRA] + stored.conversion.centre)
    source = Dataset(
        items=items,
        labels=stored.labels,
        name=stored.name,
        simulated=stored.simulated,
        logits=stored.logits,
    )
    return source, "inner product" if metric == "cosine" else metric
