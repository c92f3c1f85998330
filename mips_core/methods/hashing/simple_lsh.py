"""Simple-LSH: signs of random projections of items padded to one length.

Neyshabur and Srebro, "On symmetric and asymmetric LSHs for inner product search", ICML 2015.
"""

from dataclasses import dataclass
from typing import ClassVar, final

from mips_core.methods.contract import register
from mips_core.methods.hashing.sign_hash import SignHashIndex
from mips_core.methods.reductions import PadToSphere, Reduction


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
