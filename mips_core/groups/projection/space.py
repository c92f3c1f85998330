"""The rows that nearness on the map is measured on, by Euclidean distance."""

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.errors import ParamError
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import EXTRA, conversion
from mips_core.groups.projection.layout import Space
from mips_core.methods.reductions import PaperAugment, Reduction

BLOCK = 2**16  # rows lifted at once: they take float64 on the way


def rows_of(dataset: Dataset, space: Space, reduction: Reduction | None = None) -> Matrix:
    """(n, d') float32: what is near for the items of `dataset`.

    index: unit vectors of what `reduction` (the paper's where None) makes of the items. cosine:
    unit items; a zero item stays zero. given: the items themselves. Of items converted to be
    searched by Euclidean distance, the last two take the vectors as they were, from their centre.
    """
    X = dataset.float32().items
    if space == "index":
        return _unit_lifted(X, X, reduction)
    X = _as_read(dataset, X)
    return X if _checked(space) == "given" else conversion(X, "cosine").items(X)


def lifted_queries(
    dataset: Dataset, space: Space, reduction: Reduction | None, Q: Matrix
) -> Matrix:
    """(m, d') float32: queries Q (m, d) of `dataset` among the rows of `rows_of`.

    index and cosine: unit vectors, zero queries stay zero; given: the queries themselves.
    """
    if space == "index":
        lifted = (reduction or PaperAugment()).fit(dataset.float32().items).queries(Q)
        return conversion(lifted, "cosine").queries(lifted)
    Q = _as_read(dataset, Q)
    return Q if _checked(space) == "given" else conversion(Q, "cosine").queries(Q)


def _checked(space: str) -> str:
    if space not in ("cosine", "given"):
        raise ParamError(f"There is no space {space!r}.", "Known: index, cosine, given.")
    return space


def _as_read(dataset: Dataset, rows: Matrix) -> Matrix:
    """`rows` without the entries that searching by Euclidean distance added."""
    converted = dataset.metric == "euclidean"
    return np.ascontiguousarray(rows[:, :-EXTRA]) if converted else rows


def _unit_lifted(fitted: Matrix, X: Matrix, reduction: Reduction | None) -> Matrix:
    lift = (reduction or PaperAugment()).fit(fitted)
    unit = np.empty((len(X), X.shape[1] + lift.n_extra), np.float32)
    for start in range(0, len(X), BLOCK):
        rows = slice(start, start + BLOCK)
        lifted = lift.items(X[rows])
        unit[rows] = conversion(lifted, "cosine").items(lifted)
    return unit
