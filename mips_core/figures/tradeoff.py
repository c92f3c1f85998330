"""Precision against speedup: the best of each method, single curves, and exact search.

Figures are plain dictionaries with colour tokens; the browser, or `styles.resolve`, paints them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.text import counted
from mips_core.evaluation.curve import Curve, Point, frontier
from mips_core.evaluation.evaluate import Evaluation, folds_of
from mips_core.evaluation.setting import index_in_words
from mips_core.figures.styles import METHODS
from mips_core.figures.template import PRECISION_AXIS, SPEEDUP_AXIS, merge

MARKERS = 5
MOST_BANDS = 3
LITTLE = 0.1  # precision
SIMULATED: dict[str, Any] = {  # inside the picture, so that it leaves with it
    "text": "Simulated data",
    **{"xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right", "yanchor": "top"},
    "showarrow": False,
    "font": {"size": 12, "color": "$muted"},
}


def best_of_method(evaluations: Sequence[Evaluation], K: int) -> tuple[list[Curve], list[Point]]:
    """The settings that no other beats on even queries, and the curves on odd ones to read off."""
    choose, score = folds_of(evaluations[0].truth.m)
    chosen_on = [evaluation.curve((K,), choose) for evaluation in evaluations]
    return [evaluation.curve((K,), score) for evaluation in evaluations], frontier(chosen_on, K)


def best_of_each(
    methods: Mapping[str, Sequence[Evaluation]], K: int, pale: str = ""
) -> list[dict[str, Any]]:
    """Traces of the frontier of every method, key -> its evaluated settings.

    The method `pale` gets a thin line alone: its chosen build is drawn over it. Intervals are left
    out where more than MOST_BANDS methods would make grey soup of them.
    """
    bands = len(methods) <= MOST_BANDS
    traces: list[dict[str, Any]] = []
    for key, evaluations in methods.items():
        curves, points = best_of_method(evaluations, K)
        points.sort(key=lambda p: float(curves[p.curve].speedup[p.at]))
        drawn = _traces(key, curves, points, K, "best of its settings")
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
    points = [Point(0, at) for at in range(len(curve.efforts))][::-1]
    drawn = _traces(curve.index.key, [curve], points, K, index_in_words(curve.index, curve.n))
    return [_paler(drawn[1], curve.index.key)] if pale else drawn


def _traces(
    key: str, curves: Sequence[Curve], points: Sequence[Point], K: int, name: str
) -> list[dict[str, Any]]:
    """Band, line and a few markers through `points` of `curves`."""
    style = METHODS[key]
    x = np.array([curves[p.curve].speedup[p.at] for p in points])
    y = np.array([curves[p.curve].precision(K)[p.at] for p in points])
    bounds = np.array([curves[p.curve].interval(K)[p.at] for p in points])
    common: dict[str, Any] = {"type": "scatter", "legendgroup": key}
    line = {
        **common,
        "mode": "lines",
        "name": f"{style.label}, {name}",
        "x": x,
        "y": y,
        "line": {"color": f"${key}", "width": 2, "dash": style.dash},
        "customdata": [_hover(curves[p.curve], p.at, K) for p in points],
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    return [common | _band(key, x, bounds), line, common | _marks(key, x, y)]


def _band(key: str, x: Floats, bounds: Floats) -> dict[str, Any]:
    """The interval around a line; bounds (p, 2)."""
    return {
        "mode": "lines",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([bounds[:, 1], bounds[::-1, 0]]),
        "fill": "toself",
        "fillcolor": f"${key}@band",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _marks(key: str, x: Floats, y: Floats) -> dict[str, Any]:
    """A few markers, so that shape can be read as well as colour."""
    style = METHODS[key]
    some = sorted({int(i) for i in np.linspace(0, len(x) - 1, MARKERS)})
    hollow = "open" in style.symbol
    rim = {"width": 1.5, "color": f"${key}"} if hollow else {"width": 1, "color": "$background"}
    return {
        "mode": "markers",
        "x": x[some],
        "y": y[some],
        "hoverinfo": "skip",
        "marker": {"symbol": style.symbol, "size": 8, "color": f"${key}", "line": rim},
    }


def _hover(curve: Curve, at: int, K: int) -> str:
    """The text over a point; made of our own words and numbers only."""
    low, high = curve.interval(K)[at]
    effort = int(curve.efforts[at])
    return (
        f"<b>{METHODS[curve.index.key].label}</b><br>"
        f"{index_in_words(curve.index, curve.n)}, {counted(effort, *curve.index.effort_nouns)}<br>"
        f"precision@{K} {curve.precision(K)[at]:.3f} ± {50 * (high - low):.1f} points<br>"
        f"{curve.speedup[at]:.1f}× · {curve.mean_cost[at]:,.0f} inner products a query"
    )


def exact_point(n: int) -> dict[str, Any]:
    """Exact search: speedup 1, precision 1."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [1.0],
        "y": [1.0],
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
