"""From a built index to its curve: every effort and every K from one pass over the queries.

A true answer that is a candidate always survives exact re-ranking under one strict order, so
counting true answers among the candidates suffices, and nothing is scored here.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Ranks
from mips_core.base.errors import ParamError
from mips_core.base.limits import BLOCK_BYTES, MAX_K
from mips_core.base.progress import Progress, silent
from mips_core.base.threads import map_blocks
from mips_core.evaluation.curve import Curve
from mips_core.evaluation.precision import hit_histograms, tied_hits
from mips_core.evaluation.truth import Truth
from mips_core.methods.bits import Words, n_words, unpack_bits
from mips_core.methods.indexes import Index, NestedSearcher, Searcher
from mips_core.methods.searcher import Ledger

FOLDS = 2  # queries of even and of odd number: one to choose settings on, one to score them on
READ_OFF = 8  # curves and counts kept once read off: at two K, of all queries and of both folds
FEWEST_TO_SPLIT = 20  # with fewer queries, settings are chosen and scored on the same ones
QUERY_BLOCK = 1024


def folds_of(m: int) -> tuple[int | None, int | None]:
    """The fold of m queries to choose settings on and that to score them on; None is all."""
    return (0, 1) if m >= FEWEST_TO_SPLIT else (None, None)


def rows_of(fold: int | None) -> slice:
    """The queries of a fold."""
    return slice(fold, None, FOLDS if fold is not None else 1)


def _of_fold(sums: NDArray[Any], fold: int | None) -> NDArray[Any]:
    """The fold's own row of `sums` (folds, ...), which takes no memory, or the sum of all."""
    return np.asarray(sums.sum(axis=0) if fold is None else sums[fold])


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Evaluation:
    """What was found at every effort, kept per query so that any K and fold can be read off.

    ranks (m, D): position in efforts at which each true answer turns up (nested searchers);
    found (p, m, words) bits: whether it is a candidate (others). One of the two is None.
    costs {part: (2, p)} inner products summed over the queries of each fold. K is the only one it
    can be read off at where candidates depend on K, else None.
    """

    index: Index
    seed: int
    truth: Truth
    efforts: Ids
    ranks: Ranks | None
    found: Words | None
    costs: Mapping[str, Floats]
    K: int | None = None
    read_off: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def curve(self, ks: Sequence[int], fold: int | None = None) -> Curve:
        """The curve at each K of `ks`, over all queries or those of one fold.

        Raises ParamError for a K it was not measured at.
        """
        if self.K is not None and tuple(ks) != (self.K,):
            raise ParamError(
                f"{self.index.label} was measured at K = {self.K} alone, not {tuple(ks)}.",
                "Its candidates depend on K: evaluate it once for each.",
            )
        curve: Curve = self._once((*ks, fold), lambda: self._read_off(ks, fold))
        return curve

    def hits(self, K: int, at: int, fold: int | None = None) -> Ids:
        """(m,) how many of its K answers each query finds at efforts[at], by the strict order."""
        K, rows = self.truth.answers(K), rows_of(fold)
        if self.ranks is not None:
            return np.asarray((self.ranks[rows, :K] <= at).sum(axis=1))
        assert self.found is not None
        return unpack_bits(self.found[at, rows], K).sum(axis=1)

    def _read_off(self, ks: Sequence[int], fold: int | None) -> Curve:
        m = len(range(self.truth.m)[rows_of(fold)])
        costs = {part: _of_fold(sums, fold) / m for part, sums in self.costs.items()}
        strict, tolerant = {}, {}
        for K in ks:
            counts = self._once(("counted", K), partial(self._counted, K))
            strict[K], tied = (_of_fold(counted, fold) for counted in counts)
            K_used = strict[K].shape[1] - 1
            tolerant[K] = (strict[K] @ np.arange(K_used + 1) + tied) / (m * K_used)
        return Curve(self.index, self.seed, self.truth.n, m, self.efforts, costs, strict, tolerant)

    def _counted(self, K: int) -> tuple[Ids, Ids]:
        """(2, p, K'+1) queries of each fold that found h of K' answers; (2, p) more with ties."""
        K_used, p = self.truth.answers(K), len(self.efforts)
        return (
            hit_histograms(self.ranks, self.found, p, K_used, FOLDS),
            tied_hits(self.ranks, self.found, p, K_used, self.truth.widths(K_used), FOLDS),
        )

    def _once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` makes, kept until READ_OFF more were made; by any thread."""
        value = self.read_off.get(key)
        if value is None:
            self.read_off[key] = value = make()
            for old in list(self.read_off)[:-READ_OFF]:
                self.read_off.pop(old, None)
        return value


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
    answers = MAX_K if K is None else truth.answers(K) + truth.excluded
    efforts = np.asarray(searcher.efforts(), np.int64)
    nested = isinstance(searcher, NestedSearcher)
    depth = truth.ids.shape[1]
    ranks = np.empty((truth.m, depth), np.int32) if nested else None
    found = None if nested else np.empty((len(efforts), truth.m, n_words(depth)), np.uint64)
    done = 0

    def work(start: int, stop: int) -> Ledger:
        nonlocal done
        queries, wanted = truth.queries[start:stop], truth.ids[start:stop]
        hits, costs = searcher.tally(queries, wanted, answers, FOLDS)
        if ranks is not None:
            ranks[start:stop] = hits
        if found is not None:
            found[:, start:stop] = hits
        done += stop - start
        progress(min(done / truth.m, 1.0), f"{done:,} of {truth.m:,} queries asked")
        return costs

    fitting = min(BLOCK_BYTES // searcher.bytes_a_query(), max(QUERY_BLOCK, truth.m // 16))
    even = max(fitting - fitting % 2, 2)  # so that folds keep their parity
    ledgers = map_blocks(work, truth.m, even)
    summed = {part: [ledger[part] for ledger in ledgers] for part in ledgers[0]}
    costs = {part: np.asarray(np.sum(sums, axis=0), np.float64) for part, sums in summed.items()}
    return Evaluation(index, seed, truth, efforts, ranks, found, costs, K)
