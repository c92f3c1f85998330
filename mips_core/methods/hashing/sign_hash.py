"""SRP-hash and Simple-LSH: signs of random projections, the same bits on every processor.

Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002: two vectors at
angle t agree in one bit with probability 1 - t/pi. SRP-hash, also called Sign-ALSH: Shrivastava and
Li, "Improved asymmetric locality sensitive hashing (ALSH) for maximum inner product search (MIPS)",
UAI 2015. Simple-LSH: Neyshabur and Srebro, "On symmetric and asymmetric LSHs for inner product
search", ICML 2015.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Matrix
from mips_core.base.kernels import SMALLEST_SLACK, dot, row_norms
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.contract import register
from mips_core.methods.hashing.hash_search import HashIndex
from mips_core.methods.hashing.hash_tables import (
    HashTables,
    Keys,
    SymmetricFamily,
    draw_directions,
    float32_slack,
    hash_items,
)
from mips_core.methods.reductions import REDUCTIONS, PadToSphere, PaperAugment, Reduction
from mips_core.methods.soundness import check_shape, expect, expect_built

MOST_BITS = 64  # of a key
BITS = (4, 6, 8, 10, 12, 16)  # what both grids try


@dataclass(frozen=True)
class SignHashIndex(HashIndex):
    """What both indexes share: the bits of a key, and which numbers of them are tried."""

    main_param: ClassVar[str] = "n_bits"

    n_bits: int = param(
        8,
        "Bits",
        "Random projections whose signs are one key, 1 to 64; 4 to 16 are of use. More make "
        "buckets smaller and hits rarer, and each costs one inner product a table.",
        within=(1, MOST_BITS),
    )

    @property
    @abstractmethod
    def lifting(self) -> Reduction:
        """What turns inner product into angle."""

    def build(
        self, X: Matrix, rng: np.random.Generator, progress: Progress = silent
    ) -> HashTables["SignHash"]:
        progress(0.0, "lifting the items")
        lift = self.lifting.fit(X)
        V = lift.items(X)
        directions = draw_directions(rng, self.n_tables, self.n_bits, V.shape[1])
        return hash_items(SignHash(lift, directions), self.n_tables, V, progress)

    def check_built(self, structure: HashTables["SignHash"]) -> None:
        expect_built(structure.family.lift.reduction, self.lifting, "reduction")
        keys = structure.family.directions.shape[:2]
        expect_built(keys, (self.n_tables, self.n_bits), "keys")

    def setting(self, n: int) -> str:
        bits = counted(self.n_bits, "bit", "bits")
        return f"{bits}, {counted(self.n_tables, *self.effort_nouns)}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["SignHashIndex"]:
        return [cls(n_bits=bits) for bits in BITS]


@dataclass(frozen=True, slots=True, eq=False)
class SignHash(SymmetricFamily):
    """directions (T, p, d') float32: bit j of a key of table t is [directions[t, j] . v >= 0].

    The first bit is the most significant.
    """

    directions: Matrix

    part: ClassVar[str] = "projections"

    def check(self, T: int, d: int) -> None:
        self.lift.check()
        directions = self.directions
        expect(directions.ndim == 3 and 1 <= directions.shape[1] <= MOST_BITS, "a key has no bits")
        check_shape(directions, (T, directions.shape[1], d + self.lift.n_extra), "directions")

    @property
    def per_table(self) -> float:
        return float(self.directions.shape[1])

    def keys(self, V: Matrix) -> Keys:
        T, p, dim = self.directions.shape
        flat = self.directions.reshape(T * p, dim)
        scores = (V @ flat.T).reshape(len(V), T, p)
        lengths = row_norms(flat).reshape(T, p)
        return _signs(V, self.directions, scores, float32_slack(V), lengths)


@njit(cache=True, nogil=True)
def _signs(V: Matrix, directions: Matrix, scores: Matrix, slack: Floats, lengths: Floats) -> Keys:
    """Keys (rows, T) from float32 scores (rows, T, p); those within rounding of 0 are redone."""
    rows, T, p = scores.shape
    keys = np.zeros((rows, T), np.uint64)
    for i in range(rows):
        for t in range(T):
            key = np.uint64(0)
            for j in range(p):
                bit = scores[i, t, j] >= 0
                if abs(scores[i, t, j]) <= slack[i] * lengths[t, j] + SMALLEST_SLACK:
                    bit = dot(directions[t, j], V[i]) >= 0
                key = (key << np.uint64(1)) | np.uint64(bit)
            keys[i, t] = key
    return keys


@final
@register
@dataclass(frozen=True)
class SRPHash(SignHashIndex):
    """Hashes every item to a few bits, the signs of its projections on random directions.

    The reduction first turns inner product into cosine: vectors at a small angle agree in most
    signs. Each table has its own directions, and the items whose key equals the query's are scored.

    Cost: bits × tables used + the distinct items found in them.
    """

    key: ClassVar[str] = "srp-hash"
    label: ClassVar[str] = "SRP-hash"
    cite: ClassVar[str] = "Shrivastava and Li 2015, Sign-ALSH"

    reduction: Reduction = param(
        PaperAugment(),
        "Reduction",
        "How inner product becomes cosine: paper adds m entries that even out the norms, sphere "
        "adds one and is exact (that is Simple-LSH), plain adds none.",
        kinds=REDUCTIONS,
    )

    @property
    def lifting(self) -> Reduction:
        return self.reduction


@final
@register
@dataclass(frozen=True)
class SimpleLSH(SignHashIndex):
    """Pads every item with one entry so that all have one length, and hashes them by signs.

    Angles then rank items exactly as inner products do, with nothing to tune. Each table has
    random directions of its own, and the items whose signs all equal the query's are scored.

    Cost: bits × tables used + the distinct items found in them.
    """

    key: ClassVar[str] = "simple-lsh"
    label: ClassVar[str] = "Simple-LSH"
    cite: ClassVar[str] = "Neyshabur and Srebro 2015"

    @property
    def lifting(self) -> Reduction:
        return PadToSphere()
