"""Vectors that are hard to tell apart, and queries of them."""

import numpy as np
from hypothesis import strategies as st

SEEDS = st.integers(0, 2**31)


SHAPES = ["plain", "ties", "repeated", "one huge", "tiny", "close together"]


def vectors(shape, rng, n, d):
    """Items (n, d) of one of SHAPES."""
    X = rng.normal(size=(n, d))
    if shape == "ties":
        X = rng.integers(-1, 2, size=(n, d)).astype(float)
    elif shape == "repeated":
        X = X[rng.integers(0, min(n, 4), n)]
    elif shape == "one huge":
        X[0] *= 1e6
    elif shape == "tiny":
        X *= 1e-22
    elif shape == "close together":
        X = 1 + 1e-7 * X
    return X.astype(np.float32)


def queries(rng, m, d):
    """Queries (m, d), one of them zero and one of whole numbers."""
    Q = rng.normal(size=(m, d))
    Q[0], Q[-1] = 0, np.arange(d) - 1
    return Q.astype(np.float32)
