"""Precision and the cost of keeping up as more of the items change; how far real changes went.

Figures are plain dictionaries with colour tokens; the browser, or `styles.resolve`, paints them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.figures import pieces
from mips_core.figures.styles import LOOKS
from mips_core.figures.tradeoff import SIMULATED
from mips_core.studies.drift import WAYS, Decay, Fresh, Versions, Way

GAP, NARROW_GAP = 0.06, 64  # between panels: a share of the picture, and px
HEIGHT, NARROW_HEIGHT = 340, 250  # px; the second of each panel
COST_HEIGHT, MOVES_HEIGHT = 260, 240
BINS, LEAST_STEP = 40, 1e-4  # of histograms
NAMES: dict[Way, str] = {
    "frozen": "Frozen clusters",
    "refreshed": "Refreshed",
    "rebuilt": "Rebuilt",
}


def look_of(way: Way, key: str) -> str:
    """The key of the look of a way; frozen clusters look as their method, `key`."""
    return key if way == "frozen" else way


def place(share: float) -> float:
    """Where a share of changed items stands on the axis: at its square root."""
    return float(np.sqrt(share))


def decay_figure(decay: Decay) -> dict[str, Any]:
    """Precision against the share changed, a panel for each size; bands are 95% intervals."""
    sizes = decay.sizes
    points = [decay.of_size(size) for size in sizes]
    low = min(point.interval(way)[0] for point in decay.points for way in WAYS)
    figure: dict[str, Any] = {"data": [], "layout": {"annotations": []}}
    figure["layout"]["margin"] = {"l": 52, "r": 16, "t": 28, "b": 46}
    for number, (size, of_size) in enumerate(zip(sizes, points, strict=True)):
        for way in WAYS:
            traces = _way(of_size, way, decay)
            figure["data"] += [trace | pieces.axes_of(number) for trace in traces]
        y = _precisions(decay, low, number == 0)
        x = _shares(decay, titled=number == len(sizes) // 2)  # one for all panels
        figure["layout"] |= pieces.panel_layout(number, len(sizes), GAP, x, y)
        if size is not None:
            title = pieces.panel_title(number, f"Moved by {size:g} rms", yshift=2)
            figure["layout"]["annotations"].append(title)
    if decay.simulated:
        marked = {"text": "Simulated changes", "y": 0, "yanchor": "bottom"}  # it leaves with it
        figure["layout"]["annotations"].append(SIMULATED | marked)
    return figure


def narrow_decay(decay: Decay) -> dict[str, Any]:
    """The patch for charts narrower than 560 px: the panels stand one below the other."""
    count = len(decay.sizes)
    patch = pieces.stacked(
        count, NARROW_GAP / (NARROW_HEIGHT * count), "Items changed (root scale)"
    )
    for name in patch:
        if name.startswith("yaxis"):
            patch[name]["showticklabels"] = True
    return patch | {"margin": {"l": 44, "r": 8, "t": 28, "b": 46}}


def cost_figure(decay: Decay) -> dict[str, Any]:
    """Inner products that keeping up takes, against the share changed: means over sizes."""
    shares = list(dict.fromkeys(point.share for point in decay.points))
    data = []
    for way in WAYS:
        costs = [np.mean([p.spent(way) for p in decay.points if p.share == s]) for s in shares]
        seconds = [np.mean([p.seconds(way) for p in decay.points if p.share == s]) for s in shares]
        drawn = np.where(np.array(costs) > 0, costs, np.nan)  # nothing has no place on a log axis
        hover = f"<b>{NAMES[way]}</b>, %{{customdata[0]:.3~g}}% changed<br>"
        spent = "%{customdata[1]:.3~g} s<extra></extra>"
        data.append(
            _line(way, decay)
            | {"x": np.array([place(s) for s in shares]), "y": drawn}
            | {"customdata": np.stack([100 * np.array(shares), seconds], axis=1)}
            | {"hovertemplate": f"{hover}%{{y:.3s}} inner products, {spent}"}
        )
    axis = {"type": "log", "title": {"text": "Inner products to keep up"}, "exponentformat": "SI"}
    return {
        "data": data,
        "layout": {
            "margin": {"l": 56, "r": 16, "t": 12, "b": 46},
            "xaxis": _shares(decay),
            "yaxis": axis | {"dtick": 1},
        },
    }


NARROW_MOVES: dict[str, Any] = {  # the patch for charts of moves narrower than 560 px
    "xaxis": {"title": {"text": "Cosine"}, "nticks": 4},
    "xaxis2": {"title": {"text": "Length"}, "nticks": 4},
}


def moves_figure(versions: Versions) -> dict[str, Any]:
    """Histograms of the items that moved: cosine with what they were, and length beside it."""
    ratios = versions.ratios[np.isfinite(versions.ratios) & (versions.ratios > 0)]
    panels: tuple[tuple[Floats, str, dict[str, Any]], ...] = (
        (versions.cosines, "Cosine with the former vector", {}),
        (ratios, "Length, times the former", {"tickformat": ".3~g", "ticksuffix": "×"}),
    )
    figure: dict[str, Any] = {"data": [], "layout": {"bargap": 0.02}}
    figure["layout"]["margin"] = {"l": 52, "r": 16, "t": 12, "b": 46}
    for number, (values, title, more) in enumerate(panels):
        figure["data"].append(_bars(values) | pieces.axes_of(number))
        x = {"title": {"text": title}, **more}
        y = {"title": {"text": "Items" if number == 0 else ""}, "rangemode": "tozero"}
        figure["layout"] |= pieces.panel_layout(number, len(panels), GAP, x, y)
    if versions.new.simulated:
        figure["layout"]["annotations"] = [SIMULATED]
    return figure


def _bars(values: Floats) -> dict[str, Any]:
    """Counts of values in BINS equal steps, no finer than LEAST_STEP."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    half = max(high - low, BINS * LEAST_STEP) / 2
    edges = (low + high) / 2 + np.linspace(-half, half, BINS + 1) * (1 + 1e-9)
    counts, _ = np.histogram(values, edges)
    middles, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    return {
        "type": "bar",
        **{"x": middles, "y": counts, "width": float(width), "marker": {"color": "$candidate"}},
        "hovertemplate": "%{y:,} items at about %{x:.3~g}<extra></extra>",
    }


def _way(points: Sequence[Fresh], way: Way, decay: Decay) -> list[dict[str, Any]]:
    """The band of intervals, and the line in it."""
    key = look_of(way, decay.setting.index.key)
    x = np.array([place(point.share) for point in points])
    y = np.array([point.precision(way) for point in points])
    low, high = np.array([point.interval(way) for point in points]).T
    said = pieces.hover([_hover(point, way) for point in points])
    band = pieces.band(x, low, high, f"${key}") | {"name": "", "legendgroup": key}
    return [band, _line(way, decay) | {"x": x, "y": y} | said]


def _line(way: Way, decay: Decay) -> dict[str, Any]:
    key = look_of(way, decay.setting.index.key)
    return {
        **{"type": "scatter", "mode": "lines+markers", "name": NAMES[way], "legendgroup": key},
        "line": {"color": f"${key}", "width": 2, "dash": LOOKS[key].dash},
        "marker": pieces.marker(LOOKS[key].symbol, 8, f"${key}"),
    }


def _hover(point: Fresh, way: Way) -> str:
    """The text over a point; made of our own words and numbers only."""
    low, high = point.interval(way)
    return "<br>".join(
        [
            f"<b>{NAMES[way]}</b>, {100 * point.share:g}% changed ({point.changed:,} items)",
            f"precision@{point.K} {point.precision(way):.3f}, {low:.3f} to {high:.3f}",
            f"speedup {point.speedup(way):.1f}×",
        ]
    )


def _shares(decay: Decay, *, titled: bool = True) -> dict[str, Any]:
    """The axis of shares changed, marked at those tried."""
    shares = sorted({*decay.recipe.shares, *(point.share for point in decay.points)})
    ticks = [s for s in shares if not 0 < s < 0.01 or s == min(shares)]
    most = place(max(shares)) or 1.0
    noun = "New items, share of those before" if decay.recipe.kind == "new" else "Items changed"
    return {
        "title": {"text": f"{noun} (root scale)" if titled else ""},
        **{"range": [-0.03 * most, 1.04 * most], "tickmode": "array", "tickangle": 0},
        **{"tickvals": [place(s) for s in ticks], "ticktext": [f"{100 * s:g}%" for s in ticks]},
    }


def _precisions(decay: Decay, low: float, first: bool) -> dict[str, Any]:
    """The axis of precisions from about `low`, which all panels share; the first names it."""
    bottom = max(np.floor(10 * low - 0.3) / 10, 0.0)
    axis = {"range": [bottom, 1.005], "tickformat": ".2~f", "showticklabels": first}
    return axis | ({"title": {"text": f"Precision@{decay.K}"}} if first else {})
