"""How long the items are: a histogram, with the largest norm marked where it stands alone."""

from typing import Any

from mips_core.studies.data_profile.facts import Facts

NARROW: dict[str, Any] = {"margin": {"t": 14, "b": 42, "l": 48, "r": 8}, "xaxis": {"nticks": 6}}


def norm_histogram(facts: Facts) -> dict[str, Any]:
    """The figure, in colour tokens; of data whose norms are not all equal."""
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
        "annotations": [_mark(facts)] if facts.outlier else [],
    }
    return {"data": [bars], "layout": layout}


def _mark(facts: Facts) -> dict[str, Any]:
    return {
        **{"x": facts.most, "y": 0, "ax": 0, "ay": -34, "text": f"row {facts.row:,}"},
        **{"showarrow": True, "arrowhead": 0, "arrowwidth": 2, "arrowcolor": "$miss"},
        **{"xanchor": "right", "font": {"size": 12, "color": "$text"}},
    }
