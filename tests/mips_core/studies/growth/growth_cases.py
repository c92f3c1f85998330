"""Data to measure, and made-up sizes to draw on, for tests of growth."""

import numpy as np

from mips_core import INDEXES, Dataset
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.setting import Setting
from mips_core.studies.growth import ScalePoint, Scaling

SIZES = (2_500, 5_000, 10_000, 20_000)
FLAT = INDEXES["flat-kmeans"]


def data(n=1_600, d=6, m=60, **recipe):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    return with_queries(Dataset(X, name="made"), QueryRecipe(count=m, **recipe))


def scaling(cost=lambda n: 14 * n**0.5, reached=(True,) * 4, **known):
    """Made up: of four sizes, in the seconds and bytes of a build that is linear."""
    points = tuple(
        ScalePoint(n, Setting(FLAT(n_clusters=round(n**0.5)), 0, 9), 250, cost(n), 0.93 + i / 100,
                   (0.9, 0.99), n / 10_000, n / 20_000, 100 * n, ok)
        for i, (n, ok) in enumerate(zip(SIZES, reached, strict=True))
    )  # fmt: skip
    return Scaling(
        "made", **{"simulated": False, "d": 50, "K": 10, **known}, precision=0.95, sizes=points
    )
