"""Evaluated indexes to be diagnosed."""

from functools import cache

import numpy as np

from mips_core.base.seeds import rng_for
from mips_core.data.dataset import Dataset
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import INDEXES
from mips_core.studies.misses import diagnose

K = 5


def data(n=120, m=17, exclude=False, **parameters):
    rng = np.random.default_rng(8)
    X, Q = rng.normal(size=(n, 4)) * rng.lognormal(0, 0.4, (n, 1)), rng.normal(size=(m, 4))
    X[20:24] = X[7]
    rows = np.arange(m) * 3 - 1 if exclude else None
    if rows is not None:
        rows[rows == 23] = 24  # else it asks what row 20 asks
    return Dataset(X, X[rows] if exclude else Q, query_rows=rows, name="some data", **parameters)


@cache
def measured(key, exclude=False, K=K):
    dataset, index = data(exclude=exclude), INDEXES[key]()
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    return dataset, searcher, evaluate(index, searcher, truth_of(dataset), 0, K=K)


def of_flat(dataset, effort, K=K, **parameters):
    index = INDEXES["flat-kmeans"](**parameters)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    return diagnose(evaluation, searcher, dataset, K, effort)
