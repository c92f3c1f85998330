"""L2-ALSH: hash functions for Euclidean distance, on vectors whose distance ranks inner products.

Shrivastava and Li, "Asymmetric LSH (ALSH) for sublinear time maximum inner product search (MIPS)",
NIPS 2014. P(x) = [s x, |s x|^2, |s x|^4, ..., |s x|^(2^m)] and Q(q) = [q / |q|, 1/2, ..., 1/2] have
|Q - P|^2 = 1 + m/4 - 2 s q.x / |q| + |s x|^(2^(m+1)), and the last term vanishes as m grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import dot, row_norms
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import stream
from mips_core.base.text import counted
from mips_core.base.threads import map_blocks
from mips_core.methods.contract import register
from mips_core.methods.hashing.hash_search import HashIndex
from mips_core.methods.hashing.hash_tables import (
    HashTables,
    Keys,
    bucket,
    draw_directions,
    float32_slack,
)
from mips_core.methods.hashing.mixed_radix import MixedRadix
from mips_core.methods.reductions import LiftedRows, PaperAugment, lengths_of
from mips_core.methods.soundness import check_shape, expect, expect_built

FLOAT64_ROUNDING = 2.0**-50  # of a sum and a quotient, and to spare


@final
@register
@dataclass(frozen=True)
class L2ALSH(HashIndex):
    """Hashes every item to whole numbers: projections on random directions, cut into buckets.

    Extra entries first turn the largest inner product into the smallest distance, nearly. Each
    table has directions of its own, and the items whose numbers all equal the query's are scored.

    Cost: hashes × tables used + the distinct items found in them.
    """

    key: ClassVar[str] = "l2-alsh"
    label: ClassVar[str] = "L2-ALSH"
    cite: ClassVar[str] = "Shrivastava and Li 2014"
    main_param: ClassVar[str] = "n_hashes"

    n_hashes: int = param(
        7,
        "Hashes",
        "Whole numbers that are one key, 1 to 32; 2 to 14 are of use. More make buckets smaller "
        "and hits rarer, and each costs one inner product a table.",
        within=(1, 32),
    )
    r: float = param(
        2.5,
        "Bucket width r",
        "Projections less than r apart may share a number, 0.1 to 100; the source advises 2.5. "
        "Wider makes buckets larger.",
        within=(0.1, 100),
    )
    U: float = param(
        0.83,
        "U",
        "Norms are scaled so that the largest is U, 0.05 to 0.99; the source advises 0.83. Larger "
        "keeps more of the norm, and ranks less exactly.",
        within=(0.05, 0.99),
    )
    m: int = param(
        3,
        "m",
        "Extra entries, 1 to 8; the source advises 3. More rank more exactly.",
        within=(1, 8),
    )

    def build(
        self, X: Matrix, rng: np.random.Generator, progress: Progress = silent
    ) -> HashTables["L2Hash"]:
        progress(0.0, "lifting the items")
        V = lift_items(X, self.U, self.m)
        return hash_values(draw_functions(rng, self, V.shape[1]), self.m, V, progress)

    def check_built(self, structure: HashTables["L2Hash"]) -> None:
        functions, m = structure.family.functions, structure.family.m
        expect_built(functions.a.shape[:2], (self.n_tables, self.n_hashes), "keys")
        expect_built((functions.r, m), (self.r, self.m), "r and m")

    def setting(self, n: int) -> str:
        hashes = counted(self.n_hashes, "hash", "hashes")
        return f"{hashes}, {counted(self.n_tables, *self.effort_nouns)}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["L2ALSH"]:
        return [cls(n_hashes=p) for p in (2, 4, 7, 10, 14)]


def lift_items(X: Matrix, U: float, m: int) -> Matrix:
    """P(x) of the items X (n, d): (n, d + m), with s = U / max |x|."""
    scale = PaperAugment(U, m).fit(X).scale
    norms = lengths_of(X) * scale
    columns = [norms * norms]
    while len(columns) < m:
        columns.append(columns[-1] * columns[-1])  # exponents double
    return LiftedRows(X, scale, np.stack(columns, axis=1).astype(np.float32))[:]


def lift_queries(Q: Matrix, m: int) -> Matrix:
    """Q(q) of the queries Q (rows, d): (rows, d + m). A zero query keeps its zeros."""
    lengths = np.maximum(row_norms(Q), np.finfo(np.float64).tiny)
    lifted = np.full((len(Q), Q.shape[1] + m), 0.5, np.float32)
    lifted[:, : Q.shape[1]] = Q / lengths[:, None]
    return lifted


@dataclass(frozen=True, slots=True, eq=False)
class FloorFunctions:
    """h(v) = floor((a.v + b) / r), p to a table: a (T, p, d') float32, b (T, p) in [0, r).

    Datar et al., "Locality-sensitive hashing scheme based on p-stable distributions", SoCG 2004.
    """

    a: Matrix
    b: Floats
    r: float

    def values(self, V: Matrix, slack: Floats, tables: slice) -> Ids:
        """(t, p, rows) hash values of V (rows, d') in t of the tables, with V's float32_slack."""
        a, b = self.a[tables], self.b[tables]
        t, p, dim = a.shape
        flat = a.reshape(t * p, dim)
        values = _floors(V, flat, V @ flat.T, slack, b.ravel(), self.r)
        return values.reshape(t, p, len(V))


@dataclass(frozen=True, slots=True, eq=False)
class L2Hash:
    """The hash functions of T tables, and how the p values of each are joined to one key."""

    functions: FloorFunctions
    m: int
    radix: tuple[MixedRadix, ...]

    part: ClassVar[str] = "projections"

    def check(self, T: int, d: int) -> None:
        a = self.functions.a
        expect(a.ndim == 3 and a.shape[1] >= 1 and self.m >= 1, "a key has no numbers")
        check_shape(a, (T, a.shape[1], d + self.m), "directions")
        check_shape(self.functions.b, a.shape[:2], "offsets")
        expect(self.functions.r > 0, "the width of buckets is not positive")
        expect(len(self.radix) == T, f"it joins numbers for {len(self.radix)} tables, not {T}")
        for radix in self.radix:
            radix.check(a.shape[1])

    @property
    def per_table(self) -> float:
        return float(self.functions.a.shape[1])

    def query_keys(self, Q: Matrix) -> Keys:
        V = lift_queries(Q, self.m)
        values = self.functions.values(V, float32_slack(V), slice(None))
        joined = [radix.keys(own) for radix, own in zip(self.radix, values, strict=True)]
        return np.stack(joined, axis=1)


def draw_functions(rng: np.random.Generator, spec: L2ALSH, dim: int) -> FloorFunctions:
    """a from N(0, 1), b uniform in [0, r). More tables or hashes leave the first as they were."""
    T, p = spec.n_tables, spec.n_hashes
    b = [stream(rng, "offsets", t).uniform(0.0, spec.r, p) for t in range(T)]
    return FloorFunctions(draw_directions(rng, T, p, dim), np.stack(b), spec.r)


def hash_values(
    functions: FloorFunctions, m: int, V: Matrix, progress: Progress
) -> HashTables[L2Hash]:
    """The tables of the lifted items V (n, d + m)."""
    T, n = len(functions.a), len(V)
    slack = float32_slack(V)
    keys = np.empty((T, n), np.uint64)

    def work(t: int, _: int) -> MixedRadix:
        progress(0.6 * t / T, f"table {t + 1} of {T} hashed")
        values = functions.values(V, slack, slice(t, t + 1))[0]
        radix = MixedRadix.fit(values)
        keys[t] = radix.keys(values)
        return radix

    family = L2Hash(functions, m, tuple(map_blocks(work, T, 1)))
    return HashTables(n, family, bucket(keys, span(progress, 0.6, 1.0)))


@njit(cache=True, nogil=True)
def _floors(V: Matrix, a: Matrix, scores: Matrix, slack: Floats, b: Floats, r: float) -> Ids:
    """(h, rows) floor((a.v + b) / r) from float32 scores; those near a whole number are redone."""
    values = np.empty((len(a), len(V)), np.int64)
    for j in range(len(a)):
        length = np.sqrt(dot(a[j], a[j]))
        for i in range(len(V)):
            shifted = np.float64(scores[i, j]) + b[j]
            near = slack[i] * length + FLOAT64_ROUNDING * (abs(shifted) + r)
            if abs(shifted - np.rint(shifted / r) * r) <= near:
                shifted = dot(a[j], V[i]) + b[j]
            values[j, i] = np.int64(np.floor(shifted / r))
    return values
