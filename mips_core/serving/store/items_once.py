"""The items of a stored index, in memory once however it is asked."""

from typing import Any, overload

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.serving.fast_search import Retriever
from mips_core.serving.fast_search.lists import ListRetriever

_HELD = "_held items"


class ItemsOnce:
    """A field of a dataclass: items (n, d) float32, or None where they are not known.

    They lie there as they were given, until `laid_out` leaves them to a retriever that keeps the
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


def knows_items(stored: Any) -> bool:
    """Whether `stored` holds items, in whatever order."""
    return vars(stored)[_HELD] is not None


def laid_out(stored: Any, retriever: Retriever) -> Retriever:
    """`retriever`, which holds the items of `stored` from now on where it has its own copy."""
    if isinstance(retriever, ListRetriever):
        vars(stored)[_HELD] = retriever
    return retriever


def _in_order(retriever: ListRetriever) -> Matrix:
    items = np.empty_like(retriever.packed.rows)
    items[retriever.packed.items] = retriever.packed.rows
    return items
