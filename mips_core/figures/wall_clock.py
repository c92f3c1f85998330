"""Speedup by the ledger of inner products beside speedup by the clock, a row for each search.

Figures are plain dictionaries with colour tokens; the browser, or `styles.resolve`, paints them.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mips_core.base.text import duration, times
from mips_core.figures import pieces
from mips_core.figures.styles import LOOKS
from mips_core.figures.template import SPEEDUP_AXIS, merge
from mips_core.studies.wall_clock import Clock, Timed

ROW = 36  # px
AROUND = 96  # px above and below the rows: key and axis
OTHER = "○"  # before the name of a search that is no method of ours


class _Mark(NamedTuple):
    """One way to say how much a search saves, and its sign in every row."""

    name: str
    symbol: str
    size: int
    speedup: Callable[[Clock, Timed], float | None]


MARKS = (
    _Mark("inner products", "line-ns-open", 16, lambda clock, row: row.speedup),
    _Mark("clock, one by one", "circle", 11, lambda clock, row: clock.by_clock(row, "one by one")),
    _Mark("clock, in a batch", "diamond-open", 10, lambda clock, row: clock.by_clock(row, "batch")),
)


def clock_figure(clock: Clock) -> dict[str, Any]:
    """A row for each search, what takes least time on top; exact search is at 1."""
    rows = _upwards(clock)
    speedups = [speedup for mark in MARKS for row in rows if (speedup := mark.speedup(clock, row))]
    low, high = min(*speedups, 1.0) / 1.3, max(*speedups, 2.0) * 1.3
    return {
        "data": [_between(clock, rows), *(_marks(mark, clock, rows) for mark in MARKS)],
        "layout": {
            "xaxis": merge(
                SPEEDUP_AXIS,
                {
                    "range": [float(np.log10(low)), float(np.log10(high))],
                    "title": {"text": "Speedup over the quicker exact search (log scale)"},
                },
            ),
            "yaxis": {
                **{"range": [-0.6, len(rows) - 0.4], "showgrid": False, "ticklen": 0},
                **{"tickvals": list(range(len(rows))), "ticktext": [_name(row) for row in rows]},
                "tickfont": {"size": 13, "color": "$text"},
            },
            "shapes": slower("x", low / 100, 1.0),
            "showlegend": True,
            "legend": {"y": 1, "yanchor": "bottom", "font": {"size": 13}, "itemclick": False},
            "margin": {"t": 36},
        },
    }


def height(clock: Clock) -> int:
    """Px that all rows need."""
    return AROUND + ROW * len(clock.rows)


def narrow(clock: Clock) -> dict[str, Any]:
    """The layout patch for charts narrower than 560 px: short names, fewer ticks."""
    ticks = [0.01, 0.1, 1, 10, 100, 1000]
    return {
        "margin": {"l": 8, "r": 8, "t": 72, "b": 44},
        "xaxis": {
            **{"tickvals": ticks, "ticktext": [f"{tick:,g}×" for tick in ticks]},
            "title": {"text": "Speedup over exact search"},
        },
        "yaxis": {"ticktext": [_name(row, short=True) for row in _upwards(clock)]},
    }


def _upwards(clock: Clock) -> list[Timed]:
    """From the bottom: exact search, then what takes less and less time."""
    return sorted(
        clock.rows, key=lambda row: (row.kind != "exact", clock.by_clock(row, "one by one"))
    )


def _name(row: Timed, *, short: bool = False) -> str:
    """As on the axis; a search that does not reach the precision says what it is timed at."""
    style = LOOKS.get(row.key)
    label = style.short if style and short else row.label
    at = "" if row.reached else f", {row.precision:.0%}"
    return f"{style.glyph if style else OTHER} {label}{at}  "


def _between(clock: Clock, rows: Sequence[Timed]) -> dict[str, Any]:
    """A thin line from the first mark of a row to its last: how far ledger and clock differ."""
    x: list[float | None] = []
    y: list[float | None] = []
    for at, row in enumerate(rows):
        speedups = [speedup for mark in MARKS if (speedup := mark.speedup(clock, row))]
        x += [min(speedups), max(speedups), None]
        y += [at, at, None]
    line = {"color": "$axis", "width": 2}
    return pieces.scatter("lines", x, y, hoverinfo="skip", showlegend=False, line=line)


def _marks(mark: _Mark, clock: Clock, rows: Sequence[Timed]) -> dict[str, Any]:
    """One kind of mark in every row that has it, in the colour of its method."""
    marked = [
        (at, row, speedup)
        for at, row in enumerate(rows)
        if (speedup := mark.speedup(clock, row)) is not None
    ]
    colours = [f"${row.key}" if row.key in LOOKS else "$muted" for _, row, _ in marked]
    x, y = [speedup for _, _, speedup in marked], [at for at, _, _ in marked]
    return pieces.scatter("markers", x, y, name=mark.name) | {
        "marker": {
            **{"symbol": mark.symbol, "size": mark.size, "color": colours},
            "line": {"width": 2.5 if "open" in mark.symbol else 0, "color": colours},
        },
        **pieces.hover([_hover(clock, row) for _, row, _ in marked]),
    }


def _hover(clock: Clock, row: Timed) -> str:
    """The text over a row; made of our own words and numbers only."""
    ledger = "not told" if row.speedup is None else times(row.speedup)
    return "<br>".join(
        [
            head(row, clock.K),
            f"inner products: {ledger}",
            *(
                f"{way}: {times(clock.by_clock(row, way))}, {duration(took.seconds)} a query"
                for way, took in row.took.items()
            ),
        ]
    )


def head(row: Timed, K: int) -> str:
    """What is timed, its setting and its precision; made of our own words and numbers only."""
    low, high = row.interval
    return (
        f"<b>{row.label}</b>, {row.setting}<br>"
        f"precision@{K} {row.precision:.3f} ± {50 * (high - low):.1f} points"
    )


def slower(axis: str, low: float, exact: float) -> list[dict[str, Any]]:
    """What lies below `exact` search on an axis, down to `low`, is tinted; a line at it."""
    other = "y" if axis == "x" else "x"
    whole = {f"{other}ref": "paper", f"{other}0": 0, f"{other}1": 1, "layer": "below"}
    return [
        {
            **{"type": "rect", **whole, f"{axis}0": low, f"{axis}1": exact},
            **{"fillcolor": "$muted@0.08", "line": {"width": 0}},
        },
        {
            **{"type": "line", **whole, f"{axis}0": exact, f"{axis}1": exact},
            "line": {"color": "$axis", "width": 1},
        },
    ]
