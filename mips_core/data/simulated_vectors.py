"""Simulated vectors of any number; entries spread less and less, norms like those of words."""

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.seeds import rng_for
from mips_core.data.dataset import Dataset

DECAY = 0.7  # entry j spreads like j^-DECAY: about as hard to search as word vectors
SPREAD = 0.25  # standard deviation of the logarithm of a norm's factor
BLOCK = 65_536  # rows drawn at once


def simulated_vectors(n: int, m: int, d: int) -> Dataset:
    """n items and m queries of d dimensions, float32. Fewer items or queries are the first ones."""
    items, queries = vectors("items", n, d), vectors("queries", m, d)
    return Dataset(items, queries, name="Simulated", notes=("Simulated vectors.",), simulated=True)


def vectors(what: str, n: int, d: int) -> Matrix:
    """(n, d) rows from the stream named `what`."""
    spread = (np.arange(1, d + 1) ** -DECAY).astype(np.float32)
    rows = np.empty((n, d), np.float32)
    for start in range(0, n, BLOCK):
        rng = rng_for(0, "growth", what, start)
        block = spread * rng.standard_normal((BLOCK, d), np.float32)
        block *= rng.lognormal(0, SPREAD, (BLOCK, 1)).astype(np.float32)
        rows[start : start + BLOCK] = block[: n - start]
    return rows
