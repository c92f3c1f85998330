"""Whether what is missed lies nearer to a boundary between groups than what is found.

Answers share queries, and hubs are answers of many; the interval of the difference of means allows
for both (`contrasts.half_interval`).

Simulated where misses have nothing to do with boundaries: 40, 200 and 1,000 queries of 1 or 10
answers, evenly drawn or by Zipf's law, misses that gather in some queries and items: a difference
is told in 3 to 8% of samples, most where hubs are many.
"""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.limits import BLOCK_BYTES
from mips_core.base.text import counted
from mips_core.base.threads import map_blocks
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.clusters.centres import centres, members_of
from mips_core.studies.misses.contrasts import half_interval


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """Mean nearness to a boundary of missed and of found true answers, over m queries.

    low and high end the interval of 95% of the difference, missed less found; None with too few
    of either to tell.
    """

    missed: float
    found: float
    m: int
    low: float | None
    high: float | None

    def in_words(self) -> str:
        """One sentence, sure of itself only where the interval is."""
        if self.low is not None and self.low > 0:
            return "Missed items are closer to a boundary than found ones."
        if self.high is not None and self.high < 0:
            return "Missed items are not closer to a boundary than found ones, but farther from it."
        queries = counted(self.m, "query does", "queries do")
        return f"{queries} not tell whether missed items are closer to a boundary than found ones."


def nearness_to_boundary(rows: Matrix, level: GroupLevel, items: Ids) -> Floats:
    """(w,) how near the `items` (w,) of rows (n, d') are to leaving their group.

    a / (a + b) with a the distance to the mean direction of the own group and b to the nearest
    other one, all of length 1: 0 at the own, 1/2 on the boundary, more beyond it. NaN where there
    is no other group.
    """
    k = len(level.sizes)
    means, _ = centres(rows, members_of(level.of, k))
    live = level.sizes > 0
    if live.sum() < 2:
        return np.full(len(items), np.nan)
    means, renumbered = np.ascontiguousarray(means[live]), np.cumsum(live) - 1
    own = renumbered[level.of[items]]
    nearness = np.empty(len(items))

    def work(start: int, stop: int) -> None:
        block = rows[items[start:stop]]
        unit = block / np.maximum(row_norms(block), np.finfo(np.float64).tiny)[:, None]
        cosines = unit.astype(np.float32) @ means.T
        at = np.arange(stop - start), own[start:stop]
        similarity = cosines[at].copy()
        cosines[at] = -np.inf
        a, b = _distance(similarity), _distance(cosines.max(axis=1))
        nearness[start:stop] = np.where(a + b > 0, a / np.maximum(a + b, 1e-30), 0.5)

    map_blocks(work, len(items), max(BLOCK_BYTES // (4 * len(means)), 1))
    return nearness


def _distance(cosines: Floats | Matrix) -> Floats:
    """Between unit vectors of these cosines."""
    return np.sqrt(np.maximum(2.0 - 2.0 * cosines.astype(np.float64), 0.0))


def boundary(rows: Matrix, level: GroupLevel, ids: Ids, missed: Mask) -> Boundary | None:
    """Compare the missed true answers with the found ones; ids and missed (m, K).

    Of use for an index that opens groups as a whole (`Index.opens_groups`), at its finest level.
    None where nothing is missed or nothing found, and with one group.
    """
    items, numbers = np.unique(ids, return_inverse=True)
    numbers = numbers.reshape(ids.shape)
    values = nearness_to_boundary(rows, level, items)[numbers]
    if missed.all() or not missed.any() or np.isnan(values[0, 0]):
        return None
    means = values[missed].mean(), values[~missed].mean()
    pulls = np.where(
        missed, (values - means[0]) / missed.sum(), (means[1] - values) / (~missed).sum()
    )
    half = half_interval(pulls, numbers, missed, ~missed)
    low = high = None
    if half is not None:
        low, high = (float(means[0] - means[1]) + side * half for side in (-1, 1))
    return Boundary(float(means[0]), float(means[1]), len(ids), low, high)
