"""What the Map page is asked for: declared once, kept in the session, written in links."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from mips_core.base.arrays import Ids
from mips_core.base.params import check, param, same_param
from mips_core.groups.projection.layout import ProjectionRecipe, Space

# group: by cluster where they are few, by density where many; other: by the other of the two
Colour = Literal["group", "other", "norm", "answers", "missed", "label", "score", "moved"]


@dataclass(frozen=True, eq=False)
class Marked:
    """Items (s,) ascending that are selected, perhaps none: by the visitor, or by a page."""

    topic: str  # names the items that there are
    items: Ids
    by_page: bool


@dataclass(frozen=True)
class MapState:
    """Every item in two dimensions, with the index and a search upon it."""

    layout: Literal["umap", "pca"] = param(
        "umap",
        "Layout",
        "UMAP keeps neighbours together. PCA is a straight shadow of the data, there at once.",
        choices=("umap", "pca"),
    )
    space: Space = same_param(ProjectionRecipe, "space")
    colour: Colour = param(
        "group",
        "Colour by",
        "What the colours of the points say.",
        choices=get_args(Colour),
    )
    level: int = param(0, "Level", "Of the clusters shown; 0 is the finest.", within=(0, 30))
    follow: bool = param(False, "Follow a search", "Show one search on the map.")
    names: bool = param(True, "Names", "Clusters are named on the map by items in their middle.")
    outlines: Literal["none", "hull", "dense"] = param(
        "none",
        "Outlines",
        "Hull: around all items of a cluster. Dense: around where most of them lie.",
        choices=("none", "hull", "dense"),
    )
    neighbours: int = same_param(ProjectionRecipe, "n_neighbors")
    apart: float = same_param(ProjectionRecipe, "min_dist")
    speed: Literal["reproducible", "parallel"] = same_param(ProjectionRecipe, "mode")
    other: int = param(
        0, "Compare with", "Number of the index held beside it; 0 is none.", within=(0, 99)
    )
    other_level: int = param(0, "Its level", "Of the other index; 0 is the finest.", within=(0, 30))
    order: Literal["largest", "smallest", "most_misses", "most_opened"] = param(
        "largest",
        "First",
        "Which clusters head the table of clusters.",
        choices=("largest", "smallest", "most_misses", "most_opened"),
    )
    focus: int = param(
        -1, "Group", "The one zoomed to and listed below; -1 is none.", within=(-1, 10**9)
    )
    # Not in a link, which would grow with them:
    focused: Any = field(default=None, compare=False)  # names the level that `focus` is of
    marked: Marked | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check(self)
