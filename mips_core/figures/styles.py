"""How each method looks in every figure, chip, table and export.

Hue says the family, dash the member of it, and the marker is unique to the method, so that no
curve is known by colour alone. Figures never hold a theme's colours. They hold *tokens* such as
"$flat-kmeans" or "$flat-kmeans@0.15", which `resolve` turns into CSS colours for one theme. The
browser does the same for charts on a page, and Python does it for exports.
"""

from collections.abc import Mapping
from html import escape
from typing import Any, Literal, NamedTuple

from mips_core.methods.indexes import INDEXES
from mips_core.serving.other_libraries import RIVALS

Mode = Literal["light", "dark"]
MODES: tuple[Mode, Mode] = ("light", "dark")


class MethodStyle(NamedTuple):
    """One method's name and drawing."""

    label: str
    short: str  # for narrow screens, at most 12 characters
    family: str
    light: str
    dark: str
    dash: str  # plotly line.dash
    symbol: str  # plotly marker.symbol
    glyph: str  # the marker as a character


# What follows the name in MethodStyle.
_LOOKS: dict[str, tuple[str, str, str, str, str, str, str]] = {
    "flat-kmeans": ("Flat", "k-means", "#2563D9", "#7DA6FF", "solid", "circle", "●"),
    "hierarchical-kmeans": ("Hierarchical", "k-means", "#06405E", "#4F8DB8", "dash", "square", "■"),
    "multi-kmeans": ("Multi", "k-means", "#1F0A8C", "#1F8FFF", "dot", "diamond", "◆"),
    "top-down-kmeans": ("Top-down", "k-means", "#667DFD", "#B3D6FF", "dashdot", "square-open", "□"),
    "head-kmeans": ("Norm head", "k-means", "#1400E0", "#BDB4F9", "longdash", "circle-dot", "◉"),
    "pca-tree": ("PCA-tree", "tree", "#006651", "#45CF90", "solid", "triangle-up", "▲"),
    "ip-tree": ("IP-tree", "tree", "#5E9F6E", "#97F5CD", "dash", "triangle-down", "▼"),
    "srp-hash": ("SRP-hash", "hash", "#BD2703", "#F08A24", "solid", "cross", "✚"),
    "wta-hash": ("WTA-hash", "hash", "#F0640F", "#E4572E", "dash", "x", "✕"),
    "l2-alsh": ("L2-ALSH", "hash", "#7F2300", "#B4705F", "dot", "diamond-open", "◇"),
    "simple-lsh": ("Simple-LSH", "hash", "#541407", "#FFD84A", "dashdot", "triangle-up-open", "△"),
    "product-quantization": ("PQ", "quantization", "#96309E", "#E65AD4", "solid", "star", "★"),
    "largest-norm": ("Norms", "baseline", "#6B727B", "#A3A9B1", "longdash", "hexagon", "⬢"),
    "exact": ("Exact", "baseline", "#6B727B", "#A3A9B1", "solid", "line-ew", "─"),
}
METHODS = {key: MethodStyle(INDEXES[key].label, *look) for key, look in _LOOKS.items()}

# For an index without a style of its own: spare markers, each with a spare dash.
_SPARE = (
    *(("pentagon", "⬟", "solid"), ("star-open", "☆", "dash"), ("hexagon-open", "⬡", "dot")),
    *(("circle-open", "○", "dashdot"), ("pentagon-open", "⬠", "longdash")),
)


def spare_style(label: str, number: int) -> MethodStyle:
    """A style for the method `label`, the number-th without one of its own."""
    symbol, glyph, dash = _SPARE[number % len(_SPARE)]
    return MethodStyle(label, label[:12], "other", "#6B6B1E", "#C3C36B", dash, symbol, glyph)


for _number, _key in enumerate(key for key in INDEXES if key not in METHODS):
    METHODS[_key] = spare_style(INDEXES[_key].label, _number)

# Indexes of other libraries are drawn in ink, each with a dash and a marker of its own.
_INK, _GOOD = ("#18202B", "#E8ECF1"), ("#0B6B4F", "#45CF90")
_OTHERS = (
    *(("solid", "triangle-right", "►"), ("dash", "triangle-left", "◄")),
    *(("dot", "diamond-tall", "♦"), ("dashdot", "star-diamond", "✦")),
)
LIBRARIES = {
    key: MethodStyle(rival.label, rival.label[:12], "library", *_INK, *_OTHERS[at % len(_OTHERS)])
    for at, (key, rival) in enumerate(RIVALS.items())
}
# Beside clusters as they were, which look as their method does: how they are kept up.
UPKEEP = {
    "refreshed": MethodStyle(
        *2 * ("Refreshed",), "upkeep", *_GOOD, "dash", "triangle-down-open", "▽"
    ),
    "rebuilt": MethodStyle(*2 * ("Rebuilt",), "upkeep", *_INK, "dot", "bowtie", "⋈"),
}
# One k-means opened by the paper's p, and whatever else a picture has three shades of.
SHADES = {
    f"k-means-{p}": MethodStyle(*2 * (f"k-means({p})",), "k-means", *colours, dash, symbol, glyph)
    for p, colours, dash, symbol, glyph in (
        (1, ("#7C93E8", "#5676C4"), "dot", "circle-open", "○"),
        (2, ("#4A76E0", "#6C93E8"), "dash", "pentagon-open", "⬠"),
        (3, ("#1B3FA8", "#A5C3FF"), "solid", "pentagon", "⬟"),
    )
}
LOOKS = METHODS | LIBRARIES | UPKEEP | SHADES

# What is not a method, as (light, dark). A hit is a disc and a miss a cross, whatever the colour.
ROLES: dict[str, tuple[str, str]] = {
    "background": ("#FFFFFF", "#11161D"),
    "surface": ("#F4F6F9", "#1A212B"),
    "text": _INK,
    "muted": ("#5A6472", "#9AA5B3"),
    "grid": ("#E6EAEF", "#262F3A"),
    "axis": ("#B4BCC7", "#4A5563"),
    "target": ("#18202B", "#E8ECF1"),
    "hit": ("#2563D9", "#7DA6FF"),
    "miss": ("#C2185B", "#FF6F9C"),
    "candidate": ("#7C93B8", "#6F8CB8"),
    "query": ("#18202B", "#FFFFFF"),
    "good": _GOOD,
    "warn": ("#8A5A00", "#FFC24D"),
    "bad": ("#B3261E", "#FF8A80"),
}

# Clusters on a map: muted, so that hits stand out; neighbours are given different entries.
CLUSTERS: dict[Mode, tuple[str, ...]] = {
    "light": (
        *("#4C78C8", "#E08A3C", "#4FA58A", "#C2607F", "#8A76C9", "#9A8B2F"),
        *("#3FA0BF", "#B0705A", "#6C9A4C", "#A564A8", "#7D8896", "#C79A4B"),
    ),
    "dark": (
        *("#7FA6EE", "#F0A766", "#74C7AC", "#E58AA5", "#B09FE8", "#C9B95A"),
        *("#6CC3DE", "#D4957F", "#98C477", "#CB8FCE", "#A3ADBA", "#E3BD78"),
    ),
}

# Named strengths: "$flat-kmeans@band" is an interval, a little stronger on dark ground.
ALPHAS: dict[str, tuple[str, str]] = {"band": ("0.14", "0.22")}


def tokens(mode: Mode) -> dict[str, str]:
    """Every token's colour in one theme; named strengths stand under "@name"."""
    i = MODES.index(mode)
    methods = {key: (style.light, style.dark)[i] for key, style in LOOKS.items()}
    roles = {key: pair[i] for key, pair in ROLES.items()}
    clusters = {f"c{j}": colour for j, colour in enumerate(CLUSTERS[mode])}
    return methods | roles | clusters | {f"@{name}": pair[i] for name, pair in ALPHAS.items()}


def resolve(value: Any, colours: Mapping[str, str]) -> Any:
    """A figure with its colour tokens replaced, for `tokens(mode)`.

    In a dict only entries with "color" in their name are replaced, so that a name or label that
    happens to start with a dollar sign stays what it is. The argument is left as it was.
    """
    if isinstance(value, dict):
        return {k: resolve(v, colours) if _inside(k, v) else v for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(v, colours) for v in value]
    return _colour(value, colours) if isinstance(value, str) else value


def _inside(key: str, value: Any) -> bool:
    """Whether tokens may stand in this entry of a figure."""
    nested = isinstance(value, dict) or (
        isinstance(value, list | tuple) and any(isinstance(v, dict) for v in value)
    )
    return nested or "color" in key


def _colour(token: str, colours: Mapping[str, str]) -> str:
    name, _, alpha = token[1:].partition("@")
    if not token.startswith("$") or name not in colours:
        return token
    if not alpha:
        return colours[name]
    red, green, blue = (int(colours[name][i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{colours.get('@' + alpha, alpha)})"


def plain(text: str) -> str:
    """`text` as Plotly must be given it to show it as it is: no tags, entities or %{fields}."""
    return escape(text, quote=False).replace("%{", "&#37;{")
