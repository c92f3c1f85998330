"""Probabilities of a softmax layer's best classes, with the whole denominator or an estimate of it.

Items are rows [w, b], a query is [h, 1], and their inner product is a logit (`classifier`). The
order of classes needs no denominator; a probability does. Auvolat et al. 2015, section 6, leave
the estimate open: here it is the retrieved classes, summed exactly, and a uniform sample of the
others, scaled up (Cochran, Sampling Techniques, 1977, sections 2.4 to 2.6).
"""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.errors import ParamError
from mips_core.base.kernels import score_rows
from mips_core.base.seeds import rng_for

BLOCK = 65_536  # items scored at once


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """Of K classes: values (K,), and the denominator they were divided by.

    `sampled` is the number of other classes the denominator was estimated from; None where all
    were summed. `standard_error` is relative: that of the denominator and so of every value, 0
    where all were summed, NaN where the sample is a single class and tells no spread.
    """

    values: Floats
    log_denominator: float
    sampled: int | None
    standard_error: float


def probabilities(
    X: Matrix, q: Matrix, ids: Ids, *, sample: int | None = None, seed: int = 0
) -> Probabilities:
    """Softmax probabilities of the classes ids (K,) among the items X (n, d) for the query q (d,).

    The denominator sums all n classes where `sample` is None or leaves none out; else the K given
    and `sample` of the others, drawn without replacement with `seed`, which cannot lift the sum of
    the values above 1. Logits are float64. Raises ParamError for ids that are not distinct items
    and for a sample below 1.
    """
    ids = np.asarray(ids, np.int64)
    n, others = len(X), len(X) - len(ids)
    outside = len(ids) > 0 and (ids.min() < 0 or ids.max() >= n)
    if outside or len(np.unique(ids)) < len(ids):
        raise ParamError("The classes must be different rows of X.", f"Rows go from 0 to {n - 1}.")
    if sample is not None and sample < 1:
        raise ParamError(f"The sample is {sample}.", "Draw one class or more, or sum all of them.")
    own = score_rows(X, q, ids)
    if sample is None or sample >= others:
        log_denominator = _log_sum_of_all(X, q)
        return Probabilities(np.exp(own - log_denominator), log_denominator, None, 0.0)
    drawn = _others(ids, others, sample, seed)
    log_denominator, error = _estimate(own, score_rows(X, q, drawn), others)
    return Probabilities(np.exp(own - log_denominator), log_denominator, sample, error)


def _log_sum_of_all(X: Matrix, q: Matrix) -> float:
    """log of the sum of exp(x.q) over all rows x of X (n, d)."""
    highest, total = -np.inf, 0.0
    for start in range(0, len(X), BLOCK):
        logits = score_rows(X, q, np.arange(start, min(start + BLOCK, len(X))))
        raised = max(highest, float(logits.max()))
        total = total * np.exp(highest - raised) + float(np.exp(logits - raised).sum())
        highest = raised
    return float(highest + np.log(total))


def _others(ids: Ids, others: int, sample: int, seed: int) -> Ids:
    """`sample` different rows that are not among ids (K,), of which there are `others`."""
    drawn = rng_for(seed, "softmax sample").choice(others, sample, replace=False, shuffle=False)
    before = np.sort(ids) - np.arange(len(ids))  # rows outside ids that come before each of them
    return np.asarray(drawn + np.searchsorted(before, drawn, side="right"), np.int64)


def _estimate(own: Floats, drawn: Floats, others: int) -> tuple[float, float]:
    """log of the estimated sum, and its relative standard error, from logits (K,) and (s,)."""
    highest = max(float(own.max(initial=-np.inf)), float(drawn.max()))
    size, terms = len(drawn), np.exp(drawn - highest)
    total = float(np.exp(own - highest).sum()) + others * float(terms.mean())
    unseen = 1 - size / others  # nothing is uncertain once all are drawn
    spread = float(terms.var(ddof=1)) if size > 1 else np.nan
    error = others * np.sqrt(unseen * spread / size)
    return float(highest + np.log(total)), float(error / total)
