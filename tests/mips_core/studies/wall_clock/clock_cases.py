"""Data, evaluations and a library made up for tests of the clock."""

from contextlib import contextmanager

import numpy as np

from mips_core import Dataset, evaluate, rng_for, truth_of
from mips_core.methods.exact import exact_top_k
from mips_core.serving.other_libraries import Rival
from mips_core.studies.wall_clock import WAYS, Clock, Timed
from mips_core.studies.wall_clock.timings import Took


def dataset(n=500, m=60, d=6, seed=0, exclude=False):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    rows = rng.permutation(n)[:m]
    Q = X[rows] if exclude else rng.normal(size=(m, d)).astype(np.float32)
    return Dataset(X, Q, query_rows=rows if exclude else None, name="made up")


def evaluated(data, *indexes, K=10):
    truth = truth_of(data)
    return {
        index.key: [
            evaluate(
                index, index.searcher(index.build(data.items, rng_for(0))), truth, 0, K=K
            )
        ]
        for index in indexes
    }  # fmt: skip


class Scan(Rival):
    """Scores the first `effort` items of a hundred."""

    key, label, package, pip = "scan", "Scan", "json", "pip install scan"
    steps = (10, 50, 80, 90, 100)

    def __init__(self, X):
        self.X = X

    @classmethod
    def build(cls, X, seed, threads, progress=None):
        return cls(X)

    def efforts(self, K):
        return self.steps

    def in_words(self, effort):
        return f"{effort}%"

    def search(self, Q, K, effort):
        found = exact_top_k(self.X[: max(1, len(self.X) * effort // 100)], Q, K)
        return np.pad(found, ((0, 0), (0, K - found.shape[1])), constant_values=-1)

    def inner_products(self, Q, K, effort):
        return None

    @contextmanager
    def limited(self, threads):
        yield


# What is said


def timed_row(label, kind, seconds, speedup, reached=True, busy=1.0):
    took = Took(seconds, seconds, seconds, seconds / busy, 1, 200)
    return Timed(
        label, label, "", kind, reached, 0.9, 0.9, (0.88, 0.92), 1.0, speedup, 1.0,
        dict.fromkeys(WAYS, took),
    )  # fmt: skip


def timed_run(*rows, **known):
    values = {
        "data": "words", "simulated": False, "metric": "inner product", "n": 1000, "d": 5,
        "K": 10, "target": 0.9, "m_chosen": 50, "m_scored": 50, "split": True, "batch": 256,
        "rounds": 3, "threads": 2, "processors": 2, "versions": {}, "absent": (),
    }  # fmt: skip
    return Clock(rows, **{**values, **known})


EXACT = timed_row("Exact search", "exact", 9e-4, 1.0)
OURS = timed_row("Flat k-means", "method", 1e-4, 31.0)
