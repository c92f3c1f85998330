"""WTA-hash: which of a few coordinates is largest, under random permutations.

Yagnik et al., "The power of comparative reasoning", ICCV 2011; Vijayanarasimhan et al., "Deep
networks with large output spaces", 2014.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import stream
from mips_core.base.text import counted
from mips_core.methods.contract import register
from mips_core.methods.hashing.hash_search import HashIndex
from mips_core.methods.hashing.hash_tables import HashTables, Keys, SymmetricFamily, hash_items
from mips_core.methods.reductions import REDUCTIONS, PaperAugment, Reduction
from mips_core.methods.soundness import check_within, expect, expect_built


@final
@register
@dataclass(frozen=True)
class WTAHash(HashIndex):
    """Hashes every item by comparing its coordinates with each other: winner takes all.

    A code is the place of the largest among the first few coordinates of a random permutation, and
    a key is a few codes. Each table has permutations of its own, and the items whose key equals
    the query's are scored.

    Cost: permutations × prefix / d × tables used, since a comparison is a d-th of an inner
    product, + the distinct items found in them.
    """

    key: ClassVar[str] = "wta-hash"
    label: ClassVar[str] = "WTA-hash"
    cite: ClassVar[str] = "Vijayanarasimhan et al. 2014"
    main_param: ClassVar[str] = "n_permutations"

    n_permutations: int = param(
        3,
        "Permutations",
        "Codes that are one key, 1 to 16; 1 to 6 are of use. More make buckets smaller and hits "
        "rarer.",
        within=(1, 16),
    )
    prefix: int = param(
        8,
        "Prefix",
        "Coordinates compared for a code, 2 to 16, or all where there are fewer. More make "
        "buckets smaller and hits rarer.",
        within=(2, 16),
    )
    reduction: Reduction = param(
        PaperAugment(),
        "Reduction",
        "paper hashes vectors with m extra entries that even out the norms; a code that compares "
        "one of those seldom meets the query's. plain hashes the vectors as they are. sphere adds "
        "one entry.",
        kinds=REDUCTIONS,
    )

    def build(
        self, X: Matrix, rng: np.random.Generator, progress: Progress = silent
    ) -> HashTables["WinnerHash"]:
        progress(0.0, "lifting the items")
        d = X.shape[1]
        lift = self.reduction.fit(X)
        prefixes = draw_prefixes(rng, self, d + lift.n_extra)
        family = WinnerHash(lift, prefixes, d)
        return hash_items(family, self.n_tables, lift.items(X), progress)

    def check_built(self, structure: HashTables["WinnerHash"]) -> None:
        family = structure.family
        expect_built(family.lift.reduction, self.reduction, "reduction")
        prefix = min(self.prefix, family.d + family.lift.n_extra)
        permutations = (self.n_tables, self.n_permutations, prefix)
        expect_built(family.prefixes.shape, permutations, "permutations")

    def setting(self, n: int) -> str:
        codes = counted(self.n_permutations, "permutation", "permutations")
        tables = counted(self.n_tables, *self.effort_nouns)
        return f"{codes} of prefix {self.prefix}, {tables}"

    @classmethod
    def grid(cls, n: int, d: int) -> Sequence["WTAHash"]:
        lifted = d + PaperAugment().m
        sizes = ((1, 16), (2, 8), (4, 4), (3, 8), (6, 4), (2, 16), (4, 8), (3, 16))
        clipped = dict.fromkeys((p, min(k, lifted)) for p, k in sizes)
        return [cls(n_permutations=p, prefix=k) for p, k in clipped]


@dataclass(frozen=True, slots=True, eq=False)
class WinnerHash(SymmetricFamily):
    """prefixes (T, p, k): code j of table t is the place of the largest of v[prefixes[t, j]].

    The first place on ties. A key is its p codes as digits of base k, the first most significant:
    64 bits hold 16 codes of base 16. d is the dimension before lifting.
    """

    prefixes: Ids
    d: int

    part: ClassVar[str] = "comparisons"

    def check(self, T: int, d: int) -> None:
        self.lift.check()
        expect(self.d == d, f"it hashes vectors of {self.d} dimensions, not {d}")
        expect(self.prefixes.ndim == 3 and self.prefixes.size > 0, "there are no permutations")
        expect(len(self.prefixes) == T, f"it hashes for {len(self.prefixes)} tables, not {T}")
        check_within(self.prefixes, d + self.lift.n_extra, "a permutation")

    @property
    def per_table(self) -> float:
        _, p, k = self.prefixes.shape
        return p * k / self.d

    def keys(self, V: Matrix) -> Keys:
        return _winners(V, self.prefixes)


def draw_prefixes(rng: np.random.Generator, spec: WTAHash, dim: int) -> Ids:
    """(T, p, k) the first k = min(prefix, dim) entries of p permutations of range(dim) a table."""
    k = min(spec.prefix, dim)
    streams = [stream(rng, "permutations", t) for t in range(spec.n_tables)]
    return np.array(
        [[draws.permutation(dim)[:k] for _ in range(spec.n_permutations)] for draws in streams]
    )


@njit(cache=True, nogil=True)
def _winners(V: Matrix, prefixes: Ids) -> Keys:
    """Keys (rows, T) of V (rows, d')."""
    T, p, k = prefixes.shape
    keys = np.zeros((len(V), T), np.uint64)
    for i in range(len(V)):
        for t in range(T):
            key = np.uint64(0)
            for j in range(p):
                code = 0
                largest = V[i, prefixes[t, j, 0]]
                for at in range(1, k):
                    value = V[i, prefixes[t, j, at]]
                    if value > largest:
                        code, largest = at, value
                key = key * np.uint64(k) + np.uint64(code)
            keys[i, t] = key
    return keys
