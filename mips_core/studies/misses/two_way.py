"""How sure a difference between true answers is: they share queries, and hubs are answers of many.

Cameron, Gelbach and Miller, "Robust inference with multiway clustering", JBES 2011, equation 2.11,
but never less than by queries or by items alone.
"""

from math import sqrt

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.evaluation.intervals import CONFIDENCE

FEWEST = 20  # queries, and different items, among the answers on each side, to compare them


def half_interval(pulls: Floats, numbers: Ids, *sides: Mask) -> float | None:
    """Half the 95% interval of a difference that each true answer pulls by `pulls` (m, K).

    numbers (m, K) tell items apart, from 0; `sides` (m, K) are the answers that are compared. None
    where one of them holds too few queries or different items to tell.
    """
    fewest = min(_fewest(numbers, side) for side in sides)
    if fewest < FEWEST:
        return None
    by_query = np.square(pulls.sum(axis=1)).sum()
    by_item = np.square(np.bincount(numbers.ravel(), pulls.ravel())).sum()
    variance = max(by_query + by_item - np.square(pulls).sum(), by_query, by_item)
    from scipy.special import stdtrit  # slow to import, and not needed by a first curve

    return float(stdtrit(fewest - 1, (1 + CONFIDENCE) / 2)) * sqrt(variance)


def _fewest(numbers: Ids, chosen: Mask) -> int:
    """Queries, or different items, among the chosen answers, whichever are fewer."""
    return min(int(chosen.any(axis=1).sum()), len(np.unique(numbers[chosen])))
