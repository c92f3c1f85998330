"""Retrievers: a searcher and its items, laid out to answer quickly; and which fits a searcher."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import concat_lists
from mips_core.base.limits import BLOCK_BYTES
from mips_core.base.threads import map_blocks, n_threads
from mips_core.methods.cluster_order.order import unit_rows
from mips_core.methods.exact import PreparedItems, exact_top_k_scores, prepare
from mips_core.methods.indexes import ListSearcher, Searcher
from mips_core.methods.search import block_size, check_question, items_of, search_checked
from mips_core.serving.fast_search.addressed import Addressed
from mips_core.serving.fast_search.one_query import answer_opened, choice_of
from mips_core.serving.fast_search.packed import Codes, PackedLists, encode, pack
from mips_core.serving.fast_search.scanning import answer_block, answer_one
from mips_core.serving.fast_search.shortlist import decide, room_for

FEW = 16  # queries that are asked one by one
BLOCK = 4096  # queries answered together, most: the more, the less often a list is read
MOST_ANSWERS = 1024  # beyond, most candidates are answers, and a shortlist gains nothing


class Retriever(ABC):
    """A searcher and its items, laid out to answer quickly. Immutable: threads may share it."""

    searcher: Searcher

    @property
    @abstractmethod
    def d(self) -> int:
        """Dimensions of an item."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes it keeps besides the searcher, its copy of the items among them."""

    @final
    def search(self, Q: ArrayLike, K: int, effort: int) -> tuple[Ids, Floats]:
        """ids (m, K) int64 and float64 scores (m, K), best first, for Q (m, d).

        Equal scores go to the lower id; a query with fewer than K candidates ends in id -1, score
        -inf. `effort` is one of searcher.efforts(). Raises ParamError when K or the effort is out
        of range, DataError when the dimensions differ or Q holds what is no number.
        """
        return self.search_checked(check_question(self.searcher, self.d, Q, K, effort), K, effort)

    @abstractmethod
    def search_checked(self, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
        """As `search`, for a Q of a Dataset and an effort that is offered."""


@dataclass(frozen=True, eq=False)
class CandidateRetriever(Retriever):
    """Scores whatever a searcher proposes, row by row where it lies in X (n, d)."""

    searcher: Searcher
    X: Matrix

    @property
    def d(self) -> int:
        return self.X.shape[1]

    @property
    def nbytes(self) -> int:
        return self.X.nbytes

    def search_checked(self, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
        return search_checked(self.searcher, self.X, Q, K, effort)


@final
@dataclass(frozen=True, eq=False)
class ExactRetriever(CandidateRetriever):
    """Answers among all items X (n, d), `prepared` of them."""

    prepared: PreparedItems

    @property
    def nbytes(self) -> int:
        return self.X.nbytes + self.prepared.nbytes

    def search_checked(self, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
        ids, scores = exact_top_k_scores(self.X, Q, K, prepared=self.prepared)
        missing = ((0, 0), (0, K - ids.shape[1]))
        if ids.shape[1] < K:
            ids = np.pad(ids, missing, constant_values=-1)
            scores = np.pad(scores, missing, constant_values=-np.inf)
        return ids, scores


@final
@dataclass(frozen=True, eq=False)
class ListRetriever(Retriever):
    """Answers of a searcher that opens lists, from rows `packed` by these lists.

    codes: of the same rows, for single queries; addressed: where those tell which lists to open.
    """

    searcher: ListSearcher
    packed: PackedLists
    codes: Codes | None = None
    addressed: Addressed | None = None

    @property
    def d(self) -> int:
        return self.packed.rows.shape[1]

    @property
    def nbytes(self) -> int:
        chosen_by = self.addressed.nbytes if self.addressed else 0
        return self.packed.nbytes + sum(array.nbytes for array in self.codes or ()) + chosen_by

    def search_checked(self, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
        shape = len(Q), K
        if self.addressed and len(Q) <= FEW and K <= MOST_ANSWERS:
            ids, scores = np.empty(shape, np.int64), np.empty(shape)
            bits = self.addressed.answer(Q, effort, ids, scores)
            if bits:
                left = np.flatnonzero(bits >> np.arange(len(Q)) & 1)
                self._without_shortlist(left, Q, effort, ids, scores)
            return ids, scores
        ids, scores = np.full(shape, -1), np.full(shape, -np.inf)
        if K > MOST_ANSWERS:
            left = np.arange(len(Q))
        elif len(Q) <= FEW:
            left = self._one_by_one(Q, effort, ids, scores)
        else:
            left = self._together(Q, effort, ids, scores)
        if len(left):
            self._without_shortlist(left, Q, effort, ids, scores)
        return ids, scores

    def _one_by_one(self, Q: Matrix, effort: int, ids: Ids, scores: Floats) -> Ids:
        """Answer Q; which queries (u,) are left, as too much nearly ties to be shortlisted."""
        left = []
        for i in range(len(Q)):
            row = slice(i, i + 1)
            opened, _ = self.searcher.opened(Q[row], effort)
            answers = ids[row], scores[row]
            if self.codes is None:
                answered = answer_one(Q[row], opened, self.packed, *answers)
            else:
                answered = answer_opened(Q[row], opened, self.packed, self.codes, *answers)
            if not answered:
                left.append(i)
        return np.array(left, np.int64)

    def _together(self, Q: Matrix, effort: int, ids: Ids, scores: Floats) -> Ids:
        """Answer Q; which queries (u,) are left, as too much nearly ties to be shortlisted."""
        _hold_compiled_blas()

        def work(start: int, stop: int) -> Ids:
            block = slice(start, stop)
            opened, _ = self.searcher.opened(Q[block], effort)
            queries = (Q[block], unit_rows(Q[block]), opened)
            left = answer_block(*queries, self.packed, ids[block], scores[block])
            return start + np.flatnonzero(left)

        # A share for every thread: blocks may differ with threads, as answers do not with blocks.
        share = -(-len(Q) // n_threads())
        fitting = BLOCK_BYTES // (12 * len(self.packed.starts) + 8 * room_for(ids.shape[1]))
        return np.concatenate(map_blocks(work, len(Q), max(1, min(share, BLOCK, fitting))))

    def _without_shortlist(
        self, left: Ids, Q: Matrix, effort: int, ids: Ids, scores: Floats
    ) -> None:
        """Answer the queries Q[left] by scoring all that they open in float64."""
        p, every_row = self.packed, np.arange(self.searcher.n)

        def work(start: int, stop: int) -> None:
            block = left[start:stop]
            opened, _ = self.searcher.opened(Q[block], effort)
            starts, rows = concat_lists(opened, p.starts, every_row)
            for at, i in enumerate(block):
                near = rows[starts[at] : starts[at + 1]].astype(np.int32)
                decide(Q[i], p.rows, p.items, near, ids[i], scores[i])

        map_blocks(work, len(left), block_size(self.searcher.n))


@cache
def _hold_compiled_blas() -> Any:
    """Hold the BLAS that compiled kernels call, which is SciPy's, to one thread from now on."""
    import scipy.linalg.cython_blas  # noqa: F401  loads it, where it is not

    return threadpool_limits(1, user_api="blas")


def retriever_of(searcher: Searcher, X: ArrayLike, *, codes: bool = False) -> Retriever:
    """The quickest retriever for `searcher` on the items X (n, d) it was built on.

    Where lists are opened it keeps their rows, and needs X no more. codes: it keeps them as int8
    too, a byte an entry, each list filled up to whole blocks of 16: single queries take less time.
    Answers are the same. Raises DataError where X is not what was indexed.
    """
    X = items_of(searcher, X)
    if searcher.takes_all:
        return ExactRetriever(searcher, X, prepare(X))
    if isinstance(searcher, ListSearcher):
        packed = pack(X, *searcher.lists())
        if not codes:
            return ListRetriever(searcher, packed)
        coded, choice = encode(packed.starts, packed.rows), choice_of(searcher, X.shape[1])
        addressed = None if choice is None else Addressed(packed, coded, choice)
        return ListRetriever(searcher, packed, coded, addressed)
    return CandidateRetriever(searcher, X)
