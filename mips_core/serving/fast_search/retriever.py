"""Which retriever fits a searcher."""

from numpy.typing import ArrayLike

from mips_core.methods.exact import prepare
from mips_core.methods.indexes import ListSearcher, Searcher
from mips_core.methods.search import items_of
from mips_core.serving.fast_search.contract import CandidateRetriever, Retriever
from mips_core.serving.fast_search.exact import ExactRetriever
from mips_core.serving.fast_search.lists import ListRetriever
from mips_core.serving.fast_search.packed import pack


def retriever_of(searcher: Searcher, X: ArrayLike, *, codes: bool = False) -> Retriever:
    """The quickest retriever for `searcher` on the items X (n, d) it was built on.

    Where lists are opened it keeps their rows, and needs X no more. codes: it keeps them as int8
    too, a byte an entry and up to 31 more an item: single queries take less time. Answers are the
    same. Raises DataError where X is not what was indexed.
    """
    X = items_of(searcher, X)
    if searcher.takes_all:
        return ExactRetriever(searcher, X, prepare(X))
    if isinstance(searcher, ListSearcher):
        return ListRetriever(searcher, pack(X, *searcher.lists(), codes=codes))
    return CandidateRetriever(searcher, X)
