"""A picture of lines in panels as plain values, which any hand can draw: Plotly here, reports too.

What a line looks like is said by the key of a look in `styles`; its label by the picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.figures import pieces
from mips_core.figures.styles import LOOKS, plain
from mips_core.figures.template import SPEEDUP_TICKS, merge
from mips_core.figures.tradeoff import SIMULATED

GAP, NARROW_GAP = 0.06, 0.1
HEIGHT = 320  # px, of a row of panels
MARKERS = 5  # a line, so that shape tells methods apart as well as colour


class Spot(NamedTuple):
    """A point of a line, the ends of its interval (both y where there is none), and its name."""

    x: float
    y: float
    low: float
    high: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Spots by rising x, in the look of `key`."""

    key: str
    label: str
    spots: tuple[Spot, ...]
    markers: bool = True  # at every spot; else at MARKERS of them

    def marked(self) -> list[Spot]:
        """Those with a marker."""
        last = len(self.spots) - 1
        if self.markers or last < MARKERS:
            return list(self.spots)
        return [
            self.spots[at]
            for at in sorted({round(last * i / (MARKERS - 1)) for i in range(MARKERS)})
        ]


class Span(NamedTuple):
    """An axis: from low to high, what is written below it, and at which places."""

    low: float
    high: float
    title: str
    ticks: tuple[tuple[float, str], ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        ends = np.log10([self.low, self.high, value]) if self.log else (self.low, self.high, value)
        return float((ends[2] - ends[0]) / (ends[1] - ends[0]))

    def shown(self) -> list[tuple[float, str]]:
        """The ticks between the ends."""
        return [(at, text) for at, text in self.ticks if -1e-9 <= self.share(at) <= 1 + 1e-9]


@dataclass(frozen=True, slots=True)
class DrawnPanel:
    """Lines over two axes, under a title."""

    title: str
    x: Span
    y: Span
    lines: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Panels side by side; name: of its files; simulated: that its data are so, told in it."""

    name: str
    title: str
    caption: str
    panels: tuple[DrawnPanel, ...]
    simulated: bool = False

    @property
    def legend(self) -> dict[str, str]:
        """Key -> label of every line, in their order."""
        return {line.key: line.label for panel in self.panels for line in panel.lines}

    def rows(self) -> list[dict[str, Any]]:
        """Every spot, as a flat row for CSV."""
        return [
            {"figure": self.name, "panel": panel.title, "line": line.label, "x": panel.x.title,
             "x_value": spot.x, "y": panel.y.title, "y_value": spot.y, "low_95": spot.low,
             "high_95": spot.high, "point": spot.about, "simulated": self.simulated}
            for panel in self.panels for line in panel.lines for spot in line.spots
        ]  # fmt: skip


def speedups(lines: Sequence[Drawn], least: float = 1.0) -> Span:
    """The log axis that holds them."""
    ends = [spot.x for line in lines for spot in line.spots] or [1.0]
    low, high = min(*ends, least) / 1.12, max(*ends, 10.0) * 1.15
    ticks = [(float(t), f"{t:g}×") for t in SPEEDUP_TICKS if str(t)[0] == "1" or high < 50]
    return Span(low, high, "Speedup (log scale)", tuple(ticks), log=True)


def shares(title: str, low: float = 0.0, high: float = 1.0) -> Span:
    """From `low` to a little above `high`, in fifths."""
    steps = [low + (high - low) * i / 5 for i in range(6)]
    return Span(low, high + 0.03 * (high - low), title, tuple((t, f"{t:.2g}") for t in steps))


def around(title: str, lines: Sequence[Drawn]) -> Span:
    """From below the lowest end of an interval to above the highest, in five round steps or so.

    For numbers that lie near each other: on an axis from 0 to 1 their lines would be one.
    """
    ends = [end for line in lines for spot in line.spots for end in (spot.low, spot.high)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    step = round_up(max((high - low) / 5, 1e-4), (1, 2, 5, 10))
    marks = [step * at for at in range(int(np.floor(low / step)), int(np.ceil(high / step)) + 1)]
    return Span(marks[0], marks[-1], title, tuple((at, f"{at:.4g}") for at in marks))


def round_up(value: float, heads: Sequence[float]) -> float:
    """The next number that begins as one of `heads` do, ascending from 1 to 10."""
    power = 10.0 ** np.floor(np.log10(max(value, 1e-6)))
    return next(float(f * power) for f in heads if f * power >= value * (1 - 1e-9))


def as_plotly(drawing: Drawing) -> dict[str, Any]:
    """The figure for a page, with colour tokens."""
    figure: dict[str, Any] = {"data": [], "layout": {"annotations": [], **_MARGIN}}
    count = len(drawing.panels)
    for number, panel in enumerate(drawing.panels):
        for line in panel.lines:
            figure["data"] += [one | pieces.axes_of(number) for one in _traces(line)]
        axes = pieces.panel_layout(number, count, GAP, _axis(panel.x), _axis(panel.y))
        figure["layout"] |= axes
        figure["layout"]["annotations"].append(
            pieces.panel_title(number, plain(panel.title), yshift=4)
        )
    if drawing.simulated:
        said = merge(SIMULATED, {"y": 1.0, "yanchor": "bottom", "yshift": 6})
        figure["layout"]["annotations"].append(said)
    return figure


_MARGIN: dict[str, Any] = {"margin": {"l": 52, "r": 14, "t": 34, "b": 48}}


def narrow(drawing: Drawing) -> dict[str, Any]:
    """The patch for narrow charts: panels one below the other."""
    return _MARGIN | pieces.stacked(len(drawing.panels), NARROW_GAP, drawing.panels[-1].x.title)


def _axis(span: Span) -> dict[str, Any]:
    ends = [float(v) for v in (np.log10([span.low, span.high]) if span.log else span[:2])]
    places, texts = zip(*span.shown(), strict=True)
    kind = {"type": "log"} if span.log else {}
    return {"title": {"text": span.title}, "range": ends, "tickmode": "array",
            "tickvals": places, "ticktext": texts, **kind}  # fmt: skip


def _traces(line: Drawn) -> list[dict[str, Any]]:
    values: Floats = np.array([spot[:4] for spot in line.spots], np.float64).reshape(-1, 4)
    x, y, low, high = values.T
    style, colour = LOOKS[line.key], f"${line.key}"
    texts = [
        f"<b>{plain(line.label)}</b><br>{plain(spot.about)}<br>{spot.x:.3g}, {spot.y:.3g} "
        f"({spot.low:.3g} to {spot.high:.3g})"
        for spot in line.spots
    ]
    drawn = pieces.scatter("lines", x, y, name=line.label) | {
        "line": {"color": colour, "width": 2, "dash": style.dash}, **pieces.hover(texts),
    }  # fmt: skip
    marked = line.marked()
    marks = pieces.scatter(
        "markers", [spot.x for spot in marked], [spot.y for spot in marked], hoverinfo="skip",
        marker=pieces.marker(style.symbol, 7, colour),
    )  # fmt: skip
    traces = [pieces.band(x, low, high, colour), drawn, marks]
    return [trace | {"legendgroup": line.key} for trace in traces]
