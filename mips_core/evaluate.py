"""From a built index to its curve: every effort and every K from one pass over the queries.

A true answer that is a candidate always survives exact re-ranking under one strict order, so
counting true answers among the candidates suffices, and nothing is scored here.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.arrays import Floats, Ids, Ranks
from mips_core.curve import Curve
from mips_core.dataset import Dataset
from mips_core.errors import ParamError
from mips_core.indexes import Index, NestedSearcher, Searcher
from mips_core.intervals import mean_precision
from mips_core.limits import BLOCK_BYTES, MAX_K
from mips_core.progress import Progress, silent, span
from mips_core.seeds import rng_for
from mips_core.threads import map_blocks
from mips_core.truth import Truth, truth_of

FOLDS = 2  # queries of even and of odd number: one to choose settings on, one to score them on
FEWEST_TO_SPLIT = 20  # with fewer queries, settings are chosen and scored on the same ones
QUERY_BLOCK = 256


def folds_of(m: int) -> tuple[int | None, int | None]:
    """The fold of m queries to choose settings on and that to score them on; None is all."""
    return (0, 1) if m >= FEWEST_TO_SPLIT else (None, None)


def rows_of(fold: int | None) -> slice:
    """The queries of a fold."""
    return slice(fold, None, FOLDS if fold is not None else 1)


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """What was found at every effort, kept per query so that any K and fold can be read off.

    ranks (m, D): position in efforts at which each true answer turns up (nested searchers);
    found (p, m, D/8) bits: whether it is a candidate (others). One of the two is None.
    costs {part: (2, p)} inner products summed over the queries of each fold. K is the only one it
    can be read off at where candidates depend on K, else None.
    """

    index: Index
    seed: int
    truth: Truth
    efforts: Ids
    ranks: Ranks | None
    found: NDArray[np.uint8] | None
    costs: Mapping[str, Floats]
    K: int | None = None
    read_off: dict[tuple[Any, ...], Curve] = field(default_factory=dict, repr=False)

    def curve(self, ks: Sequence[int], fold: int | None = None) -> Curve:
        """The curve at each K of `ks`, over all queries or those of one fold; kept once made.

        Raises ParamError for a K it was not measured at.
        """
        if self.K is not None and tuple(ks) != (self.K,):
            raise ParamError(
                f"{self.index.label} was measured at K = {self.K} alone, not {tuple(ks)}.",
                "Its candidates depend on K: evaluate it once for each.",
            )
        key = (*ks, fold)
        if key not in self.read_off:
            self.read_off[key] = self._read_off(ks, fold)
        return self.read_off[key]

    def hits(self, K: int, at: int, fold: int | None = None) -> Ids:
        """(m,) how many of its K answers each query finds at efforts[at], by the strict order."""
        K, rows = self.truth.answers(K), rows_of(fold)
        if self.ranks is not None:
            return np.asarray((self.ranks[rows, :K] <= at).sum(axis=1))
        assert self.found is not None
        bits = np.unpackbits(self.found[at, rows], axis=1, count=K)
        return bits.sum(axis=1, dtype=np.int64)

    def _read_off(self, ks: Sequence[int], fold: int | None) -> Curve:
        rows = rows_of(fold)
        m = len(range(self.truth.m)[rows])
        folds = slice(None) if fold is None else slice(fold, fold + 1)
        costs = {part: sums[folds].sum(axis=0) / m for part, sums in self.costs.items()}
        used = {K: self.truth.answers(K) for K in ks}
        strict = {K: self._histogram(K_used, rows, tolerant=False) for K, K_used in used.items()}
        tolerant = {
            K: mean_precision(self._histogram(K_used, rows, tolerant=True))
            for K, K_used in used.items()
        }
        return Curve(self.index, self.seed, self.truth.n, m, self.efforts, costs, strict, tolerant)

    def _histogram(self, K: int, rows: slice, *, tolerant: bool) -> Ids:
        """(p, K+1) queries that found h of K at each effort."""
        widths = self.truth.widths(K) if tolerant else np.full(self.truth.m, K)
        widths = np.ascontiguousarray(widths[rows])
        if self.ranks is not None:
            return _nested_histogram(self.ranks[rows], widths, K, len(self.efforts))
        assert self.found is not None
        return _bit_histogram(self.found[:, rows], widths, K)


def evaluate(
    index: Index,
    searcher: Searcher,
    truth: Truth,
    seed: int,
    progress: Progress = silent,
    K: int | None = None,
) -> Evaluation:
    """Ask `searcher`, built from `index` with `seed`, at every effort for every query.

    Where the candidates of `index` depend on K, they are those of `K` answers, and ParamError is
    raised without one; elsewhere K is not used.
    """
    if not index.depends_on_k:
        K = None
    elif K is None:
        raise ParamError(f"{index.label} needs K to be evaluated.", f"Give 1 to {MAX_K}.")
    asked = MAX_K if K is None else truth.answers(K) + truth.excluded
    efforts = np.asarray(searcher.efforts(), np.int64)
    nested = isinstance(searcher, NestedSearcher)
    block = _block_size(len(efforts), truth.n)
    done = 0

    def work(start: int, stop: int) -> _Part:
        nonlocal done
        part = (
            _sweep_block(searcher, truth, start, stop)
            if nested
            else _outcome_block(searcher, truth, start, stop, asked)
        )
        done += stop - start
        progress(min(done / truth.m, 1.0), f"{done:,} of {truth.m:,} queries asked")
        return part

    parts = map_blocks(work, truth.m, block)
    costs = {name: np.sum([p.costs[name] for p in parts], axis=0) for name in parts[0].costs}
    hits = np.concatenate([part.hits for part in parts], axis=0 if nested else 1)
    ranks, found = (hits, None) if nested else (None, hits)
    return Evaluation(index, seed, truth, efforts, ranks, found, costs, K)


def _block_size(n_efforts: int, n: int) -> int:
    """Even, so that folds keep their parity; small enough for costs and candidates of a block."""
    most = BLOCK_BYTES // (8 * max(n_efforts, n))
    return int(np.clip(most - most % 2, 2, QUERY_BLOCK))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    hits: np.ndarray
    costs: Mapping[str, Floats]


def _fold_sums(costs: np.ndarray) -> Floats:
    """Costs of a block's queries (b, ...) -> (2, ...) summed over even and over odd ones."""
    return np.stack([costs[fold::FOLDS].sum(axis=0, dtype=np.float64) for fold in range(FOLDS)])


def _sweep_block(searcher: Searcher, truth: Truth, start: int, stop: int) -> _Part:
    assert isinstance(searcher, NestedSearcher)
    ranks, costs = searcher.sweep(truth.queries[start:stop], truth.ids[start:stop])
    return _Part(ranks, {part: _fold_sums(cost) for part, cost in costs.items()})


def _outcome_block(searcher: Searcher, truth: Truth, start: int, stop: int, K: int) -> _Part:
    hits, costs = [], []
    queries, wanted = truth.queries[start:stop], truth.ids[start:stop]
    for found, cost in searcher.outcomes(queries, wanted, K):
        hits.append(np.packbits(found, axis=1))
        costs.append({part: _fold_sums(spent) for part, spent in cost.items()})
    sums = {part: np.stack([cost[part] for cost in costs], axis=1) for part in costs[0]}
    return _Part(np.stack(hits), sums)


@njit(cache=True, nogil=True)
def _nested_histogram(ranks: Ranks, widths: Ids, K: int, p: int) -> Ids:
    """ranks (m, D): the first widths[i] count for query i, up to K of them -> (p, K+1)."""
    m = len(ranks)
    changes = np.zeros((p + 1, K + 1), np.int64)
    changes[0, 0] = m
    for i in range(m):
        found_at = np.sort(ranks[i, : widths[i]])
        for h in range(K):
            if found_at[h] >= p:
                break
            changes[found_at[h], h] -= 1
            changes[found_at[h], h + 1] += 1
    for at in range(1, p):
        changes[at] += changes[at - 1]
    return changes[:p]


@njit(cache=True, nogil=True)
def _bit_histogram(found: NDArray[np.uint8], widths: Ids, K: int) -> Ids:
    """found (p, m, bytes) packed bits, most significant first -> (p, K+1)."""
    p, m, _ = found.shape
    histogram = np.zeros((p, K + 1), np.int64)
    for at in range(p):
        for i in range(m):
            hits = 0
            for j in range(widths[i]):
                hits += (found[at, i, j >> 3] >> (7 - (j & 7))) & 1
            histogram[at, min(hits, K)] += 1
    return histogram


def compare(
    indexes: Sequence[Index],
    dataset: Dataset,
    *,
    ks: Sequence[int] = (1, 10, 100),
    seeds: Sequence[int] = (0,),
    progress: Progress = silent,
) -> list[Curve]:
    """One curve per index and seed, all on the same items, queries and true answers.

    An index whose candidates depend on K has one curve for each K instead.
    """
    dataset = dataset.float32()
    truth = truth_of(dataset, span(progress, 0.0, 0.1))
    jobs = [(index, seed) for index in indexes for seed in seeds]
    curves: list[Curve] = []
    built: dict[Hashable, Any] = {}
    for at, (index, seed) in enumerate(jobs):
        report = span(progress, 0.1 + 0.9 * at / len(jobs), 0.1 + 0.9 * (at + 1) / len(jobs))
        name = (index.structure_key(), seed)
        if name not in built:  # indexes that differ in how they are asked share what was built
            built[name] = index.build(dataset.items, rng_for(seed), span(report, 0.0, 0.8))
        structure = built[name]
        if all((other.structure_key(), s) != name for other, s in jobs[at + 1 :]):
            del built[name]
        searcher = index.searcher(structure)
        alone = [(K,) for K in ks] if index.depends_on_k else [tuple(ks)]
        for number, at_once in enumerate(alone):
            begin, end = (0.8 + 0.2 * (number + i) / len(alone) for i in (0, 1))
            part = span(report, begin, end)
            evaluation = evaluate(index, searcher, truth, seed, part, at_once[0])
            curves.append(evaluation.curve(at_once))
        progress(0.1 + 0.9 * (at + 1) / len(jobs), f"{index.label}: done", tuple(curves))
    return curves
