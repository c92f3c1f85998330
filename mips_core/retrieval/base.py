"""What a retriever is, and the one that serves any searcher."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

from mips_core.arrays import Floats, Ids, Matrix
from mips_core.indexes import Searcher
from mips_core.search import search_checked


class Retriever(ABC):
    """A searcher and its items, laid out to answer quickly. Immutable: threads may share it."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes it keeps besides the searcher, its copy of the items among them."""

    @abstractmethod
    def search(self, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
        """ids (m, K) int64 and float64 scores (m, K), best first: those of `search_checked`.

        Q (m, d), K and the effort are checked already. Equal scores go to the lower id; a query
        with fewer than K candidates ends in id -1, score -inf.
        """


@final
@dataclass(frozen=True, eq=False)
class CandidateRetriever(Retriever):
    """Scores whatever a searcher proposes, row by row where it lies in X (n, d)."""

    searcher: Searcher
    X: Matrix

    @property
    def nbytes(self) -> int:
        return self.X.nbytes

    def search(self, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
        return search_checked(self.searcher, self.X, Q, K, effort)
