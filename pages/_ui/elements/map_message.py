"""What the map shows: plain frozen values, checked when they are made.

What is large, one number or text an item, travels as a `Blob`: the browser fetches it once from
our own server and keeps it, so a move of a slider or a new epoch sends little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pages._ui.elements.blobs import Blob


@dataclass(frozen=True, eq=False)
class MapLayout:
    """Where every item stands."""

    places: Blob  # float32 (n, 2), y upwards
    settled: bool = True  # False while more epochs are to come
    note: str = ""  # "UMAP, epoch 120 of 200"; shown below the picture


@dataclass(frozen=True, eq=False)
class MapLevel:
    """The groups of one level of the index. Arrays are (k,) unless said."""

    label: str  # "141 clusters"
    nouns: tuple[str, str]  # ("cluster", "clusters")
    of: Blob  # int32 (n,) group of each item
    sizes: Any  # int32
    names: Sequence[str]
    central: Any  # int32, the item that carries the name
    colours: Any  # uint8, 0 to 11 of the cluster palette
    parents: Any = None  # int32 group of the next coarser level; None where levels do not nest
    centroids: Any = None  # float32 (k, 2) where the centroids stand on the map; None: not drawn
    measures: Mapping[str, Any] = field(default_factory=dict)  # label -> float32, NaN: not known


@dataclass(frozen=True, eq=False)
class Outlines:
    """Closed lines around groups of the level shown: ring r is points[starts[r]:starts[r+1]]."""

    points: Any  # float32 (v, 2)
    starts: Any  # int32 (r + 1,)
    groups: Any  # int32 (r,)


@dataclass(frozen=True, eq=False)
class Colouring:
    """What the colours of the points say.

    groups: those of the level shown. kinds: a few names, `values` their numbers, uint8 or int32.
    values: numbers float32 from low to high, NaN where not known, on the sequential palette.
    """

    kind: Literal["groups", "kinds", "values"]
    label: str  # "Norm", over the legend
    values: Blob | None = None
    names: Sequence[str] = ()  # of kinds
    low: float = 0.0
    high: float = 1.0
    below: bool = False  # whether values lie below `low`, and are drawn as it is
    above: bool = False
    log: bool = False
    reach: float = 1.0  # share of the palette in use, from its faint end


@dataclass(frozen=True, eq=False)
class PathStep:
    """One step of the walk of a search through the levels of its index."""

    label: str  # "Level 1: 46 clusters scored, 5 kept"
    level: int  # of `levels`; -1 where it is not of one
    scored: Any  # int32 groups of that level
    kept: Any
    spent: float  # inner products of this step


@dataclass(frozen=True, eq=False)
class MapSearch:
    """One search, at every effort. p efforts, K true answers."""

    name: str  # "castle"
    place: tuple[float, float]  # where the query stands
    item: int  # the item that asks, or -1
    effort_label: str
    effort_nouns: tuple[str, str]
    effort_help: str
    efforts: Any  # int32 (p,), fewer than 65,535
    chosen: int  # position in efforts
    opened: Blob  # int32 (n,) first position at which each item is a candidate; p is never
    lost_starts: Any  # int32 (p + 1,); lost_ids[lost_starts[i]:lost_starts[i+1]] are no candidates
    lost_ids: Any  # int32; at position i though opened before (a wider beam may lose some)
    candidates: Any  # int32 (p,)
    costs: Mapping[str, Any]  # part -> float32 (p,) inner products
    true: Any  # int32 (K,) true answers, best first
    found: Any  # uint8 (p, K)
    why: Sequence[str]  # (K,) where it lies and what would find it
    order: Any  # int32 (g,) groups of the finest level in the order they are opened; may be empty
    order_at: Any  # int32 (g,) position in efforts at which each is opened
    steps: Sequence[PathStep]  # of the effort chosen; empty where there is no walk
    sentence: str  # with **bold** and {effort} {candidates} {found} {missed} {K} {speedup}
    sentence_below_one: str


@dataclass(frozen=True, eq=False)
class MapMessage:
    """The whole map. A new `topic` (other data) resets camera and selection."""

    n: int
    topic: str
    layout: MapLayout
    colouring: Colouring
    levels: Sequence[MapLevel]  # coarsest first
    level: int  # the one shown
    norms: Blob  # float32 (n,)
    labels: Blob | None  # JSON list of n texts, as they are
    alt: str
    query: str = ""  # what is followed, known or not yet; "" for nothing
    offers: Sequence[tuple[str, str]] = ()  # what to ask for a start, as links write it, by name
    followed: MapSearch | None = None
    outlines: Outlines | None = None
    show_names: bool = True
    show_tree: bool = True
    chosen: Any = None  # sorted int items selected by Python; None: leave what the visitor selected
    focus: int = -1  # group of the level shown to zoom to, when it changes
    height: int = 560
    file_name: str = ""


@dataclass(frozen=True, eq=False)
class MapChoice:
    """What the visitor did on the map."""

    effort: int | None = None  # position in efforts, None until moved
    selected: Any = None  # int64 (s,) ascending items; None: nothing is selected
    how: str = ""  # "lasso", "click", "group"
    focus: int = -1  # group of the level shown that was clicked
    follow: str | None = None  # what to ask, as links write it, or "": nothing more; told once
    fresh: bool = False  # whether something was done since the last run
