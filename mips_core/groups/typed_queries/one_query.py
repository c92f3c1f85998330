"""One query: what is asked, with which items left out, and its true answers."""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import EXTRA, origins
from mips_core.methods.exact import exact_top_k_scores

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


def question_of_query(dataset: Dataset, number: int, K: int) -> Question:
    """A query of `dataset`, by its number from 0."""
    rows = dataset.query_rows
    query = dataset.queries[number]
    return question_of(dataset, query, K, () if rows is None else (int(rows[number]),))


def question_of_item(dataset: Dataset, row: int, K: int, *, exclude_self: bool) -> Question:
    """An item asking with its own vector; a class [w, b] of a softmax layer asks as [w, 1].

    `dataset` needs a query where its metric is Euclidean.
    """
    query = dataset.items[row].astype(np.float32)
    if dataset.logits:
        query[-1] = 1.0  # where the item holds its bias
    elif dataset.metric == "euclidean":
        query[-EXTRA:] = dataset.queries[0, -EXTRA:]  # the same in every query
    return question_of(dataset, query, K, (row,) if exclude_self else ())


def question_of(dataset: Dataset, query: Matrix, K: int, exclude: tuple[int, ...]) -> Question:
    """A query (d,) as `dataset` holds its queries, which another metric may have converted."""
    return Question(query, K, exclude, float(origins(dataset, query[None])[0]))


def true_answers(X: Matrix, question: Question) -> Ranked:
    """The K items of X (n, d) with the largest inner products, or all that may be answers.

    X is float32 or float16.
    """
    left_out = len(question.exclude)
    (ids,), (scores,) = exact_top_k_scores(X, question.query[None], question.K + left_out)
    allowed = np.flatnonzero(~np.isin(ids, question.exclude))[: min(question.K, len(X) - left_out)]
    return Ranked(ids[allowed], scores[allowed])
