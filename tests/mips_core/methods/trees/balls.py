"""Balls by their definition."""

import numpy as np


def clustered(n, d, n_clusters, spread, seed):
    """Items (n, d) around random centres."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_clusters, d))
    noise = spread * rng.normal(size=(n, d))
    return (centres[rng.integers(0, n_clusters, n)] + noise).astype(np.float32)
