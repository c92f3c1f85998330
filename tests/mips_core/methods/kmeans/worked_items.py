"""Items and trees of the worked examples."""

import numpy as np

from mips_core.methods.clustering.rounds import Clustering
from mips_core.methods.kmeans.cluster_tree import KMeansTree, _level


def tree_of(*levels, lift):
    """A KMeansTree from given (centroids, labels), coarse to fine."""
    found = [
        Clustering(np.asarray(C, np.float32), np.asarray(labels), (), converged=True)
        for C, labels in levels
    ]
    return KMeansTree(lift, tuple(_level(c) for c in found), tuple(found))
