"""How good the answers of any search are, by one rule for all.

Libraries score in float32 and order ties in their own way, so an answer that ties with the K-th
true one is right, as in `Curve.tolerant`. All are asked for one answer more where a query must not
get its own row, which is then taken out.
"""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import score_rows
from mips_core.base.threads import map_blocks
from mips_core.data.dataset import Dataset
from mips_core.data.rankable import queries_evaluated
from mips_core.evaluation.evaluate import folds_of, rows_of
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.evaluation.truth import Truth
from mips_core.studies.wall_clock.stopwatch import Ask

QUERY_BLOCK = 64


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Items (n, d), the truth of queries (m, d), the row each must not get (-1: none), K answers.

    wanted: how many answers a search is asked for: K, and one more where a row must not be found.
    to_choose, to_score: which of the queries settings are chosen on, and scored and timed on.
    """

    items: Matrix
    truth: Truth
    own: Ids
    K: int
    wanted: int
    to_choose: slice
    to_score: slice

    @property
    def scored(self) -> Matrix:
        """The queries that searches are scored and timed on."""
        return np.ascontiguousarray(self.truth.queries[self.to_score])

    def precision_to_choose(self, ask: Ask) -> float:
        """Mean precision@K on the queries settings are chosen on."""
        return float(mean_precision(self._histogram(ask, self.to_choose))[0])

    def score(self, ask: Ask) -> tuple[float, tuple[float, float]]:
        """Mean precision@K on the other queries, and its 95% interval."""
        histogram = self._histogram(ask, self.to_score)
        low, high = precision_interval(histogram)[0]
        return float(mean_precision(histogram)[0]), (float(low), float(high))

    def _histogram(self, ask: Ask, rows: slice) -> Ids:
        """(1, K+1) queries that got h right answers of K."""
        hits = self.hits(ask(np.ascontiguousarray(self.truth.queries[rows])), rows)
        return np.bincount(hits, minlength=self.K + 1)[None]

    def hits(self, ids: Ids, rows: slice) -> Ids:
        """(b,) how many of the K best of ids (b, wanted) are right; -1 is no answer."""
        Q, least = self.truth.queries[rows], self.truth.least_right(self.K)[rows]
        own, X = self.own[rows], self.items

        def work(start: int, stop: int) -> Ids:
            block = range(start, stop)
            kept = [ids[i][(ids[i] >= 0) & (ids[i] != own[i])][: self.K] for i in block]
            right = [score_rows(X, Q[i], kept[i - start]) >= least[i] for i in block]
            return np.array([row.sum() for row in right], np.int64)

        return np.concatenate(map_blocks(work, len(ids), QUERY_BLOCK))


def judge_of(searched: Dataset, truth: Truth, K: int) -> Judge:
    """The judge of searches for K answers, or as many as exist. ParamError for K out of range."""
    kept = queries_evaluated(searched.queries)
    rows = searched.query_rows
    to_choose, to_score = folds_of(truth.m)
    K = truth.answers(K)
    return Judge(
        items=searched.items,
        truth=truth,
        own=np.full(truth.m, -1) if rows is None else rows[kept],
        K=K,
        wanted=K + truth.excluded,
        to_choose=rows_of(to_choose),
        to_score=rows_of(to_score),
    )
