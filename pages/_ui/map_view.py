"""What the Map page is asked for: declared once, kept in the session, written in links."""

from dataclasses import dataclass, field
from typing import Any, Literal

from mips_core.arrays import Ids
from mips_core.params import check, param


@dataclass(frozen=True, eq=False)
class Marked:
    """Items (s,) ascending that are selected, perhaps none: by the visitor, or by a page."""

    topic: str  # names the items that there are
    items: Ids
    by_page: bool


@dataclass(frozen=True)
class MapView:
    """Every item in two dimensions, with the index and a search upon it."""

    layout: Literal["umap", "pca"] = param(
        "umap",
        "Layout",
        "UMAP keeps neighbours together. PCA is a straight shadow of the data, there at once.",
        choices=("umap", "pca"),
    )
    space: Literal["index", "cosine", "given"] = param(
        "index",
        "Near means",
        "Index: near for the index, in the unit vectors its reduction makes. Cosine: pointing the "
        "same way. Given: near as the vectors are, by Euclidean distance.",
        choices=("index", "cosine", "given"),
    )
    colour: Literal["group", "norm", "answers", "missed", "label", "score", "moved"] = param(
        "group",
        "Colour by",
        "What the colours of the points say.",
        choices=("group", "norm", "answers", "missed", "label", "score", "moved"),
    )
    level: int = param(0, "Level", "Of the clusters shown; 0 is the finest.", low=0, high=30)
    follow: bool = param(False, "Follow a search", "Show one search on the map.")
    names: bool = param(True, "Names", "Clusters are named on the map by their most central item.")
    outlines: Literal["none", "hull", "dense"] = param(
        "none",
        "Outlines",
        "Hull: around all items of a cluster. Dense: around where most of them lie.",
        choices=("none", "hull", "dense"),
    )
    neighbours: int = param(
        15,
        "Neighbours",
        "How many neighbours of each item UMAP keeps near it. Few show detail, many the whole.",
        low=2,
        high=100,
    )
    apart: float = param(
        0.1, "Least distance", "How near UMAP may put two items; 0 packs them.", low=0.0, high=1.0
    )
    speed: Literal["reproducible", "parallel"] = param(
        "reproducible",
        "UMAP runs",
        "Reproducible: the same picture every time on this machine, on one processor. Parallel: "
        "on all processors, and a little different every time.",
        choices=("reproducible", "parallel"),
    )
    other: int = param(
        0, "Compare with", "Number of the index held beside it; 0 is none.", low=0, high=99
    )
    other_level: int = param(0, "Its level", "Of the other index; 0 is the finest.", low=0, high=30)
    order: Literal["largest", "smallest", "most_misses", "most_opened"] = param(
        "largest",
        "First",
        "Which clusters head the table of clusters.",
        choices=("largest", "smallest", "most_misses", "most_opened"),
    )
    focus: int = param(
        -1, "Group", "The one zoomed to and listed below; -1 is none.", low=-1, high=10**9
    )
    # Not in a link, which would grow with them:
    focused: Any = field(default=None, compare=False)  # names the level that `focus` is of
    marked: Marked | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check(self)
