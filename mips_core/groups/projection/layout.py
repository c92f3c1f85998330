"""Where the items of a data set stand on the map."""

from dataclasses import dataclass
from typing import Literal

from mips_core.base.arrays import Ids, Matrix

Method = Literal["pca", "umap"]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """xy (n, 2) float32, finite: the place of every item, y upwards.

    note says in words what a reader of the picture should know, "" where there is nothing to say.
    epoch of epochs tells how far UMAP came. fitted holds the ascending ids of the items UMAP was
    fitted to, None where it was all of them; the others were placed by their neighbours.
    """

    xy: Matrix
    method: Method
    settled: bool = True  # False while a better layout is to come
    note: str = ""
    epoch: int = 0
    epochs: int = 0
    fitted: Ids | None = None
    reproducible: bool = True
