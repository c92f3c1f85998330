"""Indexes of a few items, saved to memory and loaded."""

import io

import numpy as np

import mips_core
from mips_core import INDEXES, Dataset, rng_for, save, searched_by
from mips_core.serving.store import stored_index

METRICS = ("inner product", "cosine", "euclidean")


def copied(stored, **given):
    """`stored`, saved to memory and loaded."""
    file = io.BytesIO()
    save(file, stored)
    return mips_core.load(file, **given)


def data(metric="inner product", n=60, d=4, labels=None):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    Q = rng.normal(size=(20, d)).astype(np.float32)
    return X, Q, searched_by(Dataset(X, Q, labels=labels, name="some items"), metric)


def built(dataset, key="flat-kmeans", effort=None, **parameters):
    index = INDEXES[key](**parameters)
    return stored_index(dataset, index, 0, index.build(dataset.items, rng_for(0)), effort)


def same(found, expected):
    """Whether two sequences of arrays are equal, in values, dtypes and order."""
    pairs = list(zip(found, expected, strict=True))
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)
