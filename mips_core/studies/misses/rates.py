"""What share of the true answers is found in each of a few classes, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.evaluation.intervals import CONFIDENCE, checked, end_of, quantile_of

PARTS = 10  # classes of equal size: deciles
MOST_IN_ONE = 0.5  # share of the answers that one class may hold
BITS = 17  # values that differ beyond so many leading bits count as equal: 4e-6 of themselves


class Classes(NamedTuple):
    """of: the class of each value, 0 to g - 1; names: g texts; g == 0 where all are equal.

    edges: g + 1 texts, from where to where each class goes, or none. parted: of what classes of
    equal size were made, "items" say.
    """

    of: Ids
    names: Sequence[str]
    edges: Sequence[str] = ()
    parted: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """The hit rate in each of g classes, over m queries. Arrays are (g,).

    names, edges, parted: as in Classes. answers: true answers of the class, over all queries;
    found: those among them that are candidates; queries: how many have one or more. interval
    (g, 2): 95%, over queries, with answers that share a query counted together. NaN where a class
    holds no answers.
    """

    names: Sequence[str]
    edges: Sequence[str]
    parted: str
    answers: Ids
    found: Ids
    queries: Ids
    interval: Floats

    @property
    def rate(self) -> Floats:
        """(g,) share of the answers that are found."""
        shares = self.found / np.maximum(self.answers, 1)
        return np.where(self.answers > 0, shares, np.nan)


def rates_of(classes: Classes, missed: Mask) -> Rates | None:
    """The rates of answers missed (m, K) in the classes `of` (m, K); None where there are none.

    The answers of a query may be in the class of the query: `of` (m, 1).
    """
    g = len(classes.names)
    if g == 0:
        return None
    m, K = missed.shape
    cells = np.arange(m)[:, None] * g + np.broadcast_to(classes.of, (m, K))
    answers, found = (
        np.bincount(some.ravel(), minlength=m * g).reshape(m, g) for some in (cells, cells[~missed])
    )
    return Rates(
        classes.names,
        classes.edges,
        classes.parted,
        answers.sum(axis=0),
        found.sum(axis=0),
        np.count_nonzero(answers, axis=0),
        rate_interval(found, answers),
    )


def item_deciles(values: Floats, ids: Ids) -> Classes:
    """The answers ids (m, K) by the `values` (n,) of items, in tenths of all items.

    Where most answers are in one of these, as they may be in the longest items, in tenths of the
    answers, each as often as a query has it.
    """
    items = deciles(values, "items")
    of = items.of[ids]
    if len(items.names) and np.bincount(of.ravel()).max() > MOST_IN_ONE * of.size:
        answers = deciles(values[ids.ravel()], "true answers")
        if len(answers.names):
            return answers._replace(of=answers.of.reshape(ids.shape))
    return items._replace(of=of)


def deciles(values: Floats, parted: str) -> Classes:
    """`values` (w,) in up to PARTS classes of about equal size, the least first.

    Equal values are in one class, so there may be fewer classes; none where all are equal.
    """
    values = rounded(values)
    low, high = (float(end) for end in (values.min(), values.max()))
    if low == high:
        return Classes(np.zeros(len(values), np.int64), (), (), parted)
    inner = np.unique(np.quantile(values, np.arange(1, PARTS) / PARTS, method="higher"))
    edges = np.array([low, *inner[inner > low], high])
    of = np.searchsorted(edges[1:-1], values, side="right")
    ends = _told_apart(edges)
    return Classes(of, [a if a == b else f"{a} to {b}" for a, b in pairwise(ends)], ends, parted)


def rounded(values: Floats) -> Floats:
    """`values` to BITS leading bits: unit vectors, rounded to float32, have norms a hair apart."""
    mantissas, exponents = np.frexp(values)
    return np.ldexp(np.rint(mantissas * 2.0**BITS) / 2.0**BITS, exponents)


def _told_apart(edges: Floats) -> list[str]:
    """The numbers in three digits, or in as many as tell different ones apart."""
    different = len(np.unique(edges))
    for digits in range(3, 10):
        texts = [f"{edge:,.{digits}g}" for edge in edges]
        if len(set(texts)) == different:
            break
    return texts


def popularity(counts: Ids) -> Classes:
    """`counts` (w,) from 1 on in classes 1, 2-3, 4-10, 11-30, 31-100 and so on, as far as any.

    A count of 0 is in class -1.
    """
    tops = [1]
    while tops[-1] < counts.max(initial=1):
        decade = 10 ** (len(tops) // 2)
        tops.append(3 * decade if len(tops) % 2 else decade)
    firsts = [1, *(top + 1 for top in tops[:-1])]
    names = [
        f"{first:,}" if first == top else f"{first:,}\N{EN DASH}{top:,}"
        for first, top in zip(firsts, tops, strict=True)
    ]
    return Classes(np.searchsorted(firsts, counts, side="right") - 1, names)


def rate_interval(hits: Ids, trials: Ids, confidence: float = CONFIDENCE) -> Floats:
    """(g, 2) two-sided interval of hits.sum(0) / trials.sum(0); NaN where nothing was tried.

    hits, trials (m, g): of trials[i, j] answers of class j, query i found hits[i, j]. That of
    `precision_interval` where each query has as many; where they have not, the variance is that of
    a ratio (Cochran, "Sampling techniques", 1977, section 2.11), and the queries are worth
    (sum t)^2 / sum t^2 of equal ones (Kish, "Survey sampling", 1965). Simulated: 93 to 98% of such
    intervals of 40 to 1,000 queries hold the true rate, where queries have Poisson or Zipf many
    answers in the class. Raises ParamError unless 0 < confidence < 1.
    """
    z = quantile_of((1 + checked(confidence)) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = trials.sum(axis=0).astype(np.float64)
        mean, tried = hits.sum(axis=0) / total, np.count_nonzero(trials, axis=0)
        m = total**2 / np.square(trials, dtype=np.float64).sum(axis=0)
        squares = np.square(hits - mean * trials).sum(axis=0)
        between = m * squares / total**2 * tried / np.maximum(tried - 1, 1)
        worth = mean * (1 - mean) / np.where(between > 0, between, np.inf)
        missed, worth = np.minimum(mean, 1 - mean), np.clip(worth, 1.0, total / m)
        worth_in_all = m * (m * missed * worth + 1) / (m * missed + 1)
        return np.stack([end_of(mean, worth_in_all, -z), end_of(mean, worth_in_all, z)], axis=1)
