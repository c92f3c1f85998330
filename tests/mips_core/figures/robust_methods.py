"""Methods under noise as if they were measured."""

import numpy as np

from mips_core.evaluation.setting import Setting
from mips_core.figures import robustness as figures
from mips_core.figures.robustness import NoiseQuestion
from mips_core.methods.indexes import INDEXES
from mips_core.studies.noise import SIGMAS, UnderNoise
from mips_core.studies.operating_point import Solved
from mips_core.studies.robustness import RobustMethod

S, K = len(SIGMAS), 4


KEYS = ["flat-kmeans", "pca-tree", "largest-norm"]


def question_of(truth="noisy", unit="absolute", **known):
    return NoiseQuestion(1_000, K, truth, SIGMAS, unit, **{"rms": 0.5, **known})


def histograms(precision):
    """(S, K+1) of 100 queries that find 0 or all of K, `precision` of them all."""
    counts = np.zeros((S, K + 1), np.int64)
    counts[:, K] = np.rint(100 * np.asarray(precision))
    counts[:, 0] = 100 - counts[:, K]
    return counts


def method(key, noisy, seeds=1, reached=True, speedup=30.0):
    """A method that finds noisy (S,), and 1/100 less with each further seed; half before noise."""
    index = INDEXES[key]()
    drift = speedup * np.linspace(1, 1.5, S)
    by_seed = tuple(
        UnderNoise(
            Setting(index, seed, 3),
            K,
            100,
            drift,
            {
                "noisy": histograms(noisy - seed / 100),
                "clean": histograms(noisy / 2),
            },
        )
        for seed in range(seeds)
    )
    return RobustMethod(Solved(Setting(index, 0, 3), speedup, 0.9, reached), by_seed)


FALLING = np.linspace(0.9, 0.5, S)


LEVEL = np.full(S, 0.7)


def drawn(keys, question, methods, ceiling=None, speedup=30.0):
    """The traces of the figure with what the scene changes of them, by group."""
    still = figures.figure(keys, question)
    traces, layout = figures.scene(keys, question, speedup, methods, ceiling)
    assert len(traces) == len(still["data"])
    groups = {}
    for trace, change in zip(still["data"], traces, strict=True):
        groups.setdefault(trace["legendgroup"], []).append(trace | change)
    return groups, still["layout"] | layout
