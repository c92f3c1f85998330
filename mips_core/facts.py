"""What a person should know of a data set before searching it: norms, repeats, cosine or not.

Where the readers have already said something of the items, their sentence is used as it stands.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mips_core.arrays import Floats, Ids, Matrix
from mips_core.dataset import Dataset
from mips_core.exact import exact_top_k, exact_top_k_scores
from mips_core.kernels import row_norms
from mips_core.progress import Progress, silent
from mips_core.readers.remarks import HUGE
from mips_core.seeds import rng_for, sample_rows

SAMPLE = 500  # items asked as queries
TOP = 10
EQUAL = 1e-5  # relative spread up to which norms count as equal
LONG = 5.0  # an outlier is this many times the median, and stands apart from the next
APART = 1.25
BINS = 60

ZERO = re.compile(r"(1 row is|[\d,]+ rows are) all zero")
LONGEST = re.compile(r"One norm is ")
REPEATS = re.compile(r"(1 row repeats another|[\d,]+ rows repeat others)")


@dataclass(frozen=True, eq=False)
class Facts:
    """Of items (n, d): their norms, and how inner product and cosine compare on a sample."""

    least: float
    median: float
    most: float
    row: int  # of the largest norm
    outlier: bool  # whether that norm stands alone, far above the median
    equal: bool  # whether all norms are
    zero: int  # rows without any length
    repeats: int  # rows that repeat an earlier one, zero rows apart
    sampled: int  # items asked as queries
    top: int  # answers compared, at most TOP
    own_best: float  # share of the sample that no item beats as its own answer
    agreement: float  # share of the top answers by inner product that cosine gives too
    edges: Floats  # (b + 1,) of the bins of norms
    counts: Ids  # (b,)

    @property
    def times_median(self) -> float:
        """The largest norm over the median; infinite where that is zero."""
        return self.most / self.median if self.median > 0 else np.inf


class Finding(NamedTuple):
    """A fact in words: its first part, the rest, and whether it is a warning."""

    found: str
    rest: str
    serious: bool


def facts_of(dataset: Dataset, progress: Progress = silent) -> Facts:
    """The facts of `dataset`; those on a sample are drawn with a fixed seed."""
    X = dataset.items
    progress(0.0, "Measuring norms")
    norms = row_norms(X)
    row = int(norms.argmax())
    most, median = float(norms[row]), float(np.median(norms))
    next_most = float(np.partition(norms, -2)[-2])
    equal = bool(most - norms.min() <= EQUAL * most)
    zero = int((norms == 0).sum())
    progress(0.2, "Looking for repeated rows")
    repeats = _repeats(X) - max(zero - 1, 0)
    progress(0.4, "Comparing inner product and cosine")
    sampled, own_best, agreement = (0, 1.0, 1.0) if equal else _compared(X, norms, progress)
    bins = 1 if equal else max(5, min(BINS, int(2 * len(X) ** 0.5)))
    counts, edges = np.histogram(norms, bins, (0, most) if equal else None)
    return Facts(
        least=float(norms.min()),
        median=median,
        most=most,
        row=row,
        outlier=median > 0
        and (most > HUGE * median or (most > LONG * median and most > APART * next_most)),
        equal=equal,
        zero=zero,
        repeats=repeats,
        sampled=sampled,
        top=_top(len(X)),
        own_best=own_best,
        agreement=agreement,
        edges=edges,
        counts=counts.astype(np.int64),
    )


def findings(dataset: Dataset, facts: Facts) -> list[Finding]:
    """What matters, warnings first, in words; nothing said twice."""
    said = [_spoken(note) for note in dataset.notes if remarked(note)]
    topics = [
        (LONGEST, facts.outlier, _long(dataset, facts)),
        (ZERO, facts.zero > 0, _zero(facts.zero)),
        (REPEATS, facts.repeats > 0, _repeated(facts.repeats)),
    ]
    said += [
        finding
        for topic, holds, finding in topics
        if holds and not any(topic.match(note) for note in dataset.notes)
    ]
    return [*said, *_cosine(facts)]


def remarked(note: str) -> bool:
    """Whether a note of a data set is a remark that `findings` repeats."""
    return any(topic.match(note) for topic in (LONGEST, ZERO, REPEATS))


def _spoken(note: str) -> Finding:
    """A reader's remark, cut after its first part."""
    parts = re.match(r"(.*?\.|.*?(?= \(row ))\s(.*)", note, re.DOTALL)
    return Finding(parts[1], parts[2], True) if parts else Finding("", note, True)


def _long(dataset: Dataset, facts: Facts) -> Finding:
    who = f", “{dataset.labels[facts.row]}”" if dataset.labels is not None else ""
    return Finding(
        f"One norm is {facts.times_median:,.0f} times the median",
        f"(row {facts.row:,}{who}, {facts.most:,.4g}). The reduction scales all vectors by the "
        "largest norm, so the others become hard to tell apart. Consider leaving the row out.",
        True,
    )


def _zero(count: int) -> Finding:
    rows = "1 row is" if count == 1 else f"{count:,} rows are"
    rest = "They can never win a positive score; they stay in the count."
    return Finding(f"{rows} all zero.", rest, True)


def _repeated(count: int) -> Finding:
    rows = "1 row repeats another" if count == 1 else f"{count:,} rows repeat others"
    return Finding(f"{rows}.", "Ties are broken by row number.", True)


def _cosine(facts: Facts) -> list[Finding]:
    if facts.equal:
        rest = "Inner product, cosine and Euclidean distance give the same order here."
        return [Finding("All norms are equal.", rest, False)]
    agreement, own = f"{facts.agreement:.0%}", f"{facts.own_best:.0%}"
    if agreement == own == "100%":
        return []
    best = f"Their top {facts.top}" if facts.top > 1 else "Their best answers"
    rest = (
        f"{best} agree on {agreement} of the answers; {own} of the items are their "
        f"own best match ({facts.sampled:,} asked)."
    )
    return [Finding("Inner product is not cosine here.", rest, False)]


def _compared(X: Matrix, norms: Floats, progress: Progress) -> tuple[int, float, float]:
    """How many items were asked, the share that is its own best match, the shared top answers."""
    asked = np.flatnonzero(norms > 0)
    asked = asked[sample_rows(rng_for(0, "facts"), len(asked), SAMPLE)]
    Q = X[asked]
    ids, scores = exact_top_k_scores(X, Q, _top(len(X)))
    own_best = float(np.mean(scores[:, 0] <= norms[asked] ** 2 * (1 + 1e-9)))
    progress(0.7, "Comparing inner product and cosine")
    unit = np.divide(X, norms[:, None], out=np.zeros_like(X), where=norms[:, None] > 0)
    nearest = exact_top_k(unit, Q, _top(len(X)))
    shared = (ids[:, :, None] == nearest[:, None, :]).any(axis=2)
    return len(asked), own_best, float(shared.mean())


def _top(n: int) -> int:
    """Answers compared: of a handful of items, all would agree."""
    return max(1, min(TOP, n // 2))


def _repeats(X: Matrix) -> int:
    """How many rows of X (n, d) repeat an earlier one."""
    plain = X + np.float32(0)  # -0 becomes 0
    rows = plain.view(np.dtype((np.void, plain.itemsize * plain.shape[1]))).ravel()
    return len(rows) - len(np.unique(rows))
