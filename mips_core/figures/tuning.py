"""Settings side by side: what each finds on held-out queries, how sure that is, what it costs."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from mips_core.base.text import times
from mips_core.figures import pieces
from mips_core.figures.styles import METHODS, plain
from mips_core.studies.tuning import Trial

SIGNS = {
    "holds": "✓",
    "does not hold": "✕",
    "cannot tell": "?",
    "not tested": "–",
}  # never colour alone
ROW, NARROW_ROW, LINE = 44, 70, 14  # px
LETTERS = 44  # of a setting, on a line
EDGE = 0.04  # of the axis beyond a precision of 1: room for half a mark, and for no tick
FAR = 0.15  # below the target: what finds less is named at the edge, or it would squeeze the rest
TOP, BOTTOM = 30, 54
WHOLE = {"yref": "paper", "y0": 0, "y1": 1}  # where a shape goes through all rows
DIM = "fill-opacity:.72"  # for second lines: a style within a text takes no colour token


def intervals(
    trials: Sequence[Trial], best: Trial | None, K: int, target: float | None = None
) -> dict[str, Any]:
    """A row for each of `trials`, cheapest on top; `best`, one of them, stands out.

    With a `target`, the side that holds it is tinted, and each row has its verdict.
    """
    rows = _by_cost(trials)
    notes = [note for y, trial in enumerate(rows) for note in _notes(y, trial, best, target)]
    heads = [_aside("inner products", 1, 12, yref="paper", yanchor="bottom")]
    return {
        "data": [trace for y, trial in enumerate(rows) for trace in _row(y, trial, best, K)],
        "layout": {
            "margin": {"l": 250, "r": 168 if target is not None else 92, "t": TOP, "b": BOTTOM},
            "xaxis": _precision_axis(rows, K, target),
            "yaxis": _row_axis(len(rows), -0.5),
            "shapes": [*_good_side(target), *_target_line(target, None)],
            "annotations": [*heads, *notes, *_target_name(rows, target), *_off_scale(rows, target)],
        },
    }


def narrow(trials: Sequence[Trial], best: Trial | None, target: float | None) -> dict[str, Any]:
    """The patch for charts narrower than 560 px: words stand over their interval."""
    rows = _by_cost(trials)
    notes = [note for y, trial in enumerate(rows) for note in _over(y, trial, best, target)]
    return {
        "margin": {"l": 10, "r": 10, "t": TOP, "b": BOTTOM - 8},
        "xaxis": {"title": {"text": "Precision on held-out queries"}, "nticks": 5},
        "yaxis": _row_axis(len(rows), -0.85),
        "shapes": [
            *_good_side(target),
            *(line for y in range(len(rows)) for line in _target_line(target, y)),
        ],
        "annotations": [*notes, *_target_name(rows, target), *_off_scale(rows, target)],
    }


def heights(trials: Sequence[Trial]) -> tuple[int, int]:
    """The heights, wide and narrow, in px, that their rows need."""
    longest = max(_setting(trial).count("<br>") for trial in trials)
    wide, small = (row + LINE * longest for row in (ROW, NARROW_ROW))
    return TOP + BOTTOM + wide * len(trials), TOP + BOTTOM + small * len(trials)


def _by_cost(trials: Sequence[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: trial.cost)


def _row(y: int, trial: Trial, best: Trial | None, K: int) -> list[dict[str, Any]]:
    """The interval as a bar, and the method's own marker at the precision found."""
    key, first = trial.setting.index.key, trial is best
    open_ended = trial.verdict in ("cannot tell", "not tested")
    symbol = METHODS[key].symbol
    hollow = open_ended or "open" in symbol
    rim = {"width": 2, "color": f"${key}"} if hollow else {"width": 1.5, "color": "$background"}
    bar = pieces.scatter("lines", list(trial.interval), [y, y]) | {
        **{"legendgroup": key, "hoverinfo": "skip"},
        "line": {"color": f"${key}@0.5" if open_ended else f"${key}", "width": 9 if first else 5},
    }
    mark = pieces.scatter("markers", [trial.precision], [y], legendgroup=key) | {
        "marker": {
            "symbol": symbol.removesuffix("-open"),
            "size": 14 if first else 11,
            "color": "$background" if hollow else f"${key}",
            "line": rim,
        },
        **pieces.hover([_hover(trial, K)]),
        "hoverinfo": "all",
    }
    return [bar, mark]


def _hover(trial: Trial, K: int) -> str:
    low, high = trial.interval
    return (
        f"<b>{_name(trial)}</b><br>{_setting(trial)}<br>"
        f"precision@{K} {trial.precision:.3f}, {low:.3f} to {high:.3f}<br>"
        f"{times(trial.speedup)} · {trial.cost:,.0f} inner products a query"
    )


def _name(trial: Trial) -> str:
    return plain(METHODS[trial.setting.index.key].label)


def _setting(trial: Trial) -> str:
    """The parameters and the effort, in lines that leave room for the picture."""
    words = trial.setting.in_words(trial.tried.evaluation.truth.n)
    whole = words.replace(" ", "\N{NO-BREAK SPACE}").replace(",\N{NO-BREAK SPACE}", ", ")
    return "<br>".join(plain(line) for line in wrap(whole, LETTERS))


def _small(text: str) -> str:
    return f'<span style="font-size:12px;{DIM}">{text}</span>'


def _strong(text: str, first: bool) -> str:
    return f"<b>{text}</b>" if first else text


def _aside(text: str, y: float, shift: int, **more: Any) -> dict[str, Any]:
    """A text right of the plot, `shift` px away from it."""
    place = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": shift, "y": y}
    return pieces.words(text) | place | {"align": "left"} | more


def _notes(y: int, trial: Trial, best: Trial | None, target: float | None) -> list[dict[str, Any]]:
    """What stands left and right of a row: its name, its cost, its verdict."""
    first, font = trial is best, {"font": {"size": 13}}
    name = f"{_strong(_name(trial), first)}<br>{_small(_setting(trial))}"
    cost = f"{_strong(f'{trial.cost:,.0f}', first)}<br>{_small(times(trial.speedup))}"
    left = {"x": 0, "xref": "paper", "xanchor": "right", "xshift": -12, "y": y, "align": "right"}
    notes = [{"text": name, **left, "showarrow": False, **font}, _aside(cost, y, 12, **font)]
    if target is not None:
        notes.append(_aside(f"{SIGNS[trial.verdict]} {trial.verdict}", y, 74))
    return notes


def _over(y: int, trial: Trial, best: Trial | None, target: float | None) -> list[dict[str, Any]]:
    """The same over a row, for narrow screens."""
    first = trial is best
    name = f"{METHODS[trial.setting.index.key].glyph} {_strong(_name(trial), first)}"
    sign = "" if target is None else f"<br>{_small(f'{SIGNS[trial.verdict]} {trial.verdict}')}"
    cost = f"{_strong(f'{trial.cost:,.0f} · {times(trial.speedup)}', first)}{sign}"
    place = {"xref": "paper", "y": y, "yanchor": "bottom", "yshift": 9, "showarrow": False}
    left = {"x": 0, "xanchor": "left", "align": "left"}
    right = {"x": 1, "xanchor": "right", "align": "right"}
    return [
        {"text": f"{name}<br>{_small(_setting(trial))}", **place, **left, "font": {"size": 13}},
        {"text": cost, **place, **right, "font": {"size": 13}},
    ]


def _span(rows: Sequence[Trial], target: float | None) -> tuple[float, float]:
    """Over every interval that is not far off, and the target, with some air within 0 and 1."""
    ends = [end for trial in rows if not _far(trial, target) for end in trial.interval]
    low, high = (f([*ends, *([] if target is None else [target])]) for f in (min, max))
    air = max(0.06 * (high - low), 0.004)
    start = max(low - air, -0.01)
    return start, min(high + air, 1 + EDGE * (1 - start))


def _precision_axis(rows: Sequence[Trial], K: int, target: float | None) -> dict[str, Any]:
    sure = "the interval used for the promise" if target is not None else "95% intervals"
    return {
        "range": list(_span(rows, target)),
        "title": {"text": f"Precision@{K} on held-out queries, with {sure}"},
        "nticks": 7,
    }


def _far(trial: Trial, target: float | None) -> bool:
    return target is not None and trial.precision < target - FAR


def _off_scale(rows: Sequence[Trial], target: float | None) -> list[dict[str, Any]]:
    """The precision of rows that are far off, at the edge they lie beyond."""
    place = {"x": 0, "xref": "paper", "xanchor": "left", "xshift": 2, "showarrow": False}
    return [
        {"text": f"◂ {trial.precision:.3f}", "y": y, **place, "font": {"size": 12}}
        for y, trial in enumerate(rows)
        if _far(trial, target)
    ]


def _row_axis(count: int, top: float) -> dict[str, Any]:
    return {
        "range": [count - 0.4, top],
        "showgrid": False,
        "showticklabels": False,
        "fixedrange": True,
    }


def _good_side(target: float | None) -> list[dict[str, Any]]:
    """The side of the target that holds it, tinted."""
    if target is None:
        return []
    area = {"type": "rect", "x0": target, "x1": 2, **WHOLE, "layer": "below"}
    return [area | {"fillcolor": "$good@0.05", "line": {"width": 0}}]


def _target_line(target: float | None, row: int | None) -> list[dict[str, Any]]:
    """Through all rows, or across the interval of one `row`, clear of the words above it."""
    if target is None:
        return []
    reach = {} if row is None else {"yref": "y", "y0": row - 0.1, "y1": row + 0.2}
    return [pieces.dotted("$target", x=target, layer="below") | reach]


def _target_name(rows: Sequence[Trial], target: float | None) -> list[dict[str, Any]]:
    """Over its line; near an end of the axis on the side where nothing else stands."""
    if target is None:
        return []
    start, end = _span(rows, target)
    across = (target - start) / (end - start)
    anchor = "right" if across > 0.8 else "left" if across < 0.2 else "center"
    place = {"x": target, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False}
    return [{"text": f"target {target:g}", **place, "xanchor": anchor, "font": {"size": 12}}]
