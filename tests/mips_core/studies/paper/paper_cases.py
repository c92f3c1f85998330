"""A small set of data for the paper's studies, and sums with effects that are known."""

from functools import cache

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.studies.paper import methods, scale
from mips_core.studies.paper.one_set import PaperData
from mips_core.studies.paper.run import run_paper
from mips_core.studies.paper.sums import GROUPS, Sums
from mips_core.studies.paper.units import UnitFolder

N, D, M = 240, 8, 64


def data(name="Few words"):
    items = np.random.default_rng(0).normal(size=(N, D)).astype(np.float32)
    return PaperData(with_queries(Dataset(items, name=name), QueryRecipe(count=M)), "words", False)


def users():
    draws = np.random.default_rng(1)
    items, queries = draws.normal(size=(N, D)), draws.normal(size=(M, D))
    items *= draws.pareto(2, (N, 1)) + 0.05
    held = Dataset(items.astype(np.float32), queries.astype(np.float32), name="Few users")
    return PaperData(held, "", True)


def few(monkeypatch):
    """Fewer settings and sizes, so that a whole run takes a moment."""
    whole = methods.plan

    def plan(n, d, quick=False):
        return {name: grid[:3] for name, grid in whole(n, d, quick=True).items()}

    monkeypatch.setattr("mips_core.studies.paper.one_set.plan", plan)
    monkeypatch.setattr(scale, "SIZES", (100, 200))
    monkeypatch.setattr(scale, "QUERIES", 64)
    monkeypatch.setattr(scale, "D", 6)
    monkeypatch.setattr("mips_core.data.simulated_vectors.BLOCK", 256)


def sums(precision, cost, m=800, builds=3, spread=0.0, seed=0, n=1_000):
    """p points that find `precision` (p,) of one answer at `cost` (p,); builds vary by `spread`."""
    draws = np.random.default_rng(seed)
    queries = np.bincount(np.arange(m) % GROUPS, minlength=GROUPS)
    luck = draws.normal(0, spread, (builds, 1, 1)) if spread else np.zeros((builds, 1, 1))
    chance = np.clip(np.asarray(precision)[None, None] + luck, 0, 1)
    hits = draws.binomial(queries[None, :, None], np.broadcast_to(
        chance, (builds, GROUPS, len(precision)))).astype(float)  # fmt: skip
    costs = np.broadcast_to(np.asarray(cost, float) * queries[:, None], hits.shape).copy()
    settings = tuple((0, at + 1) for at in range(len(precision)))
    return Sums(n, queries, np.ones(1), hits[..., None], costs, settings, ("made up",))


@cache
def whole():
    """A small run over both kinds of data, measured once for all tests of a process."""
    with pytest.MonkeyPatch.context() as patch:
        few(patch)
        return run_paper([data(), users()], UnitFolder(None), quick=True)
