"""One query, followed: its true answers, which of them an index finds, and what it gives instead.

The same counting as `evaluate` does over all queries: a true answer is found where it is a
candidate; an answer whose score ties with the K-th true one counts as right where ties are
forgiven.
"""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask, Matrix
from mips_core.base.kernels import order_of, score_rows
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import EXTRA, origins
from mips_core.evaluation.truth import tied_with
from mips_core.methods.exact import exact_top_k_scores
from mips_core.methods.indexes import NestedSearcher, Searcher
from mips_core.methods.searcher import Ledger

NEVER = -1  # no effort finds it


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A query (d,), how many answers it wants, and the items it must not get, each named once.

    `exclude` is empty where every item may be an answer; -1 is none of them, as in query_rows, but
    counts like one. `origin`: from where its scores are measured (`metrics.origins`), to tell ties.
    """

    query: Matrix
    K: int
    exclude: tuple[int, ...]
    origin: float


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Items ids (r,) best first, and their float64 scores (r,)."""

    ids: Ids
    scores: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What an index of n items found of the true K answers, at one effort.

    found (K,): whether each true answer is a candidate. returned: the best candidates, K or fewer;
    right (r,): whether each is among the true answers or ties with the last of them. found_from
    (K,): the least effort at which each true answer is found, NEVER where none does; None where
    more effort may lose one. costs {part: (1,)} inner products.
    """

    n: int
    true: Ranked
    found: Mask
    returned: Ranked
    right: Mask
    found_from: Ids | None
    costs: Ledger

    @property
    def precision(self) -> float:
        """Share of the true answers that were found, by the strict order."""
        return float(self.found.mean())

    @property
    def precision_with_ties(self) -> float:
        """The same where a score that ties with the last true one is right too."""
        return float(self.right.sum() / len(self.found))

    @property
    def cost(self) -> float:
        """Inner products spent on this query."""
        return float(sum(spent[0] for spent in self.costs.values()))

    @property
    def speedup(self) -> float:
        """n / cost; below 1 where exact search is cheaper."""
        return self.n / self.cost


def question_of_query(dataset: Dataset, number: int, K: int) -> Question:
    """A query of `dataset`, by its number from 0."""
    rows = dataset.query_rows
    query = dataset.queries[number]
    return question_of(dataset, query, K, () if rows is None else (int(rows[number]),))


def question_of_item(dataset: Dataset, row: int, K: int, *, exclude_self: bool) -> Question:
    """An item asking with its own vector; a class [w, b] of a softmax layer asks as [w, 1].

    `dataset` needs a query where its metric is Euclidean.
    """
    query = dataset.items[row].copy()
    if dataset.logits:
        query[-1] = 1.0  # where the item holds its bias
    elif dataset.metric == "euclidean":
        query[-EXTRA:] = dataset.queries[0, -EXTRA:]  # the same in every query
    return question_of(dataset, query, K, (row,) if exclude_self else ())


def question_of(dataset: Dataset, query: Matrix, K: int, exclude: tuple[int, ...]) -> Question:
    """A query (d,) as `dataset` holds its queries, which another metric may have converted."""
    return Question(query, K, exclude, float(origins(dataset, query[None])[0]))


def true_answers(X: Matrix, question: Question) -> Ranked:
    """The K items of X (n, d) with the largest inner products, or all that may be answers."""
    left_out = len(question.exclude)
    (ids,), (scores,) = exact_top_k_scores(X, question.query[None], question.K + left_out)
    allowed = np.flatnonzero(~np.isin(ids, question.exclude))[: min(question.K, len(X) - left_out)]
    return Ranked(ids[allowed], scores[allowed])


def ask(searcher: Searcher, X: Matrix, question: Question, true: Ranked, effort: int) -> Answers:
    """What `searcher`, built on X (n, d), answers at `effort`, held against `true`, not empty."""
    Q, K = question.query[None], len(true.ids)
    listed = searcher.candidates(Q, effort, K + len(question.exclude))
    near = listed.ids[~np.isin(listed.ids, question.exclude)]
    scores = score_rows(X, question.query, near)
    best = order_of(scores, near)[:K]
    returned = Ranked(near[best], scores[best])
    found = np.isin(true.ids, near)
    (least,) = tied_with(true.scores[-1:], np.array([question.origin]))
    return Answers(
        n=len(X),
        true=true,
        found=found,
        returned=returned,
        right=returned.scores >= least,
        found_from=_found_from(searcher, Q, true.ids),
        costs=listed.costs,
    )


def _found_from(searcher: Searcher, Q: Matrix, wanted: Ids) -> Ids | None:
    """(K,) the least effort at which each item of `wanted` (K,) is a candidate; else NEVER."""
    if not isinstance(searcher, NestedSearcher):
        return None
    efforts = np.array([*searcher.efforts(), NEVER], np.int64)
    return efforts[searcher.first_found(Q, wanted[None])[0]]
