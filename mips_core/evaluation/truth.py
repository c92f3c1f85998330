"""The true answers of a data set's queries, deep enough to count ties beyond the K-th."""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.limits import MAX_K
from mips_core.base.progress import Progress, silent
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import origins
from mips_core.data.rankable import queries_evaluated, rankable
from mips_core.methods.exact import exact_top_k_scores

TIE = 1e-5  # relative: what is this close to the K-th counts as right in tolerant precision
SPARE_DEPTHS = (28, 1024)  # answers kept beyond the largest K; the second where ties need them


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What exact search answers for every query that can be evaluated.

    queries (m, d), ids (m, D) best first, scores (m, D) float64, whose ties are told by their size
    from origins (m,); n items, of which `available` may be answers of a query. `dropped` queries
    were too short to rank anything; of equal ones the first alone is here.
    """

    queries: Matrix
    ids: Ids
    scores: Floats
    origins: Floats
    n: int
    available: int
    dropped: int

    @property
    def m(self) -> int:
        """Number of queries."""
        return len(self.ids)

    @property
    def excluded(self) -> int:
        """1 where a query may not find its own row, else 0."""
        return self.n - self.available

    def answers(self, K: int) -> int:
        """K, or the number of items where that is smaller. Raises ParamError out of range."""
        if not 1 <= K <= MAX_K:
            raise ParamError(f"K is {K}, outside 1 to {MAX_K}.", "Ask for fewer answers.")
        return min(K, self.available)

    def widths(self, K: int) -> Ids:
        """(m,) how many of the listed items tie with, or beat, the K-th within the tolerance."""
        widths = np.full(self.m, K)
        if self.scores.shape[1] > K:
            least = self.least_right(K)
            tied = np.flatnonzero(self.scores[:, K] >= least)  # few: the others need no count
            widths[tied] = (self.scores[tied] >= least[tied, None]).sum(axis=1)
        return widths

    def least_right(self, K: int) -> Floats:
        """(m,) the least score that ties with the K-th true one, within the tolerance."""
        return tied_with(self.scores[:, K - 1], self.origins)


def tied_with(scores: Floats, origins: Floats) -> Floats:
    """The least scores that tie with `scores` measured from `origins`, all (m,)."""
    return scores - TIE * np.abs(scores - origins)


def truth_of(dataset: Dataset, progress: Progress = silent) -> Truth:
    """Exact answers for the queries of `dataset`, for every K up to MAX_K.

    Raises DataError when there are no queries, none that is long enough to rank items, or no item
    that may be an answer.
    """
    dataset = dataset.float32_or_16()
    if dataset.m == 0:
        raise DataError(f"{dataset.name} has no queries.", "Sample some from its items.")
    if dataset.available == 0:
        raise DataError(
            f"{dataset.name} holds one vector, and its queries must not find it.",
            "Let queries find their own row.",
        )
    dropped, asked = int((~rankable(dataset.queries)).sum()), queries_evaluated(dataset.queries)
    if not asked.any():
        raise DataError("All queries are zero.", "Every item scores the same; use other queries.")
    queries = np.ascontiguousarray(dataset.queries[asked])
    exclude = None if dataset.query_rows is None else dataset.query_rows[asked]
    zero = origins(dataset, queries)
    for spare in SPARE_DEPTHS:
        depth = min(MAX_K + spare, dataset.available)
        ids, scores = exact_top_k_scores(dataset.items, queries, depth, exclude, progress)
        truth = Truth(queries, ids, scores, zero, dataset.n, dataset.available, dropped)
        if depth == dataset.available or (truth.widths(truth.answers(MAX_K)) < depth).all():
            break
    return truth
