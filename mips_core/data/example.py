"""One query with answers, to say by an example what is searched for."""

from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.data.dataset import Dataset

LOOKED_AT = 20  # of the first queries, that with the most telling answers is taken
ANSWERS = 3
MULTIPLIED = 2**22  # numbers of items at once: of float16 a float32 copy is made


class Example(NamedTuple):
    """A query of a data set, by its number, and the items of largest inner product, best first."""

    query: int
    items: Ids


def example(dataset: Dataset) -> Example:
    """The query whose best answers point most as it does; its own row is no answer.

    In the arithmetic of the processor: to be shown, not to be measured by. Needs a query.
    """
    X, Q = dataset.items, dataset.queries[:LOOKED_AT]
    size = max(MULTIPLIED // dataset.d, 1)
    parts = (X[at : at + size].astype(np.float32, copy=False) for at in range(0, len(X), size))
    scores = np.hstack([Q @ part.T for part in parts])
    few = min(ANSWERS + 1, dataset.n)
    best = np.sort(np.argpartition(-scores, few - 1, axis=1)[:, :few], axis=1)
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
    best = np.take_along_axis(best, order, axis=1)
    answers = [row[(X[row] != q).any(axis=1)][:ANSWERS] for row, q in zip(best, Q, strict=True)]
    near = [
        _cosines(X[a].astype(np.float32), q).min(initial=1.0)
        for a, q in zip(answers, Q, strict=True)
    ]
    query = int(np.argmax(near))
    return Example(query, answers[query])


def _cosines(X: Matrix, q: Matrix) -> Floats:
    """Of the rows of X (n, d) with q (d,); 0 with a zero."""
    lengths = np.linalg.norm(X, axis=1) * np.linalg.norm(q)
    return np.divide(X @ q, lengths, out=np.zeros(len(X)), where=lengths > 0)
