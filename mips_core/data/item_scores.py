"""Scores of items that may be float16: the bits of their float32 copy, which is never whole."""

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import score_rows

CONVERTED = 2**20  # numbers made float32 at once: 4 MB


def item_scores(X: Matrix, q: Matrix, ids: Ids) -> Floats:
    """Canonical scores (c,) of the items ids (c,) of X (n, d), float32 or float16, for q (d,)."""
    if X.dtype == np.float32:
        return score_rows(X, q, ids)
    scores, rows = np.empty(len(ids)), max(CONVERTED // max(len(q), 1), 1)
    for start in range(0, len(ids), rows):
        part = X[ids[start : start + rows]].astype(np.float32)
        scores[start : start + rows] = score_rows(part, q, np.arange(len(part)))
    return scores
