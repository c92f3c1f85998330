"""Data, a setting and points made up, for tests of drift."""

from dataclasses import replace

import numpy as np

from mips_core import INDEXES, Dataset, Setting
from mips_core.studies.drift import Fresh, Recipe
from mips_core.studies.drift.upkeep import Outcome

FLAT = Setting(INDEXES["flat-kmeans"](n_clusters=8), 0, 2)
SMALL = Recipe(shares=(0.0, 0.1, 1.0), sizes=(1.0,))


def data(n=120, d=5, m=30, seed=0, **more):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * rng.lognormal(0, 0.4, size=(n, 1))).astype(np.float32)
    Q = rng.normal(size=(m, d)).astype(np.float32)
    return Dataset(X, Q, name="some", **more)


def point(frozen, rebuilt, share=0.5, cost=(10.0, 10.0), m=400, size=1.0):
    """A change where the ways find so many of 10 answers of each query, with three builds."""
    hits = {"frozen": frozen, "refreshed": rebuilt, "rebuilt": rebuilt}
    rng = np.random.default_rng(0)
    return Fresh(
        n=100,
        changed=50,
        removed=0,
        share=share,
        size=size,
        K=10,
        m=m,
        longer=0,
        excess=1.0,
        ways={
            way: tuple(
                Outcome(2, (rng.random(m) < found % 1).astype(int) + int(found), spent, 100, 0.1)
                for _ in range(3)
            )
            for (way, found), spent in zip(hits.items(), (cost[0], cost[1], cost[1]), strict=True)
        },
    )


def labelled(dataset, labels):
    return replace(dataset, labels=labels)
