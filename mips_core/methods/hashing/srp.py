"""SRP-hash, also called Sign-ALSH: signs of random projections of augmented vectors.

Shrivastava and Li, "Improved asymmetric locality sensitive hashing (ALSH) for maximum inner product
search (MIPS)", UAI 2015.
"""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.params import param
from mips_core.base.progress import Progress, silent
from mips_core.methods.contract import register
from mips_core.methods.hashing.hash_tables import HashTables
from mips_core.methods.hashing.sign_hash import SignHash, SignHashIndex, build_signs
from mips_core.methods.reductions import REDUCTIONS, PaperAugment, Reduction


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

    def build(
        self, X: Matrix, rng: np.random.Generator, progress: Progress = silent
    ) -> HashTables[SignHash]:
        return build_signs(self.reduction, (self.n_tables, self.n_bits), X, rng, progress)

    def check_built(self, structure: HashTables[SignHash]) -> None:
        self.check_signs(structure, self.reduction)
