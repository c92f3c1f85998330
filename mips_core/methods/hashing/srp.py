"""SRP-hash, also called Sign-ALSH: signs of random projections of augmented vectors.

Shrivastava and Li, "Improved asymmetric locality sensitive hashing (ALSH) for maximum inner product
search (MIPS)", UAI 2015.
"""

from dataclasses import dataclass
from typing import ClassVar, final

from mips_core.base.params import param
from mips_core.methods.contract import register
from mips_core.methods.hashing.sign_hash import SignHashIndex
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

    @property
    def lifting(self) -> Reduction:
        return self.reduction
