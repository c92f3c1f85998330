"""How a method grows with the data: what was measured on sub-samples, and where that leads."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.figures import pieces
from mips_core.figures.styles import METHODS
from mips_core.studies.growth import Range, ScalePoint, Scaling

STEPS = 25  # of a line, from the smallest sub-sample to the size asked for
GAP, NARROW_GAP = 0.1, 0.09  # between panels, as a share of the picture
HEIGHT, NARROW_HEIGHT = 260, 700  # px
FAR = 30  # times what is measured and expected: how much of a range is drawn
UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
MARGIN = {"l": 52, "r": 14, "t": 30, "b": 46}


class Panel(NamedTuple):
    """What one panel shows."""

    measured: str  # its name in a ScalePoint
    expected: str  # its name in an Advice
    title: str
    words: str  # behind a number in hover text
    unit: float


PANELS = (
    Panel("cost", "inner_products", "Inner products a query", "inner products a query", 1),
    Panel("seconds", "seconds", "Processor seconds to build", "s to build", 1),
    Panel("bytes", "bytes", "Memory of the index, MB", "MB", 2**20),
)


def growth(scaling: Scaling, n: int) -> dict[str, Any]:
    """Panels of what grows with the number of items, to `n` of them, on log axes.

    Discs were measured; the dotted line and its range are expected. Raises as `Scaling.at`.
    """
    panels = _panels(scaling)
    sizes = np.unique(np.geomspace(scaling.points[0].n, n, STEPS).round().astype(np.int64))
    advices = [scaling.at(int(size)) for size in sizes]
    figure: dict[str, Any] = {"data": [], "layout": {"margin": MARGIN, "annotations": []}}
    for number, panel in enumerate(panels):
        ranges = [getattr(advice, panel.expected) for advice in advices]
        key = scaling.points[0].setting.index.key
        traces = [*_expected(key, sizes, ranges, panel), _measured(key, scaling.points, panel)]
        figure["data"] += [trace | pieces.axes_of(number) for trace in traces]
        x = {"title": {"text": "Items"}, **_log(sizes.astype(float))}
        figure["layout"] |= pieces.panel_layout(number, len(panels), GAP, x, _log(_ends(traces)))
        title = pieces.panel_title(number, panel.title, xshift=-4, yshift=4)
        figure["layout"]["annotations"].append(title)
    return figure


def narrow(scaling: Scaling) -> dict[str, Any]:
    """The patch for charts narrower than 560 px: the panels stand one below the other."""
    return pieces.stacked(len(_panels(scaling)), NARROW_GAP, "Items")


def _panels(scaling: Scaling) -> list[Panel]:
    """Those with anything to show: what is 0 has no place on a log axis."""
    return [p for p in PANELS if all(getattr(point, p.measured) > 0 for point in scaling.points)]


def _expected(key: str, sizes: Ids, ranges: Sequence[Range], panel: Panel) -> list[dict[str, Any]]:
    """The range as a band, and the line in it."""
    value, low, high = (np.array([getattr(r, name) for r in ranges]) / panel.unit
                        for name in ("value", "low", "high"))  # fmt: skip
    line = pieces.scatter("lines", sizes, value, legendgroup=key) | {
        "line": {"color": f"${key}", "width": 2, "dash": "dot"},
        "customdata": [f"{a:,.3g} to {b:,.3g}" for a, b in zip(low, high, strict=True)],
        "hovertemplate": "expected at %{x:,.0f} items:<br>%{y:,.3g} (%{customdata}) "
        f"{panel.words}<extra></extra>",
    }
    return [pieces.band(sizes, low, high, f"${key}") | {"legendgroup": key}, line]


def _measured(key: str, points: Sequence[ScalePoint], panel: Panel) -> dict[str, Any]:
    values: Floats = np.array([getattr(point, panel.measured) for point in points]) / panel.unit
    return pieces.scatter("markers", [point.n for point in points], values) | {
        "legendgroup": key,
        "marker": pieces.marker(METHODS[key].symbol, 9, f"${key}"),
        "hovertemplate": f"measured on %{{x:,}} items:<br>%{{y:,.3g}} {panel.words}<extra></extra>",
    }


def _ends(traces: Sequence[dict[str, Any]]) -> Floats:
    """(2,) the lowest and the highest value to draw: of a wide range only the near part."""
    band, *drawn = (np.asarray(trace["y"]) for trace in traces)
    near = np.concatenate(drawn)
    low, high = max(band.min(), near.min() / FAR), min(band.max(), near.max() * FAR)
    return np.array([min(low, near.min()), max(high, near.max())])


def _log(values: Floats) -> dict[str, Any]:
    """A log axis over `values` with a few round ticks: 1, 2, 5 where it spans little."""
    low, high = np.log10(values.min()) - 0.08, np.log10(values.max()) + 0.08
    powers = np.arange(np.floor(low), np.ceil(high) + 1)
    powers = powers[:: max(1, round(len(powers) / 4))]
    steps = (1, 2, 5) if high - low < 1.6 else (1,)
    ticks = [float(f"{step}e{power:.0f}") for power in powers for step in steps]
    shown = [tick for tick in ticks if 10**low <= tick <= 10**high]
    return {
        "type": "log",
        "range": [float(low), float(high)],
        "tickmode": "array",
        "tickvals": shown,
        "ticktext": [_short(tick) for tick in shown],
    }


def _short(value: float) -> str:
    """0.05, 1,000, 20k, 5M."""
    if value < 10_000:
        return f"{value:,g}"
    size, letter = next(unit for unit in UNITS if value >= unit[0])
    return f"{value / size:g}{letter}"
