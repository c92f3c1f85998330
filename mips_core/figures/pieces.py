"""What figures are put together from: bands, markers, dotted lines, words, and panels in a row."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.figures.template import LAYOUT, merge


def scatter(mode: str, x: Any, y: Any, **more: Any) -> dict[str, Any]:
    """A trace through points: "lines", "markers" or both."""
    return {"type": "scatter", "mode": mode, "x": x, "y": y, **more}


def whiskers(array: Floats, arrayminus: Floats, **look: Any) -> dict[str, Any]:
    """The bars of an interval that reaches so far above each point, and so far below it."""
    return {"type": "data", "symmetric": False, "array": array, "arrayminus": arrayminus, **look}


def band(x: Floats | Ids, low: Floats, high: Floats, colour: str) -> dict[str, Any]:
    """From `low` (p,) to `high` (p,) along `x` (p,), in the pale shade of a colour's token."""
    around = np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]])
    look = {"line": {"width": 0}, "fill": "toself", "fillcolor": f"{colour}@band"}
    return scatter("lines", *around, hoverinfo="skip") | look


def marker(symbol: str, size: float | Sequence[int], colour: str) -> dict[str, Any]:
    """The marker of a point; a hollow symbol is drawn with its rim, others with one around."""
    hollow = "open" in symbol
    rim = {"width": 1.5, "color": colour} if hollow else {"width": 1, "color": "$background"}
    return {"symbol": symbol, "size": size, "color": colour, "line": rim}


def hover(texts: Sequence[str]) -> dict[str, Any]:
    """What is said over each point."""
    return {"customdata": texts, "hovertemplate": "%{customdata}<extra></extra>"}


def dotted(
    colour: str, *, x: float | None = None, y: float | None = None, **more: Any
) -> dict[str, Any]:
    """A dotted line through the whole picture: up at `x`, or across at `y`."""
    whole = {"yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1}
    if y is not None:
        whole = {"xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y}
    return {"type": "line", **whole, "line": {"color": colour, "width": 1, "dash": "dot"}, **more}


def words(text: str, size: int = 12, **place: Any) -> dict[str, Any]:
    """A text at a place, without an arrow."""
    return {"text": text, **place, "showarrow": False, "font": {"size": size}}


def axes_of(panel: int) -> dict[str, str]:
    """The axes of a panel, from 0, as Plotly counts them."""
    number = str(panel + 1) if panel else ""
    return {"xaxis": f"x{number}", "yaxis": f"y{number}"}


def panel_layout(
    panel: int, count: int, gap: float, x: dict[str, Any], y: dict[str, Any]
) -> dict[str, Any]:
    """Both axes of a panel, one of `count` side by side, with a share of the picture between."""
    width = (1 - gap * (count - 1)) / count
    left = panel * (width + gap)
    of_x, of_y = axes_of(panel).values()
    return {
        _long(of_x): merge(LAYOUT["xaxis"], x | {"domain": [left, left + width], "anchor": of_y}),
        _long(of_y): merge(LAYOUT["yaxis"], y | {"anchor": of_x}),
    }


def stacked(count: int, gap: float, title: str) -> dict[str, Any]:
    """The patch that puts panels one below the other; the lowest alone has the axis `title`."""
    height = (1 - gap * (count - 1)) / count
    patch: dict[str, Any] = {}
    for panel in range(count):
        low, (of_x, of_y) = (count - 1 - panel) * (height + gap), axes_of(panel).values()
        words_below = {"text": title if panel == count - 1 else ""}
        patch[_long(of_x)] = {"domain": [0, 1], "title": words_below}
        patch[_long(of_y)] = {"domain": [low, low + height]}
    return patch


def panel_title(panel: int, text: str, **shift: int) -> dict[str, Any]:
    """Top left of a panel; in px away from there."""
    of_x, of_y = axes_of(panel).values()
    place = {"xref": f"{of_x} domain", "yref": f"{of_y} domain", "x": 0, "y": 1}
    corner = {"xanchor": "left", "yanchor": "bottom", "showarrow": False}
    return {"text": f"<b>{text}</b>", **place, **corner, **shift}


def _long(axis: str) -> str:
    """The name of an axis in a layout: x2 is xaxis2."""
    return f"{axis[0]}axis{axis[1:]}"
