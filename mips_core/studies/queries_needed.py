"""How many queries would settle on which side of a target a mean precision is."""

from math import ceil, sqrt

from mips_core.base.arrays import Ids
from mips_core.base.errors import ParamError
from mips_core.evaluation.intervals import CONFIDENCE, checked, quantile_of, seen_in
from mips_core.evaluation.precision import mean_precision

MOST_QUERIES = 10_000_000  # what would take more is not called settled by queries


def queries_to_settle(
    histogram: Ids, target: float, confidence: float = CONFIDENCE, power: float = 0.8
) -> int | None:
    """How many queries in all would show on which side of `target` the mean precision is.

    With so many, if mean and spread are what histogram (K+1,) shows, the one-sided interval leaves
    out `target` with probability `power` (Fleiss, Levin and Paik 2003, equation 2.5, in effective
    trials). None where the mean is the target, or for more than MOST_QUERIES. Raises ParamError
    unless 0 < confidence < 1, 0 < power < 1 and 0 <= target <= 1.
    """
    (mean,), (_, (worth,)) = mean_precision(histogram[None]), seen_in(histogram[None])
    return queries_at(mean, worth, target, confidence, power)


def queries_at(
    mean: float, worth: float, target: float, confidence: float = CONFIDENCE, power: float = 0.8
) -> int | None:
    """The same for a mean precision whose queries are `worth` so many trials, as `seen_in` says."""
    if not 0 <= target <= 1:
        raise ParamError(f"The target is {target:g}.", "Give a precision from 0 to 1.")
    alpha, beta = quantile_of(checked(confidence)), quantile_of(checked(power, "power"))
    if mean == target:
        return None
    missed = min(mean, 1 - mean)
    spread = alpha * sqrt(target * (1 - target)) + beta * sqrt(mean * (1 - mean))
    trials = (max(spread, 0.0) / (mean - target)) ** 2
    linear = 1 - trials * missed  # m of `trials_of`, which is a root of a quadratic equation
    queries = 2 * trials / (linear + sqrt(linear**2 + 4 * missed * worth * trials))
    return max(ceil(queries), 1) if queries <= MOST_QUERIES else None
