"""Claims on noise (Auvolat et al. 2015, section 5.4): what settings held to 30x find with it.

Each method's setting is chosen without noise on the queries of groups of even number; those of odd
number are asked, with every amount of noise.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.data.queries import rms
from mips_core.evaluation.setting import Setting, position_of
from mips_core.methods.indexes import Searcher
from mips_core.studies.noise import Against, NoisyQueries, ceiling, noisy_queries, under_noise
from mips_core.studies.operating_point import NEAR
from mips_core.studies.paper.facts import few_queries
from mips_core.studies.paper.sums import GROUPS, Sums

SPEEDUP = 30.0  # the paper's
SIGMAS = (0.0, 0.1, 0.2, 0.3, 0.4)
AGAINST: tuple[Against, Against] = ("noisy", "clean")
METHODS = ("flat", "hierarchical", "pca-tree", "srp-hash", "wta-hash")
MOST = 2_000  # queries


def noisy(searched: Dataset, own_queries: bool, progress: Progress = silent) -> NoisyQueries:
    """The queries, at most MOST, with the paper's noise.

    σ is as it stands for vectors asked as queries; for users, who are much longer than words, it is
    a multiple of the root mean square of their entries.
    """
    few = few_queries(searched, MOST)
    factor = rms(few.queries) if own_queries else 1.0
    return noisy_queries(few, few, sigmas=[s * factor for s in SIGMAS], progress=progress)


def setting_at(sums: Sums, column: int) -> tuple[int, int]:
    """Number of the index, and effort: the most precise near 30x on groups of even number."""
    hits = sums.hits[:, ::2].sum(axis=(0, 1))[:, column]
    costs = sums.costs[:, ::2].sum(axis=(0, 1)) / (sums.queries[::2].sum() * sums.builds)
    speedups = sums.n / np.maximum(costs, 1e-9)
    near = np.flatnonzero((speedups >= NEAR[0] * SPEEDUP) & (speedups <= NEAR[1] * SPEEDUP))
    if not len(near):
        near = np.array([np.abs(np.log(speedups / SPEEDUP)).argmin()])
    return sums.settings[int(near[hits[near].argmax()])]


def measured(
    setting: Setting,
    searcher: Searcher,
    searched: Dataset,
    queries: NoisyQueries,
    K: int,
    progress: Progress = silent,
) -> Mapping[str, Any]:
    """hits (G, S, 2) for each σ and truth, costs (G, S): one build asked by groups of odd number.

    Those of even number, which chose, have nothing and count no queries.
    """
    efforts = searcher.efforts()
    setting = replace(setting, effort=int(efforts[position_of(setting.effort, efforts)]))
    hits = np.zeros((GROUPS, len(SIGMAS), len(AGAINST)))
    costs = np.zeros((GROUPS, len(SIGMAS)))
    for group in range(1, GROUPS, 2):
        part = _group(queries, group)
        report = span(progress, group / GROUPS, (group + 1) / GROUPS)
        asked = under_noise(setting, searcher, searched, part, K, None, report)
        for column, truth in enumerate(AGAINST):
            hits[group, :, column] = _found(asked.histograms[truth])
        costs[group] = part.m * part.n / asked.speedup
    return _told(hits, costs, queries, K)


def exact(queries: NoisyQueries, K: int) -> Mapping[str, Any]:
    """The same of exact search, which loses answers that change with the noise."""
    hits = np.zeros((GROUPS, len(SIGMAS), len(AGAINST)))
    costs = np.zeros((GROUPS, len(SIGMAS)))
    for group in range(1, GROUPS, 2):
        part = _group(queries, group)
        hits[group, :, 0] = part.m * part.clean.answers(K)
        hits[group, :, 1] = _found(ceiling(part, K, None))
        costs[group] = part.m * part.n
    return _told(hits, costs, queries, K)


def _told(hits: Floats, costs: Floats, queries: NoisyQueries, K: int) -> Mapping[str, Any]:
    sizes = np.bincount(np.arange(queries.m) % GROUPS, minlength=GROUPS)
    sizes[::2] = 0
    return {"hits": hits, "costs": costs, "queries": sizes, "most": queries.clean.answers(K)}


def _found(histogram: Any) -> Floats:
    counts: Floats = histogram @ np.arange(histogram.shape[1])
    return counts


def _group(noisy: NoisyQueries, group: int) -> NoisyQueries:
    """The queries of one group."""
    rows, truth = slice(group, None, GROUPS), noisy.clean
    clean = replace(
        truth, queries=truth.queries[rows], ids=truth.ids[rows], scores=truth.scores[rows],
        origins=truth.origins[rows],
    )  # fmt: skip
    own = None if noisy.own_rows is None else noisy.own_rows[rows]
    return replace(
        noisy, queries=noisy.queries[:, rows], ids=noisy.ids[:, rows], clean=clean, own_rows=own
    )


def noise_name(method: str, K: int) -> str:
    """What the sums of a method under noise are called."""
    return f"noise {method} {K}"
