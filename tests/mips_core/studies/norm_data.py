"""Items whose norms differ, for studies of noise."""

import numpy as np

from mips_core import Dataset
from mips_core.data.queries import QueryRecipe, with_queries

SIGMAS = (0, 0.2, 0.5)


def random_dataset(n=600, m=60):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, 6)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return with_queries(Dataset(X), QueryRecipe(count=m))
