"""Noise on queries: what is left of precision and speedup (Auvolat et al. 2015, section 5.4).

A query q becomes q + σε with ε from N(0, I), per entry of the vector as it was read. One draw of ε
serves every σ and every method, so that they differ by nothing else. Precision is against the true
answers of the noisy query, as in the paper, or against those of the query before noise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.limits import MAX_K
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for
from mips_core.base.threads import map_blocks
from mips_core.data.classifier import layer_queries
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import conversion
from mips_core.data.queries import rms
from mips_core.data.rankable import queries_evaluated
from mips_core.evaluation.evaluate import rows_of
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import Truth, truth_of
from mips_core.methods.exact import exact_top_k_scores
from mips_core.methods.indexes import Searcher
from mips_core.methods.search import answers_among, block_size, check_effort
from mips_core.methods.searcher import Ledger

Unit = Literal["absolute", "relative"]  # σ as it is, or as a multiple of the items' rms entry
Against = Literal["noisy", "clean"]  # the true answers of the noisy query, or of it before noise

SIGMAS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
SPEEDUPS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200)
MAX_SIGMA = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class NoisyQueries:
    """The same m queries with S amounts of noise, and what exact search answers.

    sigmas (S,) as asked for, in `unit`; rms, the root mean square of the items' entries; queries
    (S, m, d) as they are searched; ids (S, m, D) their true answers, best first, D up to MAX_K;
    clean: the same queries and answers before noise, which say what is dropped and how many
    answers there are; own_rows (m,) items that may not be answers, None where all may.
    """

    sigmas: tuple[float, ...]
    unit: Unit
    rms: float
    queries: Matrix
    ids: Ids
    clean: Truth
    own_rows: Ids | None

    @property
    def absolute(self) -> Floats:
        """(S,) standard deviation of the noise on every entry."""
        return np.array(self.sigmas) * (1.0 if self.unit == "absolute" else self.rms)

    @property
    def relative(self) -> Floats:
        """(S,) the same as a multiple of rms."""
        return np.array(self.sigmas) / (1.0 if self.unit == "relative" else self.rms)

    @property
    def m(self) -> int:
        """Number of queries."""
        return self.clean.m

    @property
    def n(self) -> int:
        """Number of items."""
        return self.clean.n

    @property
    def dropped(self) -> int:
        """Queries too short to rank anything before noise, left out at every σ."""
        return self.clean.dropped


@dataclass(frozen=True, slots=True, eq=False)
class UnderNoise:
    """What a setting finds at each of S amounts of noise.

    speedup (S,) = n / mean cost of the m queries; histograms {"noisy", "clean": (S, K'+1)} queries
    that found h of K' true answers, K' = K unless fewer items exist.
    """

    setting: Setting
    K: int
    m: int
    speedup: Floats
    histograms: Mapping[Against, Ids]

    def precision(self, truth: Against) -> Floats:
        """(S,) mean precision@K."""
        return mean_precision(self.histograms[truth])

    def interval(self, truth: Against) -> Floats:
        """(S, 2) 95% interval of the mean precision@K over queries."""
        return precision_interval(self.histograms[truth])


def noisy_queries(
    raw: Dataset,
    searched: Dataset,
    *,
    sigmas: Sequence[float] = SIGMAS,
    unit: Unit = "absolute",
    seed: int = 0,
    progress: Progress = silent,
) -> NoisyQueries:
    """The queries of `raw` with noise of each of `sigmas`, asked as `searched` asks them.

    raw: vectors as they were read, with queries; searched: metrics.searched_by(raw, metric). Only
    h of a softmax layer's query [h, 1] gets noise. Raises ParamError for a σ outside 0 to
    MAX_SIGMA or an unknown unit; DataError where there is nothing to rank or too large a noise.
    """
    check_sigmas(sigmas)
    if unit not in get_args(Unit):
        raise ParamError(f"The unit is {unit!r}.", f"Allowed: {', '.join(get_args(Unit))}.")
    size = rms(raw.items[:, :-1] if raw.logits else raw.items)
    if size == 0:
        raise DataError(
            f"All weights of {raw.name} are zero.", "Noise on its queries would change no answer."
        )
    searched = searched.float32()
    clean = truth_of(searched, span(progress, 0.0, 0.1))
    kept = queries_evaluated(searched.queries)
    own_rows = None if searched.query_rows is None else searched.query_rows[kept]
    factors = np.array(sigmas) * (1.0 if unit == "absolute" else size)
    queries = _with_noise(raw, searched, factors, seed)[:, kept]
    S, m, d = queries.shape
    exclude = None if own_rows is None else np.tile(own_rows, S)
    ids, _ = exact_top_k_scores(
        searched.items,
        queries.reshape(S * m, d),
        clean.answers(MAX_K),
        exclude,
        span(progress, 0.1, 1.0),
    )
    return NoisyQueries(
        tuple(map(float, sigmas)), unit, size, queries, ids.reshape(S, m, -1), clean, own_rows
    )


def check_sigmas(sigmas: Sequence[float]) -> None:
    """Raise ParamError unless there are `sigmas`, all of them from 0 to MAX_SIGMA."""
    for sigma in sigmas:
        if not 0 <= sigma <= MAX_SIGMA:  # not so for NaN either
            raise ParamError(
                f"The noise σ is {sigma:g}.", f"Allowed: numbers from 0 to {MAX_SIGMA:g}."
            )
    if not len(sigmas):
        raise ParamError("No noise σ was given.", "Give one or more, such as 0, 0.1 and 0.2.")


def _with_noise(raw: Dataset, searched: Dataset, factors: Floats, seed: int) -> Matrix:
    """(S, m, d) the queries of `raw`, plus noise times each of factors (S,), as searched."""
    raw = raw.float32()
    convert = conversion(raw.items, searched.metric).queries
    hidden = raw.queries[:, :-1] if raw.logits else raw.queries
    noise = rng_for(seed, "noise under test").standard_normal(hidden.shape)
    noisy = np.empty((len(factors), *searched.queries.shape), np.float32)
    for at, factor in enumerate(factors):
        changed = as_matrix(hidden + factor * noise, f"{raw.name} (queries with noise)")
        noisy[at] = convert(layer_queries(changed) if raw.logits else changed)
    return noisy


def under_noise(
    setting: Setting,
    searcher: Searcher,
    searched: Dataset,
    noisy: NoisyQueries,
    K: int,
    fold: int | None,
    progress: Progress = silent,
) -> UnderNoise:
    """Ask `searcher`, built from `setting` on searched.items, for every noisy query of a fold.

    Raises ParamError where K is out of range or the effort is not offered.
    """
    check_effort(searcher, setting.effort)
    items = searched.float32().items
    width, rows = noisy.clean.answers(K), rows_of(fold)
    queries = np.ascontiguousarray(noisy.queries[:, rows])
    S, m, d = queries.shape
    queries = queries.reshape(S * m, d)
    ids = noisy.ids[:, rows].reshape(S * m, -1)
    own = None if noisy.own_rows is None else np.tile(noisy.own_rows[rows], S)
    returned = np.empty((S * m, width), np.int64)
    done = 0

    def work(start: int, stop: int) -> Ledger:
        nonlocal done
        Q, exclude = queries[start:stop], None if own is None else own[start:stop]
        found = searcher.candidates(Q, setting.effort, width + noisy.clean.excluded)
        returned[start:stop] = answers_among(ids[start:stop], items, Q, found, width, exclude)
        done += stop - start
        progress(min(done / (S * m), 1.0), f"{done:,} of {S * m:,} noisy queries asked")
        return found.costs

    blocks = map_blocks(work, S * m, block_size(noisy.n))
    costs = [np.concatenate([spent[part] for spent in blocks]) for part in blocks[0]]
    means = [cost.reshape(S, m).sum(axis=1, dtype=np.float64) / m for cost in costs]
    found = returned.reshape(S, m, width)
    histograms: dict[Against, Ids] = {
        "noisy": _histogram(found, noisy.ids[:, rows]),
        "clean": _histogram(found, _before_noise(noisy, rows)),
    }
    return UnderNoise(setting, K, m, noisy.n / sum(means, np.zeros(S)), histograms)


def ceiling(noisy: NoisyQueries, K: int, fold: int | None) -> Ids:
    """(S, K'+1) queries of a fold whose exact answers hold h of the K' answers before noise.

    Exact search falls too where answers change with the noise: what to judge indexes against.
    """
    width, rows = noisy.clean.answers(K), rows_of(fold)
    found = np.ascontiguousarray(noisy.ids[:, rows, :width])
    return _histogram(found, _before_noise(noisy, rows))


def _before_noise(noisy: NoisyQueries, rows: slice) -> Ids:
    """(S, m, D) the true answers before noise of the queries `rows`, the same for every σ."""
    ids = noisy.clean.ids[rows]
    return np.tile(ids, (len(noisy.sigmas), 1, 1))


@njit(cache=True, nogil=True)
def _histogram(found: Ids, true: Ids) -> Ids:
    """(S, K+1) queries whose found (S, m, K) answers hold h of the K first of true (S, m, D)."""
    S, m, K = found.shape
    histogram = np.zeros((S, K + 1), np.int64)
    for s in range(S):
        for i in range(m):
            hits = 0
            for j in range(K):
                if np.any(true[s, i, :K] == found[s, i, j]):
                    hits += 1
            histogram[s, hits] += 1
    return histogram
