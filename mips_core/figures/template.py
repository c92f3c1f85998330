"""One Plotly layout for every figure, in colour tokens; `template` resolves it for exports."""

from typing import Any

from mips_core.figures.styles import Mode, resolve, tokens

FONT = (
    '"Source Sans", "Source Sans Pro", system-ui, -apple-system, "Segoe UI", Roboto, '
    '"DejaVu Sans", sans-serif'
)

# The ten entries of theme.chartCategoricalColors, in this order.
CATEGORICAL_KEYS = (
    *("flat-kmeans", "srp-hash", "pca-tree", "product-quantization", "hierarchical-kmeans"),
    *("wta-hash", "ip-tree", "l2-alsh", "multi-kmeans", "largest-norm"),
)
SEQUENTIAL: dict[Mode, tuple[str, ...]] = {
    "light": (
        *("#dcf2ff", "#9fdfff", "#6fc8ff", "#47aefd", "#2a95eb"),
        *("#1e7bd2", "#2164b1", "#264e8b", "#283b5f", "#222938"),
    ),
    "dark": (
        *("#1c2338", "#1f3364", "#1e478a", "#155dac", "#0075ca"),
        *("#008fe1", "#22a9f2", "#4fc2fe", "#7fdaff", "#b5efff"),
    ),
}
# Red-brown is worse or fewer, blue is better or more: safe for red-green blindness.
DIVERGING: dict[Mode, tuple[str, ...]] = {
    "light": (
        *("#921100", "#ab4823", "#c3765b", "#d7a391", "#e8d0c8"),
        *("#cbd7ea", "#96b3dc", "#648ecc", "#3269b9", "#0046a7"),
    ),
    "dark": (
        *("#ff9659", "#e68152", "#b46c4a", "#845642", "#54423a"),
        *("#3b4856", "#466589", "#5084bd", "#5aa4f4", "#63c2ff"),
    ),
}

_CLEAR = "rgba(0,0,0,0)"
_AXIS: dict[str, Any] = {
    "showgrid": True,
    "gridcolor": "$grid",
    "gridwidth": 1,
    "zeroline": False,
    "showline": True,
    "linecolor": "$axis",
    "linewidth": 1,
    "ticks": "outside",
    "ticklen": 4,
    "tickcolor": "$axis",
    "tickfont": {"size": 12, "color": "$muted"},
    "title": {"font": {"size": 13, "color": "$muted"}, "standoff": 8},
    "automargin": True,
}

LAYOUT: dict[str, Any] = {
    "font": {"family": FONT, "size": 13, "color": "$text"},
    "paper_bgcolor": _CLEAR,
    "plot_bgcolor": _CLEAR,
    "title": {
        "font": {"size": 15, "color": "$text"},
        **{"x": 0, "xanchor": "left", "xref": "container", "y": 0.98, "yanchor": "top"},
    },
    "margin": {"l": 56, "r": 16, "t": 12, "b": 48},
    "xaxis": _AXIS,
    "yaxis": _AXIS | {"showline": False, "ticks": ""},
    "showlegend": False,  # direct labels and chips instead
    "hovermode": "closest",
    "hoverlabel": {
        "bgcolor": "$background",
        "bordercolor": "$axis",
        "font": {"family": FONT, "size": 13, "color": "$text"},
        "align": "left",
    },
    "legend": {"orientation": "h", "x": 0, "y": -0.2, "font": {"size": 12}},
    "modebar": {"bgcolor": _CLEAR, "color": "$muted", "activecolor": "$text"},
}

SPEEDUP_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
SPEEDUP_AXIS: dict[str, Any] = {
    "type": "log",
    "title": {"text": "Speedup over exact search (inner products, log scale)"},
    "tickmode": "array",
    "tickvals": SPEEDUP_TICKS,
    "ticktext": [f"{t:,g}×" for t in SPEEDUP_TICKS],
}
PRECISION_AXIS: dict[str, Any] = {  # a page adds the title: "Precision@10"
    "range": [0, 1.03],
    "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1],
    "tickformat": ".1f",
}
# The patch for charts narrower than 560 px that carry these two axes.
NARROW: dict[str, Any] = {
    "margin": {"l": 40, "r": 8, "t": 8, "b": 44},
    "xaxis": {
        "title": {"text": "Speedup (log scale)"},
        "tickvals": [0.1, 1, 10, 100, 1000, 10000],
        "ticktext": ["0.1×", "1×", "10×", "100×", "1,000×", "10,000×"],
    },
}

# Left to itself, Plotly puts a button beside every figure that uploads it.
STAYS: dict[str, Any] = {"displaylogo": False, "showSendToCloud": False, "plotlyServerURL": ""}
CONFIG: dict[str, Any] = STAYS | {  # in the mode bar, only what people use
    "displayModeBar": "hover",
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
}


def merge(base: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """`base` with `patch` laid over it, dict by dict; neither is changed."""
    merged = dict(base)
    for key, value in patch.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = merge(old, value) if both else value  # type: ignore[arg-type]
    return merged


def template(mode: Mode) -> dict[str, Any]:
    """A Plotly template for one theme: for exports, and for still pictures in st.plotly_chart."""
    colours = tokens(mode)
    layout = resolve(LAYOUT, colours)
    layout["colorway"] = [colours[key] for key in CATEGORICAL_KEYS]
    layout["colorscale"] = {
        "sequential": _scale(SEQUENTIAL[mode]),
        "diverging": _scale(DIVERGING[mode]),
    }
    return {"layout": layout}


def _scale(colours: tuple[str, ...]) -> list[list[Any]]:
    return [[i / (len(colours) - 1), colour] for i, colour in enumerate(colours)]
