"""Kept runs laid over each other: precision against speedup, in the colour of their methods.

Runs of one method share its colour, so each has a dash and a marker of its own, and its number in
the picture and the key. Figures are plain dictionaries with colour tokens; the browser, or
`styles.resolve`, paints them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.text import in_one_line
from mips_core.figures import pieces
from mips_core.figures.styles import METHODS, plain
from mips_core.figures.template import NARROW, merge
from mips_core.figures.tradeoff import MARKERS, MOST_BANDS, SIMULATED, exact_point, layout, span_of
from mips_core.studies.runs import Run

HEIGHT = 380  # px of the picture, and
ENTRY = 29  # px for each name in the key below it
MAX_IN_KEY = 60  # characters of a name
MAX_BESIDE = 40  # characters of a name beside its curve
MOST_BESIDE = 3  # runs named beside their curves; of more, only the numbers
STEPS = 80  # places along a curve where its name may stand
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = (
    *("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "triangle-down"),
    *("pentagon", "hexagon", "hourglass", "bowtie", "circle-open", "square-open", "diamond-open"),
    *("triangle-up-open", "star-open", "triangle-down-open", "pentagon-open", "hexagon-open"),
)


class RunStyle(NamedTuple):
    """How a run is drawn: in the colour of its method, with a dash and a marker of its own."""

    key: str
    dash: str
    symbol: str


def styles_of(runs: Sequence[Run]) -> list[RunStyle]:
    """The first of a method looks like it; markers are unique, dashes among runs of a method."""
    looks: list[RunStyle] = []
    for run in runs:
        own = METHODS[run.index.key]
        dashes = [style.dash for style in looks if style.key == run.index.key]
        symbols = [style.symbol for style in looks]
        dash = next((d for d in (own.dash, *DASHES) if d not in dashes), own.dash)
        symbol = next((s for s in (own.symbol, *SYMBOLS) if s not in symbols), own.symbol)
        looks.append(RunStyle(run.index.key, dash, symbol))
    return looks


def runs_figure(runs: Sequence[Run], K: int, speedup: float, precision: float) -> dict[str, Any]:
    """The curves of those `runs` that were measured at K, numbered from 1 in the order given.

    Dotted lines mark the speedup and the precision at which they are held against each other.
    """
    drawn = [
        (number, run, style)
        for number, (run, style) in enumerate(zip(runs, styles_of(runs), strict=True), 1)
        if K in run.ks
    ]
    bands = len(drawn) <= MOST_BANDS
    data = [_band(run, style, K) for _, run, style in drawn if bands]
    data += [_line(number, run, style, K) for number, run, style in drawn]
    if len({run.data.n for run in runs}) == 1:
        data.append(exact_point(runs[0].data.n) | {"showlegend": False})
    curves = [run.curve for _, run, _ in drawn]
    axes = layout(K, *span_of(curves, K))
    shown = [(number, run) for number, run, _ in drawn]
    notes = _names(shown, K, axes["xaxis"]["range"])
    notes += [SIMULATED] if any(run.data.simulated for run in runs) else []
    patch = {
        "shapes": [
            *axes["shapes"],
            pieces.dotted("$text@0.6", x=speedup, layer="below"),
            pieces.dotted("$text@0.6", y=precision, layer="below"),
        ],
        "annotations": notes,
        "showlegend": True,
        "legend": {"orientation": "v", "x": 0, "y": -0.16, "yanchor": "top", "font": {"size": 13}},
    }
    return {"data": data, "layout": merge(axes, patch)}


def height(runs: Sequence[Run]) -> int:
    """Px that the picture and its key need."""
    return HEIGHT + ENTRY * (len(runs) + 1)


def narrow(figure: Mapping[str, Any]) -> dict[str, Any]:
    """The layout patch of `figure` for charts narrower than 560 px: numbers alone beside curves."""
    notes = figure["layout"]["annotations"]
    numbers = [note | {"text": note["text"].split("  ")[0]} for note in notes]
    return merge(NARROW, {"annotations": numbers, "legend": {"font": {"size": 12}}})


def key_text(number: int, run: Run, most: int = MAX_IN_KEY) -> str:
    """`1  name`, as Plotly shows it as it is."""
    return f"{number}  {plain(in_one_line(run.name, most))}"


def _line(number: int, run: Run, style: RunStyle, K: int) -> dict[str, Any]:
    curve, colour = run.curve, f"${style.key}"
    return pieces.scatter("lines+markers", curve.speedup, curve.precision(K)) | {
        **{"name": key_text(number, run), "legendgroup": f"run {number}"},
        "line": {"color": colour, "width": 2, "dash": style.dash},
        "marker": pieces.marker(style.symbol, 9, colour) | {"maxdisplayed": MARKERS},
        **pieces.hover([_hover(run, at, K) for at in range(len(curve.efforts))]),
    }


def _band(run: Run, style: RunStyle, K: int) -> dict[str, Any]:
    """The interval around a curve."""
    low, high = run.curve.interval(K).T
    return pieces.band(run.curve.speedup, low, high, f"${style.key}") | {"showlegend": False}


def _hover(run: Run, at: int, K: int) -> str:
    """The text over a point; the name comes from people and is shown as text."""
    curve = run.curve
    low, high = curve.interval(K)[at]
    effort = int(curve.efforts[at])
    return (
        f"<b>{plain(in_one_line(run.name, MAX_IN_KEY))}</b><br>"
        f"{run.index.label}, {effort:,} {run.index.effort_nouns[effort != 1]}<br>"
        f"precision@{K} {curve.precision(K)[at]:.3f} ± {50 * (high - low):.1f} points<br>"
        f"{curve.speedup[at]:.1f}× · {curve.mean_cost[at]:,.0f} inner products a query"
    )


def _names(shown: Sequence[tuple[int, Run]], K: int, ends: Sequence[float]) -> list[dict[str, Any]]:
    """Beside each curve, where it is farthest from the others and from names that stand already."""
    paths = [_path(run.curve.speedup, run.curve.precision(K), ends) for _, run in shown]
    taken: list[Floats] = []
    notes = []
    for at, (number, run) in enumerate(shown):
        inside = paths[at][(paths[at][:, 0] >= 0.02) & (paths[at][:, 0] <= 0.95)]
        if len(inside) == 0:
            continue
        others = np.concatenate([*(p for i, p in enumerate(paths) if i != at), np.empty((0, 2))])
        room = _distance(inside, others) + 2 * _distance(inside, np.reshape(taken, (-1, 2)))
        best = int(room.argmax())
        taken.append(inside[best])
        few = len(shown) <= MOST_BESIDE
        text = key_text(number, run, MAX_BESIDE) if few else str(number)
        notes.append(_note(text, *inside[best]))
    return notes


def _path(speedups: Floats, precisions: Floats, ends: Sequence[float]) -> Floats:
    """(STEPS, 2) places along a curve, evenly spread in shares of the width and in precision."""
    order = np.argsort(speedups, kind="stable")
    x = (np.log10(speedups[order]) - ends[0]) / (ends[1] - ends[0])
    y = precisions[order]
    along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    steps = np.linspace(0, along[-1], STEPS)
    return np.stack([np.interp(steps, along, x), np.interp(steps, along, y)], axis=1)


def _distance(points: Floats, others: Floats) -> Floats:
    """(p,) how far each point (p, 2) is from the nearest other (q, 2), at most 0.2."""
    if len(others) == 0:
        return np.full(len(points), 0.2)
    apart = np.linalg.norm(points[:, None] - others[None], axis=2).min(axis=1)
    return np.asarray(np.minimum(apart, 0.2))


def _note(text: str, x: float, y: float) -> dict[str, Any]:
    """A name at a place in shares of the width, and in precision; on the side that has room."""
    right = x < 0.7
    return {
        "text": text,
        **{"xref": "x domain", "x": float(x), "xanchor": "left" if right else "right"},
        **{"yref": "y", "y": float(y), "yanchor": "bottom", "xshift": 8 if right else -8},
        **{"yshift": 2, "showarrow": False, "font": {"size": 13, "color": "$text"}},
        "bgcolor": "$background@0.7",
    }
