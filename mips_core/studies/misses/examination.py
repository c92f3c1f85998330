"""An evaluated index, made ready to be diagnosed at any effort: what does not change with it."""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.errors import DataError
from mips_core.base.kernels import row_norms
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset, Metric
from mips_core.data.metrics import EXTRA, shown
from mips_core.data.rankable import queries_evaluated
from mips_core.evaluation.evaluate import Evaluation
from mips_core.groups.clusters import GroupLevel, describe
from mips_core.groups.projection.space import rows_of
from mips_core.groups.typed_queries.one_query import NEVER
from mips_core.methods.indexes import Searcher
from mips_core.methods.reductions import reduction_of
from mips_core.studies.misses import losses
from mips_core.studies.misses.contrasts import (
    Quarters,
    contrast,
    nearness_to_boundary,
    share_of_longest,
)
from mips_core.studies.misses.diagnosis import Diagnosis
from mips_core.studies.misses.efforts import MoreEffort, answer_counts, later, missed
from mips_core.studies.misses.rates import Classes, deciles, item_deciles, popularity, rates_of
from mips_core.studies.misses.reasons import Cause

MEASURES: dict[Metric, str] = {
    "inner product": "norm",
    "cosine": "norm",
    "euclidean": "distance from the centre",
}


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """What a diagnosis needs beside the effort, for K answers, or all there are.

    ranks (m, K) as `losses.opening_ranks` gives them. by_norm and by_popularity class the true
    answers (m, K), by_query_norm the queries (m, 1). longest: as in Cause.
    """

    evaluation: Evaluation
    searcher: Searcher
    K: int
    level: GroupLevel
    measure: str
    measured: losses.MeasuredQueries
    ranks: Ids | None
    by_norm: Classes
    by_popularity: Classes
    by_query_norm: Classes
    norm_quarters: Quarters | None
    nearness_quarters: Quarters | None
    longest: float

    def at(self, effort: int) -> Diagnosis:
        """The diagnosis at `effort`; searches again only for queries that find nothing.

        Raises ParamError for an effort that was not measured.
        """
        evaluation, ids = self.evaluation, self.measured.ids
        index, lost = evaluation.index, missed(evaluation, self.K, effort)
        at = int(np.flatnonzero(evaluation.efforts == effort)[0])
        after = later(evaluation, ids.shape[1], at)
        flat = np.flatnonzero(lost)
        contrasts = (
            contrast(quarters, ids, lost)
            for quarters in (self.norm_quarters, self.nearness_quarters)
        )
        return Diagnosis(
            index,
            *(evaluation.seed, effort, evaluation.truth.n, ids, lost, after.needed, self.measure),
            losses.query_losses(self.searcher, self.measured, effort, lost, after.finds_all),
            losses.group_losses(self.level, ids, after.needed, self.ranks, flat),
            MoreEffort(
                *(effort, index.effort_nouns, len(flat), evaluation.efforts[at + 1 :]),
                *(after.found, after.lost, int((after.needed.ravel()[flat] == NEVER).sum())),
            ),
            Cause(len(ids), self.longest, self.measure, self.level.nouns[1], *contrasts),
            *(rates_of(c, lost) for c in (self.by_norm, self.by_popularity, self.by_query_norm)),
        )


def examine(
    evaluation: Evaluation,
    searcher: Searcher,
    dataset: Dataset,
    K: int,
    level: GroupLevel | None = None,
    rows: Matrix | None = None,
    progress: Progress = silent,
) -> Examined:
    """Make ready what `evaluation` of the built index `searcher` on `dataset` tells of K answers.

    `level`: the groups whose losses are counted, by default the finest of the index; rows (n, d'):
    where boundaries between them are, by default the items as the index lifts them. Raises
    DataError where evaluation, searcher and data are not of the same items and queries, ParamError
    for a K out of range or at which the evaluation cannot be read off.
    """
    dataset, truth, index = dataset.float32(), evaluation.truth, evaluation.index
    numbers = np.flatnonzero(queries_evaluated(dataset.queries))
    _check_same(evaluation, searcher, dataset, numbers)
    missed(evaluation, K, int(evaluation.efforts[0]))  # refuses a K that cannot be read off
    ids = np.ascontiguousarray(truth.ids[:, : truth.answers(K)])
    if level is None:
        level = describe(searcher, index, dataset, progress=span(progress, 0.0, 0.3))[-1]
    ranks, near = _of_groups(evaluation, searcher, dataset, ids, level, rows, progress)
    scores = shown(dataset, truth.queries, truth.scores[:, : ids.shape[1]])
    own_rows = None if dataset.query_rows is None else dataset.query_rows[numbers]
    norms = _lengths(dataset, dataset.items)
    by_popularity = popularity(answer_counts(truth, K))
    by_query_norm = deciles(_lengths(dataset, truth.queries), "queries")
    progress(1.0, "examined")
    return Examined(
        *(evaluation, searcher, K, level, MEASURES[dataset.metric]),
        losses.MeasuredQueries(truth, numbers, own_rows, ids, scores),
        ranks,
        item_deciles(norms, ids),
        by_popularity._replace(of=by_popularity.of[ids]),
        by_query_norm._replace(of=by_query_norm.of[:, None]),
        Quarters.of(norms[ids]),
        near,
        share_of_longest(norms, ids),
    )


def _of_groups(
    evaluation: Evaluation,
    searcher: Searcher,
    dataset: Dataset,
    ids: Ids,
    level: GroupLevel,
    rows: Matrix | None,
    progress: Progress,
) -> tuple[Ids | None, Quarters | None]:
    """Ranks of the groups of the answers ids (m, K), and their quarters by nearness to a boundary.

    None for groups that are not opened as a whole.
    """
    index = evaluation.index
    if not index.opens_groups or level.number < len(searcher.groups()) - 1:
        return None, None
    ranks = losses.opening_ranks(searcher, evaluation, ids.shape[1], span(progress, 0.3, 0.7))
    progress(0.7, "boundaries")
    rows = rows_of(dataset, "index", reduction_of(index)) if rows is None else rows
    return ranks, _nearness(rows, level, ids)


def diagnose(
    evaluation: Evaluation,
    searcher: Searcher,
    dataset: Dataset,
    K: int,
    effort: int,
    level: GroupLevel | None = None,
    progress: Progress = silent,
) -> Diagnosis:
    """What the built index `searcher` misses of K answers at `effort`, and why.

    Everything is read off its `evaluation`. Raises as `examine` does, and ParamError for an effort
    that was not measured. To look at several efforts, `examine` once.
    """
    return examine(evaluation, searcher, dataset, K, level, progress=progress).at(effort)


def _check_same(evaluation: Evaluation, searcher: Searcher, dataset: Dataset, numbers: Ids) -> None:
    """Raise DataError unless `evaluation` is of these items and these queries `numbers` (m,)."""
    truth = evaluation.truth
    if not searcher.n == dataset.n == truth.n or len(numbers) != truth.m:
        evaluated, there = (
            f"{counted(n, 'item', 'items')} and {counted(m, 'query', 'queries')}"
            for n, m in ((truth.n, truth.m), (dataset.n, len(numbers)))
        )
    elif not np.array_equal(truth.queries, dataset.queries[numbers]):
        evaluated, there = "other queries", "the same number of others"
    else:
        return
    raise DataError(
        f"{evaluation.index.label} was evaluated on {evaluated}, {dataset.name} has {there}.",
        "Evaluate it on this data.",
    )


def _nearness(rows: Matrix, level: GroupLevel, ids: Ids) -> Quarters | None:
    """The quarters of the answers ids (m, K) by nearness to a boundary; None with one group."""
    items, numbers = np.unique(ids, return_inverse=True)
    near = nearness_to_boundary(rows, level, items)
    return None if np.isnan(near).any() else Quarters.of(near[numbers.reshape(ids.shape)])


def _lengths(dataset: Dataset, rows: Matrix) -> Floats:
    """Norms of the rows of `dataset`; distances from the centre of all where that counts."""
    converted = dataset.metric == "euclidean"
    return row_norms(np.ascontiguousarray(rows[:, :-EXTRA]) if converted else rows)
