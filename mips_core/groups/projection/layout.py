"""What a layout is made from, and what it is: where the items of a data set stand on the map."""

from dataclasses import dataclass
from typing import Literal

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.params import check, param

Space = Literal["index", "cosine", "given"]

DEFAULT_FITTED = 50_000
"""Most items that UMAP is fitted to unless asked: a minute or two on two cores."""
Method = Literal["pca", "umap"]


@dataclass(frozen=True)
class ProjectionRecipe:
    """How items become points of the plane."""

    space: Space = param(
        "index",
        "Near means",
        "index: near for the index, in the unit vectors its reduction makes. cosine: pointing the "
        "same way. given: near as the vectors are, by Euclidean distance.",
        choices=("index", "cosine", "given"),
    )
    n_neighbors: int = param(
        15,
        "Neighbours",
        "How many neighbours of each item, itself among them, UMAP keeps near it. Few show "
        "detail, many the whole.",
        within=(2, 100),
    )
    min_dist: float = param(
        0.1, "Least distance", "How near UMAP may put two items; 0 packs them.", within=(0.0, 1.0)
    )
    epochs: int = param(
        0, "Epochs", "Rounds of moving the items; 0 chooses by their number.", within=(0, 5000)
    )
    mode: Literal["reproducible", "parallel"] = param(
        "reproducible",
        "UMAP runs",
        "reproducible: the same picture every time on this machine, on one processor. parallel: "
        "on all processors, and a little different every time.",
        choices=("reproducible", "parallel"),
    )
    sample: int = param(
        0,
        "Items fitted",
        "UMAP is fitted to a seeded sample of at most so many items; the others are placed by "
        f"their neighbours in it. 0 fits {DEFAULT_FITTED:,}.",
        within=(0, 1_000_000),
    )
    seed: int = param(
        0, "Seed", "Fixes the sample and how UMAP moves the items.", within=(0, 2**31)
    )

    def __post_init__(self) -> None:
        check(self)

    def fitted_of(self, n: int) -> int:
        """How many of n items UMAP is fitted to."""
        return min(n, self.sample or DEFAULT_FITTED)


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
