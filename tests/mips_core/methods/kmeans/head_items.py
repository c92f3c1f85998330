"""Items whose norms differ."""

import numpy as np

from mips_core import rng_for

PROBINGS = ("centroid", "mean", "spread")


def row(found, i):
    return set(found.ids[found.starts[i] : found.starts[i + 1]])


def unequal(seed, n=80, d=3, m=3):
    """Items of very unequal norms, some of them repeated or zero, and queries."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    X[5:9] = X[4]
    X[9:11] = 0
    return X.astype(np.float32), rng.normal(size=(m, d)).astype(np.float32)


def built(index, X, seed=0):
    return index.searcher(index.build(X, rng_for(seed)))
