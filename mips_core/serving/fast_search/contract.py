"""What a retriever is, and the one that serves any searcher."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

from numpy.typing import ArrayLike

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.methods.indexes import Searcher
from mips_core.methods.search import check_question, search_checked


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


@final
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
