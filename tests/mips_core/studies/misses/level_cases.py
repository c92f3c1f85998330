"""Data, an index on them and its levels, for tests of misses."""

import numpy as np

from mips_core import Dataset, rng_for
from mips_core.groups.clusters import GroupLevel, describe

K = 5


def data(n=200, d=4, m=23, exclude=False):
    rng = np.random.default_rng(8)
    X, Q = rng.normal(size=(n, d)) * rng.lognormal(0, 0.4, (n, 1)), rng.normal(size=(m, d))
    X[20:24] = X[7]
    rows = np.arange(m) * 3 - 1 if exclude else None
    if rows is not None:
        rows[rows == 23] = 24  # else it asks what row 20 asks
    return Dataset(X, X[rows] if exclude else Q, query_rows=rows)


def built(index, dataset):
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    return searcher, describe(searcher, index, dataset)


def middle(searcher):
    efforts = list(searcher.efforts())
    return efforts[min(2, len(efforts) - 1)]


def grouped(of):
    """A level of groups `of` (n,), as far as misses look at it."""
    of = np.asarray(of, np.int32)
    sizes = np.bincount(of).astype(np.int32)
    numbers = np.arange(len(sizes))
    names = [f"group {g}" for g in numbers]
    return GroupLevel(
        "some groups",
        ("group", "groups"),
        of,
        sizes,
        names,
        numbers.astype(np.int32),
        np.zeros(len(sizes), np.uint8),
        None,
        None,
    )
