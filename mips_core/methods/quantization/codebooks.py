"""Codebooks for inner products: dimensions in subspaces, each subvector stood for by a codeword.

Guo, Kumar, Choromanski and Simcha, "Quantization based fast inner product search", 2015: k-means
under the metric W of the queries' second moment, so that what is small is the error of q.x and not
that of x. No query is known at build time, so W is the second moment of the items.

All sums run in float64 in a fixed order, so every processor forms the same bits.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import COMPARE, FLOAT32_ROUNDING, SMALLEST_NORMAL, dot
from mips_core.base.progress import Progress
from mips_core.base.seeds import sample_rows, stream
from mips_core.base.threads import map_blocks
from mips_core.methods import soundness

Codes = NDArray[np.uint8]

TRAINED_ON = 32_768  # rows at most: 128 to a codeword
ROUNDS = 10
ROW_BLOCK = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Codebooks:
    """k codewords in each of S subspaces of the d dimensions.

    Subspace s holds the dimensions[bounds[s]:bounds[s+1]], dimensions (d,) shuffled, bounds (S+1,).
    codewords (d, k) float32: row j is dimension dimensions[j] of its subspace's codewords. metrics
    (S,) second moments W of the subvectors trained on.
    """

    dimensions: Ids
    bounds: Ids
    codewords: Matrix
    metrics: tuple[Floats, ...]

    def check(self, d: int) -> None:
        """Subspaces part d dimensions, and no codeword is long; raises UnsoundError."""
        S = len(self.metrics)
        soundness.expect(S >= 1 and self.codewords.ndim == 2, "there are no codebooks")
        soundness.check_permutation(self.dimensions, d, "dimensions")
        soundness.check_ascending(self.bounds, S, d, "bounds of subspaces")
        soundness.check_shape(self.codewords, (d, self.codewords.shape[1]), "codewords")
        soundness.expect(
            (np.abs(self.codewords) <= soundness.LONGEST).all(), "codewords are longer than 1"
        )
        for part, metric in zip(self.subspaces(), self.metrics, strict=True):
            width = part.stop - part.start
            soundness.check_shape(metric, (width, width), "a second moment")

    def subspaces(self) -> list[slice]:
        """Where the rows of each subspace stand in `dimensions` and `codewords`."""
        return [slice(a, b) for a, b in zip(self.bounds[:-1], self.bounds[1:], strict=True)]


def train(
    X: Matrix,
    n_subspaces: int,
    n_codewords: int,
    rng: np.random.Generator,
    progress: Progress,
    rounds: int = ROUNDS,
) -> Codebooks:
    """Codebooks for the rows of X (n, d), d >= n_subspaces and n >= n_codewords.

    Each subspace's codewords start at different rows of a sample, and k-means goes on from there.
    """
    n, d = X.shape
    dimensions = stream(rng, "dimensions").permutation(d)
    bounds = np.arange(n_subspaces + 1) * d // n_subspaces
    rows = sample_rows(stream(rng, "training rows"), n, TRAINED_ON)
    codewords = np.empty((d, n_codewords), np.float32)
    done = np.zeros(n_subspaces, np.int64)

    def work(s: int, _: int) -> Floats:
        part = slice(bounds[s], bounds[s + 1])
        sample = _subvectors(X[rows], dimensions[part])
        metric = _second_moment(sample)
        start = sample_rows(stream(rng, "codewords", s), len(sample), n_codewords)
        means = sample[start].astype(np.float64)
        for _ in range(rounds):
            _move_to_means(sample, nearest(sample, means, metric), means)
            done[s] += 1
            progress(0.9 * done.sum() / (rounds * n_subspaces), "training codewords")
        codewords[part] = means.T
        return metric

    return Codebooks(dimensions, bounds, codewords, tuple(map_blocks(work, n_subspaces, 1)))


def encode(X: Matrix, books: Codebooks) -> Codes:
    """(n, S) uint8: the codeword nearest to each subvector of the rows of X (n, d)."""
    codes = np.empty((len(X), len(books.metrics)), np.uint8)

    def work(start: int, stop: int) -> None:
        for s, part in enumerate(books.subspaces()):
            rows = _subvectors(X[start:stop], books.dimensions[part])
            codewords = books.codewords[part].T.astype(np.float64)
            codes[start:stop, s] = nearest(rows, codewords, books.metrics[s])

    map_blocks(work, len(X), ROW_BLOCK)
    return codes


def nearest(rows: Matrix, codewords: Floats, metric: Floats) -> Ids:
    """(b,) the codeword c of (k, w) of least (x - c)'W(x - c) for each x of rows (b, w).

    W (w, w). x'Wx is the same for all codewords, so it is the largest x'Wc - c'Wc / 2 that is
    looked for, and W may be singular. The lower number on ties.
    """
    towards, halves = _towards(codewords, metric)
    wide = towards.astype(np.float32)
    labels = np.empty(len(rows), np.int64)
    for start in range(0, len(rows), ROW_BLOCK):
        block = slice(start, start + ROW_BLOCK)
        _decide(rows[block], towards, halves, rows[block] @ wide, labels[block])
    return labels


def _subvectors(X: Matrix, dimensions: Ids) -> Matrix:
    return np.ascontiguousarray(X[:, dimensions])


@njit(cache=True, nogil=True)
def _second_moment(rows: Matrix) -> Floats:
    """The mean of x x' over rows (n, w): (w, w)."""
    n, w = rows.shape
    moment = np.zeros((w, w), np.float64)
    for i in range(n):
        for a in range(w):
            value = np.float64(rows[i, a])
            for b in range(w):
                moment[a, b] += value * np.float64(rows[i, b])
    return moment / n


@njit(cache=True, nogil=True)
def _towards(codewords: Floats, metric: Floats) -> tuple[Floats, Floats]:
    """W c of every codeword, as columns (w, k), and c'Wc / 2 (k,)."""
    k, w = codewords.shape
    towards = np.zeros((w, k), np.float64)
    halves = np.zeros(k, np.float64)
    for a in range(w):
        for b in range(w):
            for c in range(k):
                towards[a, c] += metric[a, b] * codewords[c, b]
    for a in range(w):
        for c in range(k):
            halves[c] += codewords[c, a] * towards[a, c] / 2
    return towards, halves


@njit(cache=True, nogil=True)
def _decide(rows: Matrix, towards: Floats, halves: Floats, products: Matrix, labels: Ids) -> None:
    """Write the codeword of largest x.towards - half, for rows (b, w), into labels (b,).

    The float32 products (b, k) err by at most (w + 1) u |x| |towards|, u = 2^-24, and by the
    smallest float32 for each term that underflows (Higham, Accuracy and Stability, section 3.1);
    halves and differences by u. Where they leave more than one codeword, float64 decides.
    """
    b, k = products.shape
    w = rows.shape[1]
    longest = np.sqrt((towards**2).sum(axis=0).max())
    widest = np.abs(halves).max()
    narrow = halves.astype(np.float32)
    for i in range(b):
        scores = products[i]
        for c in range(k):
            scores[c] -= narrow[c]
        length = np.sqrt(dot(rows[i], rows[i]))
        error = (
            1.01 * (w + 3) * FLOAT32_ROUNDING * (length * longest + widest)
            + (w + 2) * SMALLEST_NORMAL
        )
        least = np.float32(_highest(scores) - 2.01 * error)
        labels[i] = _first_not_below(scores, least)
        near = 0
        for c in range(k):
            near += scores[c] >= least
        if near > 1:
            labels[i] = _best_of(rows[i], towards, halves, np.flatnonzero(scores >= least))


@njit(cache=True, nogil=True)
def _best_of(x: Matrix, towards: Floats, halves: Floats, near: Ids) -> int:
    """The first of the codewords near (c,) of largest x.towards - half, in float64."""
    best, highest = -1, -np.inf
    for c in near:
        score = -halves[c]
        for j in range(len(x)):
            score += np.float64(x[j]) * towards[j, c]
        if score > highest:
            best, highest = c, score
    return best


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _highest(scores: Matrix) -> np.float32:
    highest = scores[0]
    for c in range(len(scores)):
        highest = max(highest, scores[c])
    return highest


@njit(cache=True, nogil=True)
def _first_not_below(scores: Matrix, least: np.float32) -> int:
    """The first position of a score that is not below `least`."""
    at = 0
    while scores[at] < least:
        at += 1
    return at


@njit(cache=True, nogil=True)
def _move_to_means(rows: Matrix, labels: Ids, codewords: Floats) -> None:
    """Each codeword becomes the mean of its rows (b, w); one without rows stays."""
    counts = np.zeros(len(codewords), np.int64)
    sums = np.zeros(codewords.shape, np.float64)
    for i in range(len(rows)):
        counts[labels[i]] += 1
        for j in range(rows.shape[1]):
            sums[labels[i], j] += np.float64(rows[i, j])
    for c in range(len(codewords)):
        if counts[c] > 0:
            codewords[c] = sums[c] / counts[c]
