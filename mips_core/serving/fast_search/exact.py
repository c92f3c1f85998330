"""Exact search, with what it can prepare of the items kept between calls."""

from dataclasses import dataclass
from typing import final

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.methods.exact import PreparedItems, exact_top_k_scores
from mips_core.methods.searcher import Searcher
from mips_core.serving.fast_search.contract import Retriever


@final
@dataclass(frozen=True, eq=False)
class ExactRetriever(Retriever):
    """Answers among all items X (n, d), `prepared` of them."""

    searcher: Searcher
    X: Matrix
    prepared: PreparedItems

    @property
    def d(self) -> int:
        return self.X.shape[1]

    @property
    def nbytes(self) -> int:
        return self.X.nbytes + self.prepared.nbytes

    def search_checked(self, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
        ids, scores = exact_top_k_scores(self.X, Q, K, prepared=self.prepared)
        missing = ((0, 0), (0, K - ids.shape[1]))
        if missing[1][1] == 0:
            return ids, scores
        return (
            np.pad(ids, missing, constant_values=-1),
            np.pad(scores, missing, constant_values=-np.inf),
        )
