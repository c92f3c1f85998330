"""What k-means starts from: a random cluster a row, or random rows as first centroids."""

from typing import Literal

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.seeds import row_hashes, sample_rows
from mips_core.methods.reductions import LiftedRows, lengths_of

Start = Literal["assignment", "points"]


def start_of(kind: Start, rng: np.random.Generator, X: Matrix | LiftedRows, k: int) -> Ids | Matrix:
    """`start_labels` or `start_points`, by name."""
    return start_labels(rng, len(X), k) if kind == "assignment" else start_points(rng, X, k)


def start_labels(rng: np.random.Generator, n: int, k: int) -> Ids:
    """(n,) a uniform label below k a row, from the hash of its number (Algorithm 1, step 1)."""
    return (row_hashes(rng, n) % np.uint64(k)).astype(np.int64)


def start_points(rng: np.random.Generator, X: Matrix | LiftedRows, k: int) -> Matrix:
    """(k', d) unit vectors towards k different rows of X that are not zero; fewer where few are.

    Where none is, a single vector of zeros: one cluster for all.
    """
    norms = lengths_of(X)
    usable = np.flatnonzero(norms > 0)
    if len(usable) == 0:
        return np.zeros((1, X.shape[1]), np.float32)
    chosen = usable[sample_rows(rng, len(usable), k)]
    return (X[chosen] / norms[chosen, None]).astype(np.float32)
