"""Clusters while vectors change (Auvolat et al. 2015, sections 5.4 and 6)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mips_core.base.progress import Progress, silent
from mips_core.data.dataset import Dataset
from mips_core.evaluation.setting import Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.drift import WAYS, Recipe, decay
from mips_core.studies.paper.facts import few_queries
from mips_core.studies.paper.sums import GROUPS

SHARES = (0.1, 0.5, 1.0)
SIZE = 0.3  # of every move, in root mean squares of the entries
TOLERANCE = 0.01  # of precision, as on the page Keep fresh
K = 10
MOST = 1_000  # queries
OPENED = 20  # one cluster in so many


def measured(searched: Dataset, builds: int, progress: Progress = silent) -> Mapping[str, Any]:
    """hits (S, G, p, 1), costs (S, G, p): each share of items moved, kept up in each of WAYS."""
    few = few_queries(searched, MOST)
    index = FlatKMeans()
    setting = Setting(index, 0, max(index.clusters(few.n) // OPENED, 1))
    recipe = Recipe(shares=SHARES, sizes=(SIZE,), builds=builds)
    points = decay(few, few, setting, min(K, few.available), recipe, progress).points
    groups = np.arange(points[0].m) % GROUPS
    sizes = np.bincount(groups, minlength=GROUPS)
    outcomes = [[point.ways[way] for way in WAYS] for point in points]
    both = [one for ways in outcomes for one in ways]
    hits = [[np.bincount(groups, one.hits, GROUPS) for one in builds] for builds in both]
    costs = [[one.cost * sizes for one in builds] for builds in both]
    return {
        "hits": np.moveaxis(np.array(hits, np.float64), 0, 2)[..., None],
        "costs": np.moveaxis(np.array(costs), 0, 2),
        "queries": sizes,
    }


def point_of(share: float, way: str) -> int:
    """Which point of the sums that is."""
    return SHARES.index(share) * len(WAYS) + WAYS.index(way)
