"""Which queries can be asked: those long enough to rank items, and of equal ones the first."""

import numpy as np

from mips_core.base.arrays import Mask, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.limits import ZERO_NORM
from mips_core.base.text import counted


def rankable(Q: Matrix) -> Mask:
    """(m,) which queries are long enough to rank items; the others are left out everywhere."""
    if (np.abs(Q).max(axis=1, initial=0.0) > ZERO_NORM).all():  # no need to compile for the norms
        return np.ones(len(Q), bool)
    norms = row_norms(Q)
    return np.asarray(norms > ZERO_NORM * min(1.0, float(norms.max(initial=0.0))))


def queries_evaluated(Q: Matrix) -> Mask:
    """(m,) which queries are asked: those that are rankable, and of equal ones the first.

    Equal rows tell no more than one, and on both sides of a split they would be judged by what
    they chose.
    """
    rows = (Q + Q.dtype.type(0)).tobytes()  # -0 becomes 0
    size, first = Q.shape[1] * Q.itemsize, dict[bytes, int]()
    earliest = (first.setdefault(rows[i * size : (i + 1) * size], i) == i for i in range(len(Q)))
    return rankable(Q) & np.fromiter(earliest, np.bool_, len(Q))


def repeats_in_words(Q: Matrix) -> str:
    """One line on queries that are equal to an earlier one; "" where none is."""
    m, different = int(rankable(Q).sum()), int(queries_evaluated(Q).sum())
    words = f"Of {m:,} queries {counted(different, 'is', 'are')} different: equal ones count once."
    return words if different < m else ""
