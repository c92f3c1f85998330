"""How a clustering came about: its objective and its moves round by round, and cluster sizes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.figures import pieces
from mips_core.methods.clustering.rounds import Round

MARGIN = {"l": 64, "r": 16, "t": 12, "b": 46}


def objective(rounds: Sequence[Round], key: str) -> dict[str, Any]:
    """Mean over the items seen of the inner product with their own centroid, after each round."""
    means = [r.objective / r.n for r in rounds]
    return _by_round(
        means, key, "Nearness to centroid", "mean inner product with the own centroid %{y:.4f}"
    )


def moves(rounds: Sequence[Round], key: str) -> dict[str, Any]:
    """Items that changed cluster in each round, on a log scale; none is drawn as one half."""
    figure = _by_round(
        [max(r.moved, 0.5) for r in rounds], key, "Items that moved", "%{y:,.0f} items moved"
    )
    most = max(r.moved for r in rounds)
    ticks = [10.0**e for e in range(int(np.log10(max(most, 1))) + 1)]
    figure["layout"]["yaxis"] |= {
        "type": "log",
        "tickvals": [0.5, *ticks],
        "ticktext": ["0", *(f"{tick:,.0f}" for tick in ticks)],
    }
    return figure


def _by_round(values: Sequence[float], key: str, title: str, hover: str) -> dict[str, Any]:
    line = pieces.scatter("lines+markers", list(range(1, len(values) + 1)), list(values)) | {
        "line": {"color": f"${key}", "width": 2.25},
        "marker": {"size": 5},
        "hovertemplate": f"round %{{x}}: {hover}<extra></extra>",
    }
    axis = {"title": {"text": "Round"}, "range": [0.5, max(10, len(values)) + 0.5], "nticks": 8}
    layout = {
        "xaxis": axis | {"showgrid": False},
        "yaxis": {"title": {"text": title}},
        "margin": MARGIN,
    }
    return {"data": [line], "layout": layout}


def sizes(counts: Ids, key: str, nouns: tuple[str, str]) -> dict[str, Any]:
    """Items of each group (k,), largest first, with the size all would have if equal.

    `nouns` are one and many of the groups: ("cluster", "clusters").
    """
    live = np.sort(counts[counts > 0])[::-1]
    mean = float(live.mean())
    bars = {
        "type": "bar",
        "x": np.arange(1, len(live) + 1, dtype=np.int32),
        "y": live.astype(np.int32),
        "marker": {"color": f"${key}@0.75", "line": {"width": 0}},
        "hovertemplate": f"{nouns[0]} %{{x}} by size: %{{y:,}} items<extra></extra>",
    }
    end = len(live) + 0.5
    note = pieces.words(
        f"if all were equal: {mean:,.1f}", x=end, y=mean, xanchor="right", yanchor="bottom"
    )
    layout = {
        "xaxis": {"title": {"text": f"{nouns[1].capitalize()}, largest first"}, "showgrid": False},
        "yaxis": {"title": {"text": "Items"}, "nticks": 5},
        "bargap": 0,
        "margin": MARGIN,
        "shapes": [pieces.dotted("$target@0.7", y=mean, xref="x", x0=0.5, x1=end)],
        "annotations": [note],
    }
    return {"data": [bars], "layout": layout}
