"""Precision against speedup: the best of each method, single curves, and exact search.

Figures are plain dictionaries with colour tokens; the browser, or `styles.resolve`, paints them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mips_core.evaluation.curve import Curve
from mips_core.evaluation.evaluate import Evaluation
from mips_core.evaluation.setting import Setting, index_in_words
from mips_core.figures.pieces import band, hover, marker, scatter
from mips_core.figures.styles import METHODS
from mips_core.figures.template import PRECISION_AXIS, SPEEDUP_AXIS, merge
from mips_core.studies.best_of_method import MeanPoint, best_of_method

MARKERS = 5
MOST_BANDS = 3
MOST_NAMED = 2  # settings, in the text over a point
LITTLE = 0.1  # precision
BEST = (
    "Lines show the best of each method: at every step of speedup, each half of the queries is "
    "scored at the setting that the other half chose."
)
SIMULATED: dict[str, Any] = {  # inside the picture, so that it leaves with it
    "text": "Simulated data",
    **{"xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right", "yanchor": "top"},
    "showarrow": False,
    "font": {"size": 12, "color": "$muted"},
}


def best_of_each(
    methods: Mapping[str, Sequence[Evaluation]], K: int, pale: str = ""
) -> list[dict[str, Any]]:
    """Traces of the best of every method, key -> its evaluated settings; BEST says which that is.

    The method `pale` gets a thin line alone: its chosen build is drawn over it. Intervals are left
    out where more than MOST_BANDS methods would make grey soup of them.
    """
    bands = len(methods) <= MOST_BANDS
    traces: list[dict[str, Any]] = []
    for key, evaluations in methods.items():
        n, points = evaluations[0].truth.n, best_of_method(evaluations, K)
        drawn = _traces(key, points, n, K, "best of its settings")
        traces += [_paler(drawn[1], key)] if key == pale else drawn[0 if bands else 1 :]
    return traces


def span_of(curves: Sequence[Curve], K: int, whole: Sequence[Curve] = ()) -> tuple[float, float]:
    """The speedups worth showing: all of the `whole` curves, and of others until they find little.

    An N of one item costs next to nothing and finds nothing: it would squeeze the rest.
    """
    if not curves:
        return 1.0, 50.0
    shown = [curve.speedup[curve.precision(K) >= LITTLE] for curve in curves]
    speedups = np.concatenate([*shown, *(curve.speedup for curve in whole), [1.0]])
    return float(speedups.min()), float(speedups.max())


def _paler(line: dict[str, Any], key: str) -> dict[str, Any]:
    return line | {"line": line["line"] | {"color": f"${key}@0.55", "width": 1.25}}


def single(curve: Curve, K: int, *, pale: bool = False) -> list[dict[str, Any]]:
    """Traces of one built index at all its efforts; a thin line alone if pale."""
    index, low_high = curve.index, curve.interval(K)
    points = [
        MeanPoint(
            (Setting(index, curve.seed, int(effort)),),
            float(curve.speedup[at]),
            float(curve.precision(K)[at]),
            float(low_high[at, 0]),
            float(low_high[at, 1]),
            float(curve.mean_cost[at]),
        )
        for at, effort in reversed([*enumerate(curve.efforts)])
    ]
    drawn = _traces(index.key, points, curve.n, K, index_in_words(index, curve.n))
    return [_paler(drawn[1], curve.index.key)] if pale else drawn


def _traces(
    key: str, points: Sequence[MeanPoint], n: int, K: int, name: str
) -> list[dict[str, Any]]:
    """Band, line and a few markers, so that shape can be read as well as colour."""
    style = METHODS[key]
    x, y, low, high = (
        np.array([getattr(point, field) for point in points])
        for field in ("speedup", "precision", "low", "high")
    )
    line = scatter("lines", x, y, name=f"{style.label}, {name}") | {
        "line": {"color": f"${key}", "width": 2, "dash": style.dash},
        **hover([_about(point, n, K) for point in points]),
    }
    some = sorted({int(i) for i in np.linspace(0, len(x) - 1, MARKERS)})
    look = marker(style.symbol, 8, f"${key}")
    marks = scatter("markers", x[some], y[some], hoverinfo="skip", marker=look)
    traces = (band(x, low, high, f"${key}"), line, marks)
    return [trace | {"legendgroup": key} for trace in traces]


def _about(point: MeanPoint, n: int, K: int) -> str:
    """The text over a point; made of our own words and numbers only."""
    words = [setting.in_words(n) for setting in point.settings]
    more = [f"and {len(words) - MOST_NAMED} more"] if len(words) > MOST_NAMED else []
    return "<br>".join(
        (
            f"<b>{METHODS[point.settings[0].index.key].label}</b>",
            *words[:MOST_NAMED],
            *more,
            f"precision@{K} {point.precision:.3f} ± {50 * (point.high - point.low):.1f} points",
            f"{point.speedup:.1f}× · {point.cost:,.0f} inner products a query",
        )
    )


def exact_point(n: int) -> dict[str, Any]:
    """Exact search: speedup 1, precision 1."""
    return scatter("markers", [1.0], [1.0]) | {
        "marker": {"symbol": "circle-open", "size": 9, "color": "$exact", "line": {"width": 2}},
        "hovertemplate": (
            f"<b>Exact search</b><br>precision 1, 1×, {n:,} inner products<extra></extra>"
        ),
    }


def layout(K: int, slowest: float, fastest: float) -> dict[str, Any]:
    """Axes over the speedups shown; what costs more than exact search is tinted."""
    low, high = min(slowest, 1.0) / 1.12, max(fastest, 2.0) * 1.25
    ends = [float(np.log10(low)), float(np.log10(high))]
    return {
        "xaxis": merge(SPEEDUP_AXIS, {"range": ends}),
        "yaxis": merge(PRECISION_AXIS, {"title": {"text": f"Precision@{K}"}}),
        "shapes": [
            {
                "type": "rect",
                **{"x0": low / 100, "x1": 1, "y0": 0, "y1": 1.03},
                "fillcolor": "$muted@0.08",
                "line": {"width": 0},
                "layer": "below",
            },
            {
                "type": "line",
                **{"x0": 1, "x1": 1, "y0": 0, "y1": 1.03},
                "line": {"color": "$axis", "width": 1},
                "layer": "below",
            },
        ],
    }
