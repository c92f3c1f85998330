"""From largest inner product to largest cosine: lift items to near-equal length, keeping scores.

A Reduction is a value (kind and parameters). `fit` freezes the scale of a set of items and returns
the Lift that moves items and queries.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.params import check, param
from mips_core.base.threads import map_blocks
from mips_core.methods.soundness import expect

ROW_BLOCK = 4096  # rows whose lengths are taken at once

REDUCTIONS: dict[str, type["Reduction"]] = {}


@dataclass(frozen=True, slots=True, eq=False)
class LiftedRows:
    """Lifted items (n, d + n_extra), made where they are looked at: the items are not copied whole.

    Indexed by a slice or by row numbers, gives the float32 rows that `Lift.items` holds there. X
    may be float16, as a memory map say: every float16 is a float32, so the rows are the same.
    """

    X: Matrix
    scale: float
    extra: Matrix  # (n, n_extra)

    @property
    def shape(self) -> tuple[int, int]:
        """Of the matrix these rows stand for."""
        return len(self.X), self.X.shape[1] + self.extra.shape[1]

    def __len__(self) -> int:
        return len(self.X)

    def __getitem__(self, rows: slice | Ids) -> Matrix:
        items, extra = self.X[rows].astype(np.float32, copy=False), self.extra[rows]
        lifted = np.empty((len(items), self.shape[1]), np.float32)
        _join(items, self.scale, extra, lifted)
        return lifted


@dataclass(frozen=True, slots=True, eq=False)
class Lift:
    """A reduction fitted to its items: their scale is frozen.

    items    X (n, d) -> (n, d + n_extra) float32
    rows     the same, made block by block
    queries  Q (m, d) -> (m, d + n_extra) float32; unscaled, since only its direction matters
    """

    reduction: "Reduction"
    scale: float

    @property
    def n_extra(self) -> int:
        """Entries added to a vector."""
        return self.reduction.n_extra

    def check(self) -> None:
        """It brings items to a length above 0. Raises UnsoundError."""
        expect(self.scale > 0, "the scale of the items is not positive")

    def extra(self, norms: Floats) -> Floats:
        """The entries (n, n_extra) added to items of scaled norms (n,)."""
        return self.reduction.extra(norms)

    def rows(self, X: Matrix) -> LiftedRows:
        extra = np.empty((len(X), self.n_extra), np.float32)
        if self.n_extra:
            extra[:] = self.extra(lengths_of(X) * self.scale)
        return LiftedRows(X, self.scale, extra)

    def items(self, X: Matrix) -> Matrix:
        return self.rows(X)[:]

    def queries(self, Q: Matrix) -> Matrix:
        if not self.n_extra:
            return Q
        return np.ascontiguousarray(np.pad(Q, ((0, 0), (0, self.n_extra))))


@dataclass(frozen=True)
class Reduction(ABC):
    """For every query, lifted items rank by cosine (nearly) as items rank by inner product."""

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        REDUCTIONS[cls.kind] = cls

    def __post_init__(self) -> None:
        check(self)

    @property
    @abstractmethod
    def n_extra(self) -> int:
        """Entries added to a vector."""

    @property
    def longest(self) -> float:
        """The length to which the longest item is scaled."""
        return 1.0

    @abstractmethod
    def extra(self, norms: Floats) -> Floats:
        """The entries (n, n_extra) added to items of scaled norms (n,)."""

    @final
    def fit(self, X: Matrix) -> Lift:
        """The Lift for the items X (n, d)."""
        longest = float(lengths_of(X).max())
        return Lift(self, self.longest / longest if longest > 0 else 1.0)


def lengths_of(X: Matrix | LiftedRows) -> Floats:
    """(n,) Euclidean lengths of rows that may be float16, or made block by block."""

    def work(start: int, stop: int) -> Floats:
        return row_norms(X[start:stop].astype(np.float32, copy=False))

    return np.concatenate(map_blocks(work, len(X), ROW_BLOCK))


@njit(cache=True, nogil=True)
def _join(items: Matrix, scale: float, extra: Matrix, lifted: Matrix) -> None:
    """lifted = [scale items, extra]; the scale is a float64, as it may exceed float32."""
    d = items.shape[1]
    for i in range(len(items)):
        item, row = items[i], lifted[i]
        for j in range(d):
            row[j] = np.float64(item[j]) * scale
        for j in range(extra.shape[1]):
            row[d + j] = extra[i, j]


@final
@dataclass(frozen=True)
class PaperAugment(Reduction):
    """P(x) = [s x, 1/2 - |s x|^2, 1/2 - |s x|^4, ..., 1/2 - |s x|^(2^m)], Q(q) = [q, 0, ..., 0].

    s = U / max |x|; |P|^2 = m/4 + |s x|^(2^(m+1)), and Q(q).P(x) = s q.x exactly. Auvolat et al.
    2015, equations 4 to 6, after Shrivastava and Li, "Improved asymmetric locality sensitive
    hashing", 2015.
    """

    kind: ClassVar[str] = "paper"

    U: float = param(
        0.75,
        "U",
        "Norms are scaled so that the largest is U, below 1. Larger keeps more of the norm, and "
        "lets more pairs swap.",
        within=(0.05, 0.99),
    )
    m: int = param(
        2,
        "m",
        "Extra entries that even out the norms, 1 to 8. More bring the order closer to the true "
        "one.",
        within=(1, 8),
    )

    @property
    def n_extra(self) -> int:
        return self.m

    @property
    def longest(self) -> float:
        return self.U

    def extra(self, norms: Floats) -> Floats:
        powers = np.empty((len(norms), self.m))
        power = norms
        for j in range(self.m):
            power = power * power  # |s x|^(2^(j+1)): exponents double
            powers[:, j] = power
        return 0.5 - powers


@final
@dataclass(frozen=True)
class PadToSphere(Reduction):
    """x -> [x, sqrt(M^2 - |x|^2)] / M with M the longest length, and q -> [q, 0]: exact.

    Bachrach et al., "Speeding up the Xbox recommender system using a Euclidean transformation for
    inner-product spaces", RecSys 2014.
    """

    kind: ClassVar[str] = "sphere"

    @property
    def n_extra(self) -> int:
        return 1

    def extra(self, norms: Floats) -> Floats:
        return np.sqrt(np.maximum(0.0, 1.0 - norms**2))[:, None]  # rounding may pass 1


@final
@dataclass(frozen=True)
class Plain(Reduction):
    """x -> x / M with M the longest length: no reduction, for comparison. Norms stay unequal."""

    kind: ClassVar[str] = "plain"

    @property
    def n_extra(self) -> int:
        return 0

    def extra(self, norms: Floats) -> Floats:
        return np.empty((len(norms), 0))


def reduction_of(index: object) -> Reduction | None:
    """That of an index; None for one without."""
    reduction = getattr(index, "reduction", None)
    return reduction if isinstance(reduction, Reduction) else None


def reduction_param() -> Reduction:
    """The declared choice of a reduction, with the paper's as default."""
    reduction: Reduction = param(
        PaperAugment(),
        "Reduction",
        "How inner product becomes cosine: paper adds m entries that even out the norms, sphere "
        "adds one and is exact, plain adds none.",
        kinds=REDUCTIONS,
        phrase="{} reduction",
    )
    return reduction
