"""Product quantization: approximate every score by table look-ups, score the best exactly.

Guo, Kumar, Choromanski and Simcha, "Quantization based fast inner product search" (QUIP), 2015.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import row_norms
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.methods.contract import Index, register
from mips_core.methods.quantization.codebooks import Codebooks, Codes, encode, train
from mips_core.methods.quantization.quantized_ranks import ranks_of
from mips_core.methods.reductions import Plain
from mips_core.methods.searcher import Candidates, Ledger, NestedSearcher, Step, effort_ladder
from mips_core.methods.soundness import check_shape, check_within, expect_built


@dataclass(frozen=True, slots=True, eq=False)
class Quantized:
    """What was built: the codebooks, and codes (n, S), the codeword of each subvector."""

    books: Codebooks
    codes: Codes

    def check(self, n: int, d: int) -> None:
        """Every code is a codeword's."""
        self.books.check(d)
        check_shape(self.codes, (n, len(self.books.metrics)), "codes")
        check_within(self.codes, self.books.codewords.shape[1], "a code")


@final
@register
@dataclass(frozen=True)
class ProductQuantization(Index):
    """Cuts the vectors into S parts and replaces each part by the nearest of k codewords.

    A query's inner product with every codeword goes into tables. The score of an item is then about
    the sum of S look-ups, and the N items that look best are scored exactly. Codewords are chosen
    so that the error of the inner product is small.

    Cost: k for the tables + n S / d for adding up look-ups, d being the dimensions + the N items
    scored.
    """

    key: ClassVar[str] = "product-quantization"
    label: ClassVar[str] = "Product quantization"
    effort_name: ClassVar[str] = "Items scored"
    effort_nouns: ClassVar[tuple[str, str]] = ("item", "items")
    effort_help: ClassVar[str] = (
        "Items scored exactly, those of highest approximate score first. 1 to all of them."
    )
    asking: ClassVar[str] = "Scoring **{effort} of {live} items**, those that look best"
    group_nouns: ClassVar[tuple[str, str]] = ("codeword", "codewords of one subspace")
    cite: ClassVar[str] = "Guo et al. 2015 (QUIP), arXiv 1509.01469"
    complete: ClassVar[bool] = True
    main_param: ClassVar[str] = "n_subspaces"

    n_subspaces: int = param(
        4,
        "Subspaces",
        "Parts a vector is cut into, 1 to its dimensions. More approximate better, but adding up "
        "their look-ups caps the speedup at dimensions / subspaces.",
        within=(1, 1024),
    )
    n_codewords: int = param(
        256,
        "Codewords",
        "Codewords of each subspace, 2 to 256. More approximate better and cost little in a query; "
        "fewer are trained faster.",
        within=(2, 256),
    )

    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> Quantized:
        n, d = X.shape
        progress(0.0, "training codewords")
        rows = Plain().fit(X).items(X)  # at most of length 1: a factor changes no order
        books = train(rows, min(self.n_subspaces, d), min(self.n_codewords, n), rng, progress)
        codes = encode(rows, books)
        progress(1.0, "built")
        return Quantized(books, codes)

    def check_built(self, structure: Quantized) -> None:
        n, S = structure.codes.shape
        d, k = structure.books.codewords.shape
        expect_built(S, min(self.n_subspaces, d), "subspaces")
        expect_built(k, min(self.n_codewords, n), "codewords")

    def searcher(self, structure: Quantized) -> "QuantizedSearcher":
        return QuantizedSearcher(structure)

    def setting(self, n: int) -> str:
        words = min(self.n_codewords, n)
        return f"{self.n_subspaces} subspace{'s' * (self.n_subspaces != 1)} of {words} codewords"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["ProductQuantization"]:
        return [cls(n_subspaces=S) for S in (1, 2, 3, 4, 6, 8, 12) if d >= S]


@final
@dataclass(frozen=True, eq=False)
class QuantizedSearcher(NestedSearcher):
    """Score all items approximately; the N highest are candidates, the lower number on ties."""

    built: Quantized

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of items."""
        return len(self.built.codes)

    def efforts(self) -> Sequence[int]:
        return effort_ladder(self.n)

    def spent(self) -> dict[str, float]:
        """Inner products a query costs besides its candidates: k, and n S additions of d."""
        d, k = self.built.books.codewords.shape
        return {"tables": float(k), "additions": self.built.codes.size / d}

    def tables(self, Q: Matrix) -> Matrix:
        """(m, S, k) inner products of the queries' subvectors with the codewords.

        Of unit queries, so that no length underflows.
        """
        books = self.built.books
        unit = Q / np.maximum(row_norms(Q), np.finfo(np.float64).tiny)[:, None]
        return _tables(unit[:, books.dimensions], books.bounds, books.codewords)

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        ids = np.empty((len(Q), effort), np.int64)
        for row, table in zip(ids, self.tables(Q), strict=True):
            row[:] = _best(_scores(table, self.built.codes), effort)
        spent = {part: np.full(len(Q), cost) for part, cost in self.spent().items()}
        return Candidates(np.arange(len(Q) + 1) * effort, ids.ravel(), spent)

    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        efforts = np.array(self.efforts())
        before = ranks_of(self.tables(Q), self.built.codes, wanted)
        found = np.searchsorted(efforts, before + 1).astype(np.int32)
        costs: dict[str, Any] = {**self.spent(), "candidates": efforts}
        shape = (len(Q), len(efforts))
        return found, {part: np.broadcast_to(cost, shape) for part, cost in costs.items()}

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        last = super().trace(q, effort, K)
        codewords = np.arange(self.built.codes.shape[1] * self.built.books.codewords.shape[1])
        spent = self.spent()
        return [
            Step("tables", codewords, codewords, spent["tables"]),
            Step("additions", np.arange(self.n), last[0].kept, spent["additions"]),
            *last,
        ]

    def groups(self) -> list[Ids]:
        """Item -> codeword, of each subspace; none is coarser than another."""
        return list(self.built.codes.T.astype(np.int64))


def _best(scores: Matrix, count: int) -> Ids:
    """The `count` items of highest score (n,), the lower number on ties; ascending."""
    last = np.partition(scores, len(scores) - count)[len(scores) - count]
    above = np.flatnonzero(scores > last)
    tied = np.flatnonzero(scores == last)[: count - len(above)]
    return np.sort(np.concatenate([above, tied]))


@njit(cache=True, nogil=True)
def _tables(Q: Floats, bounds: Ids, codewords: Matrix) -> Matrix:
    """Queries (m, d) in the order of the codebooks -> tables (m, S, k)."""
    m, k = len(Q), codewords.shape[1]
    tables = np.empty((m, len(bounds) - 1, k), np.float32)
    sums = np.empty(k, np.float64)
    for i in range(m):
        for s in range(len(bounds) - 1):
            sums[:] = 0
            for j in range(bounds[s], bounds[s + 1]):
                for c in range(k):
                    sums[c] += Q[i, j] * np.float64(codewords[j, c])
            tables[i, s] = sums
    return tables


@njit(cache=True, nogil=True)
def _scores(table: Matrix, codes: Codes) -> Matrix:
    """(n,) approximate scores: a table (S, k) looked up by codes (n, S), subspaces in order."""
    n, S = codes.shape
    scores = np.empty(n, np.float32)
    for i in range(n):
        total = np.float32(0)
        for s in range(S):
            total += table[s, codes[i, s]]
        scores[i] = total
    return scores
