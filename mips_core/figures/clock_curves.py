"""Precision against queries a second by the clock, a curve for each search.

Figures are plain dictionaries with colour tokens; the browser, or `styles.resolve`, paints them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mips_core.base.text import duration
from mips_core.figures import pieces
from mips_core.figures.styles import LOOKS
from mips_core.figures.wall_clock import head, slower
from mips_core.studies.wall_clock import Clock, Timed

NARROW: dict[str, Any] = {  # the patch for curves in charts narrower than 560 px
    "margin": {"l": 44, "r": 8, "t": 8, "b": 44},
    "yaxis": {"title": {"text": "Queries a second"}, "dtick": 1},
}


def curves_figure(clocks: Sequence[Clock]) -> dict[str, Any]:
    """Queries a second, one by one on one thread, against precision with its interval.

    A curve for each search, through its settings for the precisions of `clocks`; those that would
    be slower than the quicker exact search are tinted.
    """
    curves = curves_of(clocks)
    rows = [row for curve in curves.values() for row in curve]
    K, low = clocks[0].K, min((row.interval[0] for row in rows), default=0.5)
    exact = max(_a_second(clock.exact("one by one")) for clock in clocks)
    slowest, fastest = (end([exact, *map(_a_second, rows)]) for end in (min, max))
    left = low - 0.05 * (1 - low)
    return {
        "data": [_curve(key, curve, K) for key, curve in curves.items()],
        "layout": {
            "xaxis": {"range": [left, 1.01], "title": {"text": f"Precision@{K}"}},
            "yaxis": {
                **{"type": "log", "dtick": "D2", "tickformat": ",~r"},
                "range": [float(np.log10(slowest / 1.3)), float(np.log10(fastest * 1.3))],
                "title": {"text": "Queries a second, one by one (log scale)"},
            },
            "shapes": slower("y", slowest / 100, exact),
            "annotations": [
                pieces.words(
                    "slower than exact search",
                    xref="paper",
                    x=0,
                    xanchor="left",
                    xshift=6,
                    y=float(np.log10(exact)),
                    yanchor="top",
                )
            ],
            "margin": {"t": 12},
        },
    }


def curves_of(clocks: Sequence[Clock]) -> dict[str, list[Timed]]:
    """Key -> what was timed of it, by rising precision; a setting for several of these once.

    Exact search, which is one point, is left out, and so is what no style is known for.
    """
    curves: dict[str, dict[str, Timed]] = {key: {} for key in LOOKS}
    for clock in sorted(clocks, key=lambda clock: clock.target):
        for row in clock.rows:
            if row.key in curves and row.kind != "exact":
                curves[row.key].setdefault(row.setting, row)
    return {
        key: sorted(rows.values(), key=lambda row: row.precision)
        for key, rows in curves.items()
        if rows
    }


def _a_second(row: Timed) -> float:
    return 1 / row.took["one by one"].seconds


def _curve(key: str, rows: Sequence[Timed], K: int) -> dict[str, Any]:
    style = LOOKS[key]
    x = np.array([row.precision for row in rows])
    low, high = np.array([row.interval for row in rows]).T
    bars = pieces.whiskers(high - x, x - low, color=f"${key}@0.5", thickness=1, width=0)
    return pieces.scatter("lines+markers", x, np.array([_a_second(row) for row in rows])) | {
        **{"name": style.label, "legendgroup": key, "error_x": bars},
        "line": {"color": f"${key}", "width": 2, "dash": style.dash},
        "marker": pieces.marker(style.symbol, 8, f"${key}"),
        **pieces.hover([_hover(row, K) for row in rows]),
    }


def _hover(row: Timed, K: int) -> str:
    took = row.took["one by one"].seconds
    return (
        f"{head(row, K)}<br>{_a_second(row):,.0f} queries a second, {duration(took)} each, "
        "one by one on one thread"
    )
