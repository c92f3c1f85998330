"""What is found of the true answers, by what may explain it, and what more effort would find."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mips_core.base.text import counted, percent
from mips_core.figures import pieces
from mips_core.figures.styles import METHODS
from mips_core.studies.misses import MoreEffort, Rates

HEIGHT, NARROW_HEIGHT = 252, 232
MARGIN = {"l": 44, "r": 24, "t": 34, "b": 46}  # right: half of the last label of an axis
STARTS = (0.8, 0.5, 0.0)  # where the axis of shares may begin: few, so that it seldom jumps
TOP = 1.03
EDGES = 11  # labels between classes that fit side by side
NARROW_EDGES = 6


def axis_start(parts: Sequence[Rates | None]) -> float:
    """Where one axis for all these rates begins, so that no interval is cut."""
    ends = [part.interval[:, 0] for part in parts if part is not None]
    least = min((float(np.nanmin(end)) for end in ends), default=0.0)
    return next(start for start in STARTS if least >= start)


def rates_figure(
    rates: Rates, key: str, title: str, of: str, *, overall: float, start: float
) -> dict[str, Any]:
    """The share found in each class with its interval, beside the `overall` one; key: the method.

    `title` says what of, `of` what the classes are: "norm of the item". `start`: of the axis.
    """
    (some,) = np.nonzero(rates.answers)
    rate, interval = rates.rate[some], rates.interval[some]
    above, below = interval[:, 1] - rate, rate - interval[:, 0]
    points = pieces.scatter("markers", some.astype(np.int32), rate) | {
        "error_y": pieces.whiskers(above, below, color=f"${key}@0.5", thickness=5, width=0),
        "marker": pieces.marker(METHODS[key].symbol, 9, f"${key}"),
        **pieces.hover([_hover(rates, int(g), of) for g in some]),
    }
    layout = {
        "margin": MARGIN,
        "xaxis": _classes_axis(rates, of, EDGES),
        "yaxis": {"range": [start, TOP], "dtick": 0.1 if start else 0.2, "tickformat": ".1f"},
        "shapes": [_level(overall)],
        "annotations": [_title(title), _note(f"of all {percent(overall)}")],
    }
    return {"data": [points], "layout": layout}


def narrow(rates: Rates, of: str) -> dict[str, Any]:
    """The patch for charts narrower than 560 px."""
    return {"margin": MARGIN | {"l": 36}, "xaxis": _classes_axis(rates, of, NARROW_EDGES)}


def _hover(rates: Rates, g: int, of: str) -> str:
    low, high = rates.interval[g]
    answers = counted(int(rates.answers[g]), "true answer", "true answers")
    return (
        f"<b>{of} {rates.names[g]}</b><br>{rates.rate[g]:.3f} found, {low:.3f} to {high:.3f}<br>"
        f"{answers}, {counted(int(rates.queries[g]), 'query', 'queries')}"
    )


def _classes_axis(rates: Rates, of: str, most: int) -> dict[str, Any]:
    """Classes by number; the numbers they begin and end with between them, or their names below."""
    g = len(rates.names)
    marked = np.linspace(0, len(rates.edges) - 1, min(len(rates.edges), most)).round().astype(int)
    texts = [rates.edges[i] for i in marked] or list(rates.names)
    places = marked - 0.5 if rates.edges else np.arange(g)
    return {
        "range": [-0.6, g - 0.4],
        "tickvals": places.tolist(),
        "ticktext": texts,
        "tickangle": 0,
        "showgrid": bool(rates.edges),
        "title": {"text": of.capitalize()},
    }


def more_figure(more: MoreEffort, key: str) -> dict[str, Any]:
    """The share of the present misses that each larger effort finds; there must be some of both."""
    share = more.found / more.missed
    many = more.nouns[1]
    mode = "lines+markers" if len(share) < 40 else "lines"
    x, y = np.concatenate([[more.effort], more.efforts]), np.concatenate([[0.0], share])
    line = pieces.scatter(mode, x, y) | {
        "line": {"color": f"${key}", "width": 2, "dash": METHODS[key].dash},
        "marker": {"size": 5, "color": f"${key}"},
        "customdata": ["now", *(f"{percent(s)} of the misses found" for s in share)],
        "hovertemplate": "%{x:,} " + many + ": %{customdata}<extra></extra>",
    }
    reachable = 1 - more.never / more.missed
    never = [_level(reachable)] if more.never else []
    notes = [_note(f"no effort finds {percent(1 - reachable)}")] if more.never else []
    layout = {
        "margin": MARGIN,
        "xaxis": {
            "type": "log",
            "title": {"text": f"{many.capitalize()} (log scale)"},
            **_effort_ticks(more),
        },
        "yaxis": {"range": [0, TOP], "dtick": 0.2, "tickformat": ".1f"},
        "shapes": [*never, *_twice(more)],
        "annotations": [_title("Misses that more effort would find"), *notes],
    }
    return {"data": [line], "layout": layout}


def _effort_ticks(more: MoreEffort) -> dict[str, Any]:
    """Doublings of the present effort, seven at most, and no tick without its number.

    Where there is none, the last effort.
    """
    last = int(more.efforts[-1])
    doublings = int(np.log2(last / more.effort))
    ticks = [more.effort * 2**i for i in range(0, doublings + 1, max(-(-doublings // 6), 1))]
    ticks += [last] if doublings == 0 else []
    return {"tickvals": ticks, "ticktext": [f"{tick:,}" for tick in ticks]}


def _twice(more: MoreEffort) -> list[dict[str, Any]]:
    """A line down from the curve at twice the effort."""
    if more.twice is None:
        return []
    x, y = int(more.efforts[more.twice]), float(more.found[more.twice] / more.missed)
    return [pieces.dotted("$target", x=x, y1=y, yref="y")]


def _title(text: str) -> dict[str, Any]:
    return _above(f"<b>{text}</b>", 0, "left") | {"font": {"size": 13}}


def _level(share: float) -> dict[str, Any]:
    return pieces.dotted("$target@0.7", y=share, layer="below")


def _note(text: str) -> dict[str, Any]:
    """What the dotted level is, at the top right, where no dot can be under it."""
    return _above(f"····· {text}", 1, "right") | {"font": {"size": 12, "color": "$muted"}}


def _above(text: str, x: int, anchor: str) -> dict[str, Any]:
    place = {"x": x, "xref": "paper", "xanchor": anchor, "y": 1, "yref": "paper"}
    return pieces.words(text) | place | {"yanchor": "bottom", "yshift": 8}
