"""Runs that were measured."""

import numpy as np
import pytest

from mips_core import INDEXES, Dataset
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.baselines import LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.runs import measure_runs
from mips_core.studies.runs.files import written

KS = (1, 10)
RECIPE = QueryRecipe(count=20, source="noisy", noise=0.125)
FEW = (FlatKMeans(n_clusters=12), FlatKMeans(n_clusters=40), LargestNorm())


@pytest.fixture(scope="package")
def dataset():
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(500, 8)) * rng.lognormal(size=(500, 1))).astype(np.float32)
    return with_queries(Dataset(X, name="small"), QueryRecipe(count=120))


@pytest.fixture(scope="package")
def runs(dataset):
    return measure_runs(FEW, dataset, ks=KS)


@pytest.fixture(scope="package")
def every_run():
    """One of every index on cosine data whose queries may not find their own row."""
    rng = np.random.default_rng(0)
    dataset = with_queries(
        Dataset(rng.normal(size=(60, 4)).astype(np.float32), name="<b>small</b>"), RECIPE
    )
    indexes = [cls() for cls in INDEXES.values()]
    return tuple(measure_runs(indexes, dataset, ks=(1, 100), source="here", queries=RECIPE))


@pytest.fixture(scope="package")
def small(every_run):
    """The bytes of one short run."""
    return written([next(run for run in every_run if run.index.key == "exact")])
