"""A vector that is none of a data set's own, asked as its queries are."""

import numpy as np

from mips_core.base.arrays import Floats, Matrix, as_matrix
from mips_core.data.dataset import Dataset
from mips_core.evaluation.one_query import Question, question_of


def query_length(source: Dataset) -> int:
    """How many numbers a query of `source` has, as it was read; of a softmax layer, a hidden state.

    A data set converted for another metric has rows of another length.
    """
    return source.d - source.logits


def question_of_vector(
    dataset: Dataset, vector: Matrix | Floats, K: int, exclude: tuple[int, ...] = ()
) -> Question:
    """A vector (query_length,), as those that were read, asked of `dataset` in its metric.

    `exclude` are rows it must not get. Raises DataError for entries beyond MAX_MAGNITUDE.
    """
    entries = np.append(vector, 1.0) if dataset.logits else vector  # [h, 1]
    query = as_matrix(entries[None], "The vector")
    if dataset.conversion is not None:
        query = dataset.conversion.queries(query)
    return question_of(dataset, query[0], K, exclude)
