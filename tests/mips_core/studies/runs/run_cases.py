"""Runs made up of costs and precisions."""

from dataclasses import replace

import numpy as np

from mips_core.evaluation.curve import Curve
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.runs import Run
from mips_core.studies.runs.run import RunData

DATA = RunData("made", 1000, 8, 4, "inner product", "items", "queries")


def run_made(name, costs, precisions, hits=None, m=4, data=DATA):
    """A run of K = 1 with these mean costs and shares of m queries that are right."""
    right = np.round(np.array(precisions) * m).astype(np.int64)
    curve = Curve(
        FlatKMeans(n_clusters=4),
        0,
        data.n,
        m,
        np.arange(1, len(costs) + 1),
        {"candidates": np.array(costs, float)},
        {1: np.stack([m - right, right], axis=1)},
        {1: right / m},
    )
    kept = {} if hits is None else {1: np.array(hits, np.uint8)}
    return Run(name, "", "2026-11-28T22:44:57Z", replace(data, m=m), curve, kept)
