"""Random data sets to evaluate on."""

import numpy as np

from mips_core import Dataset
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans

METHODS = [FlatKMeans(n_clusters=12), HierarchicalKMeans(n_clusters=30)]


def random_dataset(n=300, m=40, seed=0, **known):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, 6)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return Dataset(X, rng.normal(size=(m, 6)).astype(np.float32), **known)
