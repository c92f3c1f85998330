"""How sure a mean precision is: 95% intervals over queries.

Wilson's score interval with the effective number of trials: a query's K answers are neither one
trial nor K independent ones, so the variance between queries says how many they are worth (as in
the design effect of survey sampling; Korn and Graubard, 1998). It stays inside [0, 1] and is never
of zero width. It covers the choice of queries only, not the seed of a build.
"""

import numpy as np

from mips_core.arrays import Floats, Ids

Z95 = 1.959963984540054


def mean_precision(histograms: Ids) -> Floats:
    """(p,) mean share of answers found; histograms (p, K+1) count queries that found h of K."""
    found = histograms @ np.arange(histograms.shape[1])
    return found / (histograms.sum(axis=1) * (histograms.shape[1] - 1))


def precision_interval(histograms: Ids) -> Floats:
    """(p, 2) lower and upper end of the 95% interval of `mean_precision`."""
    K = histograms.shape[1] - 1
    shares = np.arange(K + 1) / K
    m = histograms.sum(axis=1)
    mean = mean_precision(histograms)
    spread = (histograms * (shares - mean[:, None]) ** 2).sum(axis=1) / np.maximum(m - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        per_query = np.where(spread > 0, mean * (1 - mean) / spread, 1.0)
    trials = m * np.clip(per_query, 1.0, K)
    centre = (mean + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    half = (
        Z95 / (1 + Z95**2 / trials) * np.sqrt(mean * (1 - mean) / trials + Z95**2 / (4 * trials**2))
    )
    low, high = np.minimum(centre - half, mean), np.maximum(centre + half, mean)  # rounding
    return np.clip(np.stack([low, high], axis=1), 0.0, 1.0)
