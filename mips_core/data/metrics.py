"""Search by cosine or by Euclidean distance, as inner product search: the order is theirs.

Auvolat et al. 2015, equations 2 and 3: the nearest item is the one of largest q.x - |x|^2 / 2, the
most similar one that of largest q.x / |x|.
"""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import dot, row_norms
from mips_core.base.limits import MAX_MAGNITUDE
from mips_core.base.text import counted
from mips_core.data.column_ends import column_ends
from mips_core.data.dataset import Conversion, Dataset, Metric

BLOCK_BYTES = 16 * 2**20  # of float64 rows converted at once


@dataclass(frozen=True, slots=True)
class Measure:
    """How a score is called, and which end of it is the best."""

    label: str  # "Euclidean distance", to begin a line with
    noun: str  # "Euclidean distance", within a sentence
    less_is_better: bool = False


MEASURES: dict[Metric, Measure] = {
    "inner product": Measure("Inner product", "inner product"),
    "cosine": Measure("Cosine", "cosine"),
    "euclidean": Measure("Euclidean distance", "Euclidean distance", less_is_better=True),
}
LOGIT = Measure("Logit", "logit")


class ScoredVectors(Protocol):
    """What a score depends on, besides itself: a data set, or an index that was built of one."""

    @property
    def metric(self) -> Metric: ...

    @property
    def logits(self) -> bool: ...


def measure_of(dataset: ScoredVectors) -> Measure:
    """What the values of `shown` are for `dataset`."""
    return LOGIT if dataset.logits else MEASURES[dataset.metric]


def conversion(X: Matrix, metric: Metric) -> Conversion:
    """How items X (n, d) and queries become those whose inner products rank by `metric`.

    Raises ParamError for no such metric, DataError for items too long for their squares.
    """
    if metric not in MEASURES:
        raise ParamError(f"There is no metric {metric!r}.", f"Known: {', '.join(MEASURES)}.")
    if metric == "inner product":
        return AsTheyAre()
    return UnitLength() if metric == "cosine" else _fit_euclidean(X)


def searched_by(dataset: Dataset, metric: Metric) -> Dataset:
    """`dataset` with the items and queries whose inner products rank by `metric`; once only.

    Queries must be there already: sampled from converted items they would be wrong. Notes count
    the rows whose cosine is undefined. Raises ParamError for a data set converted before and for
    logits, whose order is that of the inner product; and as `conversion` does.
    """
    if dataset.metric != "inner product":
        raise ParamError(
            f"{dataset.name} is searched by {MEASURES[dataset.metric].noun} already.",
            "Start from the vectors as they were read.",
        )
    if metric == "inner product":
        return dataset.float32_or_16()
    dataset = dataset.float32()
    converted = conversion(dataset.items, metric)
    if dataset.logits:
        raise ParamError(
            f"{dataset.name} is a softmax layer: its logits are inner products.",
            "Search it by inner product.",
        )
    return replace(
        dataset,
        items=converted.items(dataset.items),
        queries=converted.queries(dataset.queries),
        metric=metric,
        conversion=converted,
        notes=(*dataset.notes, *(_undefined(dataset) if metric == "cosine" else ())),
    )


def shown(dataset: ScoredVectors, queries: Matrix, scores: Floats) -> Floats:
    """What scores (m, K) of `queries`, rows as `dataset` holds them, mean to people (m, K).

    Cosines, Euclidean distances, or the inner products themselves. Distances lose what float32
    loses: that of an item to itself is at most 1e-7 of its distance to the centre of all. -inf,
    for no answer, becomes -inf or an infinite distance.
    """
    if dataset.metric == "cosine":
        return np.where(np.isfinite(scores), np.clip(scores, -1.0, 1.0), scores)
    if dataset.metric == "euclidean":
        halves = origins(dataset, queries)[:, None] - scores
        return np.asarray(np.sqrt(np.maximum(0.0, 2 * halves)))
    return scores


def origins(dataset: ScoredVectors, queries: Matrix) -> Floats:
    """(m,) from where the scores of each of `queries` are measured: 0, or a distance of 0.

    Two scores are nearly equal if they differ by little beside their distance from there.
    """
    if dataset.metric == "euclidean":
        return np.asarray(_half_squares(queries[:, :-EXTRA]))
    return np.zeros(len(queries))


def _undefined(dataset: Dataset) -> list[str]:
    """A sentence on zero rows, which have no direction."""
    zero = int((row_norms(dataset.items) == 0).sum())
    if not zero:
        return []
    items = counted(zero, "item is all zero: its", "items are all zero: their")
    return [f"{items} cosine is undefined and counts as 0."]


@dataclass(frozen=True, slots=True)
class AsTheyAre:
    """Inner product."""

    def items(self, X: Matrix) -> Matrix:
        return X

    def queries(self, Q: Matrix) -> Matrix:
        return Q


@dataclass(frozen=True, slots=True)
class UnitLength:
    """Rows of length 1; zero rows stay zero, so that their cosine is 0.

    Entries are rounded once, to float32: a cosine is off by less than 1.2e-7, 2^-24 for the item
    and as much for the query.
    """

    def items(self, X: Matrix) -> Matrix:
        unit = np.empty_like(X)
        for rows in _blocks(X):
            norms = row_norms(X[rows])[:, None]
            unit[rows] = X[rows] / np.where(norms > 0, norms, 1.0)
        return unit

    queries = items


EXTRA = 2  # entries that EuclideanLift adds
STEPS = 4  # of a column's range, at least, between two values its centre may take


@dataclass(frozen=True, slots=True, eq=False)
class EuclideanLift:
    """Items [x - c, h, r] and queries [q - c, t, t]: products (q - c).(x - c) - |x - c|^2 / 2.

    h + r is -|x - c|^2 / (2 t) in two float32 parts: one alone would lose the distances within a
    group of items far from c. The power of two t brings h to the size of the other entries, so
    that directions still tell items apart. The centre c (d,) keeps large offsets out of the
    squares; x - c is exact. What is left: squared distances are off by at most 2^-48 |x - c|^2
    and by the rounding of float64, and not at all for whole numbers while |x - c|^2 < 2^48. A
    query's q - c is exact too where it lies among the items, and rounded once elsewhere.
    """

    centre: Matrix
    unit: float  # t

    def items(self, X: Matrix) -> Matrix:
        lifted = np.empty((len(X), X.shape[1] + EXTRA), np.float32)
        for rows in _blocks(X):
            np.subtract(X[rows], self.centre, out=lifted[rows, :-EXTRA])
            halves = -_half_squares(lifted[rows, :-EXTRA]) / self.unit
            lifted[rows, -2] = halves
            lifted[rows, -1] = halves - lifted[rows, -2]
        return lifted

    def queries(self, Q: Matrix) -> Matrix:
        extra = np.full((len(Q), EXTRA), self.unit, np.float32)
        return np.hstack([Q - self.centre, extra])


CONVERSIONS: dict[Metric, type[AsTheyAre | UnitLength | EuclideanLift]] = {
    "inner product": AsTheyAre,
    "cosine": UnitLength,
    "euclidean": EuclideanLift,
}


def _fit_euclidean(X: Matrix) -> EuclideanLift:
    centre = _centre(X)
    lengths = np.concatenate([row_norms(X[rows] - centre) for rows in _blocks(X)])
    longest = float(lengths.max())
    typical = float(np.median(lengths)) or longest
    least = longest**2 / MAX_MAGNITUDE  # keeps h of the longest within bounds
    unit = 2.0 ** np.rint(np.log2(max(typical, least)))
    if unit > MAX_MAGNITUDE / 2:
        raise DataError(
            f"The longest item has length {longest:.3g}, too much for squared distances.",
            f"Scale the vectors down to entries of at most {MAX_MAGNITUDE / 1000:g}.",
        )
    return EuclideanLift(centre, unit)


def _centre(X: Matrix) -> Matrix:
    """c (d,): near the mean of each column of X (n, d) whose offset exceeds its range, else 0.

    x - c is exact where c/2 <= x <= 2c (Sterbenz, 1974). c has few digits, so that whole numbers
    stay whole unless they span less than 4. It is 0 where all items would become zero.
    """
    low, high = (end.astype(np.float64) for end in column_ends(X))
    mean = X.mean(axis=0, dtype=np.float64)
    spread = high - low
    step = 2.0 ** np.floor(np.log2(np.where(spread > 0, spread, 1.0) / STEPS))
    centre = np.where(spread > 0, np.rint(mean / step) * step, low).astype(np.float32)
    nearest, farthest = np.minimum(abs(low), abs(high)), np.maximum(abs(low), abs(high))
    exact = (low * high > 0) & (abs(centre) <= 2 * nearest) & (abs(centre) >= farthest / 2)
    centre = np.where(exact, centre, np.float32(0))
    differs = any((centre != X[rows]).any() for rows in _blocks(X))
    return centre if differs else np.zeros_like(centre)


@njit(cache=True, nogil=True)
def _half_squares(Y: Matrix) -> Floats:
    """(n,) |y|^2 / 2 of the rows of Y (n, d), summed in order."""
    halves = np.empty(len(Y), np.float64)
    for i in range(len(Y)):
        halves[i] = dot(Y[i], Y[i]) / 2
    return halves


def _blocks(X: Matrix) -> list[slice]:
    """Slices of the rows of X (n, d) that take BLOCK_BYTES each as float64."""
    size = max(1, BLOCK_BYTES // (8 * X.shape[1]))
    return [slice(start, start + size) for start in range(0, len(X), size)]
