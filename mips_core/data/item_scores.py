"""Scores of items that may be float16: the bits of their float32 copy, which is never whole."""

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import order_of, score_rows
from mips_core.base.sorting import kth_largest

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


def best_items(X: Matrix, q: Matrix, k: int) -> tuple[Ids, Floats]:
    """The k items of X (n, d), float32 or float16, that score most for q (d,), and their scores.

    Best first, the lower number on ties; all n where k is larger. Every item is scored: what exact
    search answers, slower.
    """
    scores = item_scores(X, q, np.arange(len(X)))
    near = np.flatnonzero(scores >= kth_largest(scores.copy(), min(k, len(X))))
    best = order_of(scores[near], near)[:k]
    return near[best], scores[near][best]
