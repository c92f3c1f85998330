"""Indexes that can be updated, their items and what they hold."""

import numpy as np

from mips_core import INDEXES
from mips_core.methods.reductions import PadToSphere, Plain

SPECS = {
    "flat": INDEXES["flat-kmeans"](n_clusters=6),
    "sphere": INDEXES["flat-kmeans"](n_clusters=6, reduction=PadToSphere()),
    "plain": INDEXES["flat-kmeans"](n_clusters=6, reduction=Plain()),
    "hierarchical": INDEXES["hierarchical-kmeans"](n_clusters=9),
    "multi": INDEXES["multi-kmeans"](n_clusters=5, n_clusterings=2),
    "head": INDEXES["head-kmeans"](n_clusters=5, head=0.1),
    "no head": INDEXES["head-kmeans"](n_clusters=5, head=0.0),
    "copies": INDEXES["head-kmeans"](n_clusters=5, head=0.1, copies=2),
}
N, D = 80, 5


def some_items(n=N, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, D)) * rng.lognormal(0, 0.5, size=(n, 1))).astype(np.float32)


def trees(structure):
    """The trees in a structure, whatever it is."""
    if hasattr(structure, "trees"):
        return structure.trees
    return [getattr(structure, "tree", structure)]


def arrays(value):
    """Every array in a structure, but for those of its k-means rounds."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from arrays(part)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from arrays(getattr(value, name))


def assert_same(one, other):
    for a, b in zip(arrays(one), arrays(other), strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype


def candidates(index, structure, effort=2):
    Q = np.random.default_rng(9).normal(size=(7, D)).astype(np.float32)
    candidates = index.searcher(structure).candidates(Q, effort, 3)
    return [set(row) for row in np.split(candidates.ids, candidates.starts[1:-1])]
