"""What data is like: how long the items are, and the singular values of ratings."""

from typing import Any

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.figures import pieces
from mips_core.studies.data_profile.facts import Facts

MOST_TICKS = 6
NARROW_NORMS: dict[str, Any] = {
    "margin": {"t": 14, "b": 42, "l": 48, "r": 8},
    "xaxis": {"nticks": 6},
}
NARROW_SPECTRUM: dict[str, Any] = {
    "margin": {"t": 26, "b": 42, "l": 48, "r": 8},
    "xaxis": {"nticks": 5},
}


def norm_histogram(facts: Facts) -> dict[str, Any]:
    """A histogram of norms that are not all equal; the largest is marked where it stands alone."""
    edges = facts.edges
    widths = edges[1:] - edges[:-1]
    bars = {
        "type": "bar",
        "x": (edges[1:] + edges[:-1]) / 2,
        "y": facts.counts,
        "width": float(widths[0]) * 0.92,
        "marker": {"color": "$flat-kmeans@0.75"},
        "hovertemplate": "norm about %{x:.3g}: %{y:,} items<extra></extra>",
    }
    layout = {
        "margin": {"t": 14, "b": 42, "l": 56, "r": 8},
        "xaxis": {"title": {"text": "Norm of an item"}, "showgrid": False},
        "yaxis": {"title": {"text": "Items"}, "nticks": 4, "rangemode": "tozero"},
        "annotations": [_outlier(facts)] if facts.outlier else [],
    }
    return {"data": [bars], "layout": layout}


def _outlier(facts: Facts) -> dict[str, Any]:
    return {
        **{"x": facts.most, "y": 0, "ax": 0, "ay": -34, "text": f"row {facts.row:,}"},
        **{"showarrow": True, "arrowhead": 0, "arrowwidth": 2, "arrowcolor": "$miss"},
        **{"xanchor": "right", "font": {"size": 12, "color": "$text"}},
    }


def singular_values(singular: Floats, shares: Floats, rank: int) -> dict[str, Any]:
    """singular (r,) descending with shares (r,) of the squares; the rank in use is marked."""
    components = np.arange(1, len(singular) + 1)
    line = pieces.scatter("lines" if len(singular) > 1 else "markers", components, singular) | {
        "customdata": shares,
        "line": {"color": "$flat-kmeans", "width": 2},
        "hovertemplate": "component %{x:,}: %{y:.3g}<br>"
        "rank %{x:,} keeps %{customdata:.1%}<extra></extra>",
    }
    dot = {"size": 9, "color": "$flat-kmeans"}
    mark = pieces.scatter("markers", [rank], [singular[rank - 1]], marker=dot, hoverinfo="skip")
    layout = {
        "margin": {"t": 26, "b": 42, "l": 56, "r": 12},
        "xaxis": {"title": {"text": "Component"}, "rangemode": "tozero", "showgrid": False},
        "yaxis": {
            **{"title": {"text": "Singular value (log scale)"}, "type": "log"},
            **{"tickvals": _ticks(singular), "tickformat": "~g"},
        },
        "shapes": [pieces.dotted("$muted", x=rank)],
        "annotations": [_words(rank, len(singular), float(shares[rank - 1]))],
    }
    return {"data": [line, mark], "layout": layout}


def _ticks(singular: Floats) -> list[float]:
    """At most MOST_TICKS round numbers within the positive values, evenly spread."""
    values = singular[singular > 0]
    if not len(values):
        return []
    least, most = float(values.min()), float(values.max())
    powers = range(int(np.floor(np.log10(least))), int(np.ceil(np.log10(most))) + 1)
    for heads in (range(1, 10), (1, 2, 5), (1, 3), (1,)):
        ticks = [head * 10.0**power for power in powers for head in heads]
        ticks = [tick for tick in ticks if least <= tick <= most]
        if len(ticks) <= MOST_TICKS:
            return ticks or [least]
    return ticks[:: -(-len(ticks) // MOST_TICKS)]


def _words(rank: int, most: int, shares: float) -> dict[str, Any]:
    """The words at the line of the rank in use, on the side that has room."""
    text, side = f"rank {rank:,} keeps {int(shares * 100 + 1e-9)}%", rank * 2 > most
    note = pieces.words(text, x=rank, y=1, yref="paper", yanchor="bottom")
    return note | {"xanchor": "right" if side else "left", "font": {"size": 12, "color": "$text"}}
