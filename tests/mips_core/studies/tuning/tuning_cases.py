"""Data, what was tried on it, and made-up evaluations, for tests of tuning."""

from functools import cache

import numpy as np

from mips_core import Dataset, Evaluation, Truth, evaluate, rng_for, truth_of
from mips_core.evaluation.intervals import lower_bound
from mips_core.methods.hashing.sign_hash import SRPHash
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.tuning import Tried

K = 10
GRID = (
    *(FlatKMeans(n_clusters=k) for k in (10, 30, 90)),
    HierarchicalKMeans(n_clusters=64),
    SRPHash(n_bits=6, n_tables=16),
)


def dataset(m=120, n=900, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return Dataset(X, rng.normal(size=(m, d)).astype(np.float32))


@cache
def tried(indexes=GRID, m=120):
    data = dataset(m)
    truth = truth_of(data)
    made = []
    for number, index in enumerate(indexes):
        searcher = index.searcher(index.build(data.items, rng_for(0)))
        made.append(Tried(evaluate(index, searcher, truth, 0, K=K), 1.0 + number, 1000 - number))
    return tuple(made)


def invented(precisions, costs, rng, m=200, label=0):
    """One index whose efforts find each answer with these probabilities, at these costs."""
    p = len(precisions)
    draws = rng.random((m, K))
    ranks = np.searchsorted(np.asarray(precisions), draws).astype(np.int32)
    zeros = np.zeros((m, K))
    truth = Truth(
        np.ones((m, 1), np.float32), zeros.astype(int), zeros, np.zeros(m), 10**6, 10**6, 0
    )
    half = np.tile(np.asarray(costs, float) * m / 2, (2, 1))
    index = SRPHash(n_bits=1 + label)
    found = Evaluation(index, 0, truth, np.arange(1, p + 1), ranks, None, {"candidates": half})
    return Tried(found, 1.0, 1000)


def points(some, fold):
    """(tried, position, precision, lower end, cost) of everything, from the definitions."""
    for number, one in enumerate(some):
        curve = one.evaluation.curve((K,), fold)
        for at in range(len(curve.efforts)):
            lower = lower_bound(curve.histograms[K][at : at + 1], 0.95)[0]
            yield number, at, curve.precision(K)[at], lower, curve.mean_cost[at]


def same_setting(trial, some, point):
    evaluation = some[point[0]].evaluation
    return (trial.setting.index, trial.setting.effort) == (
        evaluation.index,
        evaluation.efforts[point[1]],
    )
