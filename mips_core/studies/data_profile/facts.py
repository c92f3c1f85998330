"""What a person should know of a data set before searching it: norms, repeats, cosine or not.

`findings` puts it into words.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import rng_for, row_hashes, sample_rows
from mips_core.base.threads import map_blocks
from mips_core.data.column_ends import column_ends
from mips_core.data.dataset import Dataset, Metric
from mips_core.data.metrics import conversion
from mips_core.methods.exact import exact_top_k_scores, merged
from mips_core.methods.reductions import Lift, PaperAugment, lengths_of

SAMPLE = 500  # items asked as queries
TOP = 10
LONGEST = 5
EQUAL = 1e-5  # relative spread up to which norms count as equal
LONG = 5.0  # an outlier is this many times the median, and stands apart from the next
APART = 1.25
BINS = 60
HASHED = 2**18  # numbers hashed at once
CONVERTED = 2**22  # numbers converted to another metric at once: a copy of all may not fit
LARGE = 1e12  # norms beyond this have squares too large for Euclidean search
REDUCTION = PaperAugment()
MERGED = (2 * 2.0**-24) ** 0.5  # rad: the float32 cosine of a smaller angle is 1


@dataclass(frozen=True, eq=False)
class Facts:
    """Of items (n, d) as they were read: norms, and how metrics compare on a sample of them."""

    n: int
    least: float  # norms: the least, 5%, the median, 95%, the most
    low: float
    median: float
    high: float
    most: float
    longest: tuple[tuple[int, float], ...]  # the rows of the LONGEST largest norms, with these
    outlier: bool  # whether that norm stands alone, far above the median
    equal: bool  # whether all norms are
    zero: int  # rows without any length
    repeats: int  # rows that repeat an earlier one, zero rows apart
    constant: int  # columns that hold one value
    lifted_median: float  # the median norm as REDUCTION scales it
    merged: int  # items it leaves in one direction, zero rows apart
    sampled: int  # items asked as queries
    top: int  # answers compared, at most TOP
    own_best: float  # share of the sample that no item beats as its own answer
    agreement: float  # share of the top answers by inner product that cosine gives too
    distance_agreement: float  # the same of Euclidean distance
    edges: Floats  # (b + 1,) of the bins of norms
    counts: Ids  # (b,)

    @property
    def row(self) -> int:
        """The row of the largest norm."""
        return self.longest[0][0]

    @property
    def times_median(self) -> float:
        """The largest norm over the median; infinite where that is zero."""
        return self.most / self.median if self.median > 0 else np.inf

    @property
    def distinct(self) -> int:
        """Different rows."""
        return self.n - self.repeats - max(self.zero - 1, 0)


class _Compared(NamedTuple):
    sampled: int = 0
    own_best: float = 1.0
    agreement: float = 1.0
    distance_agreement: float = 1.0


def facts_of(dataset: Dataset, progress: Progress = silent) -> Facts:
    """The facts of `dataset` before any metric; those on a sample are drawn with a fixed seed."""
    X = dataset.float32_or_16().items  # a float32 copy of all may not fit
    progress(0.0, "Measuring norms")
    norms = lengths_of(X)
    most = float(norms.max())
    least, low, median, high = (float(v) for v in np.quantile(norms, (0, 0.05, 0.5, 0.95)))
    equal = most - least <= EQUAL * most
    zero = int((norms == 0).sum())
    progress(0.2, "Looking for repeated rows")
    repeats = _repeats(X) - max(zero - 1, 0)
    progress(0.4, "Comparing inner product and cosine")
    compared = _Compared() if equal or dataset.logits else _compare(X, norms, progress)
    bins = 1 if equal else max(5, min(BINS, int(2 * len(X) ** 0.5)))
    counts, edges = np.histogram(norms, bins, (0, most) if equal else None)
    lift, (lowest, highest) = REDUCTION.fit(X), column_ends(X)
    longest = np.argsort(-norms, kind="stable")[:LONGEST]
    return Facts(
        n=len(X),
        least=least,
        low=low,
        median=median,
        high=high,
        most=most,
        longest=tuple((int(row), float(norms[row])) for row in longest),
        outlier=_stands_alone(norms, most, median),
        equal=equal,
        zero=zero,
        repeats=repeats,
        constant=int((lowest == highest).sum()),
        lifted_median=median * lift.scale,
        merged=_merged(lift, norms[norms > 0]),
        top=_top(len(X)),
        edges=edges,
        counts=counts.astype(np.int64),
        **compared._asdict(),
    )


def _stands_alone(norms: Floats, most: float, median: float) -> bool:
    """Whether the largest of norms (n,) is far above the median and above the next."""
    from mips_core.data.readers.remarks import HUGE  # with every reader: a first page needs none

    following = float(np.partition(norms, -2)[-2]) if len(norms) > 1 else most
    apart = most > LONG * median and most > APART * following
    return median > 0 and (most > HUGE * median or apart)


def _merged(lift: Lift, norms: Floats) -> int:
    """How many items of these norms (n,) are lifted to within MERGED of a zero item's direction."""
    lengths = norms * lift.scale
    extra = lift.extra(lengths)
    along = extra.sum(axis=1) / lift.n_extra**0.5  # a zero item is [0, 1/2, .., 1/2]
    across = lengths**2 + (extra**2).sum(axis=1) - along**2
    return int((np.arctan2(np.sqrt(np.maximum(0, across)), along) < MERGED).sum())


def _compare(X: Matrix, norms: Floats, progress: Progress) -> _Compared:
    """A sample of the items X (n, d) asked as queries, by each metric."""
    if norms.max() > LARGE:  # a power of two changes no order
        X, norms = X * np.float32(2.0**-60), norms * 2.0**-60
    rows = np.flatnonzero(norms > 0)
    rows = rows[sample_rows(rng_for(0, "facts"), len(rows), SAMPLE)]
    Q = X[rows].astype(np.float32, copy=False)
    ids, scores = exact_top_k_scores(X, Q, _top(len(X)))
    own_best = float(np.mean(scores[:, 0] <= norms[rows] ** 2 * (1 + 1e-9)))
    shares = []
    metrics: tuple[Metric, ...] = ("cosine", "euclidean")
    for at, metric in enumerate(metrics):
        progress(0.6 + 0.2 * at, "Comparing inner product and cosine")
        nearest = _nearest(X, Q, metric, _top(len(X)))
        shared = (ids[:, :, None] == nearest[:, None, :]).any(axis=2)
        shares.append(float(shared.mean()))
    return _Compared(len(rows), own_best, *shares)


def _nearest(X: Matrix, Q: Matrix, metric: Metric, top: int) -> Ids:
    """(m, top) items of X (n, d) that are best by `metric` for each of Q (m, d), ties to the lower.

    The best of all are among the best of each part of them.
    """
    by = conversion(X, metric)
    asked, size = by.queries(Q), max(top, CONVERTED // X.shape[1])
    best = np.empty((len(Q), 0), np.int64), np.empty((len(Q), 0))
    for start in range(0, len(X), size):
        part = by.items(X[start : start + size].astype(np.float32, copy=False))
        ids, scores = exact_top_k_scores(part, asked, top)
        best = merged(top, best, (ids + start, scores))
    return best[0]


def some_much_longer(X: Matrix) -> bool:
    """Whether a twentieth of the rows X (n, d) is over twice as long as the median.

    X is float32 or float16. Of films it is 5 times as long, of words 1.2.
    """
    median, high = np.quantile(lengths_of(X), (0.5, 0.95))
    return bool(high > 2 * median)


def _top(n: int) -> int:
    """Answers compared: of a handful of items, all would agree."""
    return max(1, min(TOP, n // 2))


def _repeats(X: Matrix) -> int:
    """How many rows of X (n, d) repeat an earlier one: only rows of equal hash are compared."""
    factors = row_hashes(rng_for(0, "repeats"), X.shape[1])
    hashes = np.empty(len(X), np.uint64)

    def work(start: int, stop: int) -> None:
        words = (X[start:stop] + np.float32(0)).view(np.uint32)  # -0 becomes 0
        hashes[start:stop] = words.astype(np.uint64) @ factors

    map_blocks(work, len(X), max(HASHED // X.shape[1], 1))
    order = np.argsort(hashes, kind="stable")
    pairs = np.flatnonzero(hashes[order[1:]] == hashes[order[:-1]])
    mixed = [np.empty(0, np.uint64)]  # hashes of rows that are not all equal
    for at in np.array_split(pairs, len(pairs) * X.shape[1] // HASHED + 1):
        differ = (X[order[at]] != X[order[at + 1]]).any(axis=1)
        mixed.append(hashes[order[at[differ]]])
    shared = np.concatenate(mixed)
    alike = X[np.isin(hashes, shared)] + np.float32(0)
    rows = alike.view(np.dtype((np.void, alike.itemsize * alike.shape[1]))).ravel()
    sure = len(pairs) - int(np.isin(hashes[order[pairs]], shared).sum())
    return sure + len(rows) - len(np.unique(rows))
