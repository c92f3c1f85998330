"""Principal directions of lifted items, the same on every processor.

The covariance is summed in float64 in one fixed order, by slices of rows that do not depend on the
number of threads. What LAPACK makes of it is settled, and its free signs are fixed.
"""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, settled
from mips_core.base.progress import Progress
from mips_core.base.seeds import sample_rows, stream
from mips_core.base.threads import map_blocks

MOST_ROWS = 2**17  # rows a covariance is taken from: a sample of this size errs by under 1%
SLICES = 8
NEGLIGIBLE = 1e-12  # of the largest variance: below, a direction is rounding


def principal_directions(
    rows: Matrix, count: int, rng: np.random.Generator, progress: Progress
) -> Floats:
    """Up to `count` unit eigenvectors (c, d) of the centred covariance of rows (n, d).

    By falling variance; those without variance are left out, but for the first. The entry of
    largest magnitude is positive, the first of them on ties.
    """
    sample = sample_rows(stream(rng, "covariance"), len(rows), MOST_ROWS)
    variances, vectors = np.linalg.eigh(_covariance(rows, sample, progress))
    varying = int(np.count_nonzero(variances > NEGLIGIBLE * variances[-1]))
    last = max(1, min(count, varying))
    directions = np.ascontiguousarray(settled(vectors[:, ::-1][:, :last]).T)
    largest = np.abs(directions).argmax(axis=1)
    return directions * np.sign(directions[np.arange(last), largest])[:, None]


def _covariance(rows: Matrix, chosen: Ids, progress: Progress) -> Floats:
    """(d, d) covariance of rows[chosen], in its lower triangle, which is all that eigh reads."""
    centre = _mean(rows, chosen)

    def work(start: int, stop: int) -> Floats:
        progress(start / len(chosen), "covariance")
        return _scatter(rows, chosen[start:stop], centre)

    parts = map_blocks(work, len(chosen), -(-len(chosen) // SLICES))
    return sum(parts, np.zeros_like(parts[0])) / len(chosen)


@njit(cache=True, nogil=True)
def _mean(rows: Matrix, chosen: Ids) -> Floats:
    total = np.zeros(rows.shape[1], np.float64)
    for i in chosen:
        for j in range(len(total)):
            total[j] += rows[i, j]
    return total / len(chosen)


@njit(cache=True, nogil=True)
def _scatter(rows: Matrix, chosen: Ids, centre: Floats) -> Floats:
    """Lower triangle (d, d) of the sum of outer products of rows[chosen] less the centre (d,)."""
    d = len(centre)
    scatter = np.zeros((d, d), np.float64)
    for i in chosen:
        deviation = rows[i] - centre
        for j in range(d):
            for k in range(j + 1):
                scatter[j, k] += deviation[j] * deviation[k]
    return scatter
