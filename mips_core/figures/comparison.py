"""How far two methods are apart at every speedup both reach: a paired difference in points.

Figures are plain dictionaries with colour tokens; the browser, or `styles.resolve`, paints them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mips_core.base.text import verb
from mips_core.figures import pieces
from mips_core.figures.styles import METHODS
from mips_core.figures.template import SPEEDUP_AXIS, merge
from mips_core.studies.comparison import FEWEST_SEEDS, Compared, Difference

LEAST_POINTS = 2.0  # the axis shows at least this much on either side of zero,
LEAST_SHARE = 0.3  # and this share of the longer side
AIR = 0.1  # of the height above and below all that is drawn: for the names of both sides
STEPS = (0.5, 1, 2, 5, 10, 20, 50)  # of its ticks
MOST_TICKS = 8
NARROW: dict[str, Any] = {
    "margin": {"l": 44, "r": 8, "t": 8, "b": 44},
    "xaxis": {"title": {"text": "Speedup of both (log scale)"}},
    "yaxis": {"title": {"text": "Points"}},
}


def difference_figure(
    by_speedup: Mapping[float, Compared],
    methods: tuple[str, str],
    at: float,
    ladder: Sequence[float],
) -> dict[str, Any]:
    """How much more the first of two `methods`, keys, finds: at each speedup both are set to.

    Above zero the first finds more, below it the second does. The speedup `at` is marked. The axis
    spans the `ladder` of speedups, so that nothing moves along it while points come in.
    """
    first, second = methods
    differences = {speedup: compared.difference for speedup, compared in by_speedup.items()}
    data = [
        _points({s: c for s, c in by_speedup.items() if differences[s].winner == "first"}, first),
        _points({s: c for s, c in by_speedup.items() if differences[s].winner == "second"}, second),
        _points({s: c for s, c in by_speedup.items() if differences[s].winner is None}, ""),
        _builds(differences),
    ]
    K = next((f"@{difference.K}" for difference in differences.values()), "")
    return {
        "data": [trace for trace in data if len(trace["x"])],
        "layout": {
            **_axes(
                f"Difference in precision{K}, points", ladder, _reach(list(differences.values()))
            ),
            **_sides(first, second, at),
        },
    }


def _reach(differences: Sequence[Difference]) -> tuple[float, float]:
    """How far the axis goes below and above zero, in points: both sides always show."""
    drawn = [0.0]
    for d in differences:
        drawn += [d.mean, *d.by_seed, *((d.low, d.high) if _settled(d) else ())]
    low, high = -100 * min(drawn), 100 * max(drawn)
    least = max(LEAST_POINTS, LEAST_SHARE * max(low, high))
    low, high = max(low, least), max(high, least)
    air = AIR * (low + high)
    return -low - air, high + air


def _settled(difference: Difference) -> bool:
    """Whether there are builds enough for an interval worth drawing."""
    return len(difference.by_seed) >= FEWEST_SEEDS


def _points(by_speedup: Mapping[float, Compared], winner: str) -> dict[str, Any]:
    """Means with their intervals, in the look of the `winner`; hollow where there is none."""
    differences = [compared.difference for compared in by_speedup.values()]
    shares = np.array([(d.mean, d.low, d.high) for d in differences]).reshape(-1, 3)
    mean, low, high = 100 * shares.T
    settled = np.array([_settled(d) for d in differences], bool)
    colour = f"${winner}" if winner else "$muted"
    above, below = (np.where(settled, length, 0.0) for length in (high - mean, mean - low))
    return pieces.scatter("markers", np.array(list(by_speedup)), mean) | {
        "name": _finds_more(winner) if winner else "cannot be told apart",
        "error_y": pieces.whiskers(above, below, color=colour, thickness=2, width=5),
        "marker": {
            **{"symbol": METHODS[winner].symbol if winner else "circle", "size": 10},
            "color": colour if winner else "$background",
            "line": {"width": 1.5, "color": colour},
        },
        **pieces.hover([_hover(speedup, compared) for speedup, compared in by_speedup.items()]),
    }


def _builds(differences: Mapping[float, Difference]) -> dict[str, Any]:
    """A small dash for every build, where there is more than one: so much is luck."""
    pairs = [
        (speedup, 100 * share)
        for speedup, difference in differences.items()
        if len(difference.by_seed) > 1
        for share in difference.by_seed
    ]
    x, y = np.array(pairs).reshape(-1, 2).T
    return pieces.scatter("markers", x, y) | {
        "name": "one build of each",
        "marker": {
            **{"symbol": "line-ew-open", "size": 11, "color": "$text@0.6"},
            "line": {"width": 1.5},
        },
        "hoverinfo": "skip",
    }


def _hover(speedup: float, compared: Compared) -> str:
    """The text over a point; made of our own words and numbers only."""
    d = compared.difference
    interval = f"95% interval {_points_of(d.low)} to {_points_of(d.high)}, {d.m:,} queries"
    return "<br>".join(
        [
            f"<b>{_points_of(d.mean)} points of precision@{d.K} at {speedup:g}×</b>",
            interval if _settled(d) else f"{len(d.by_seed)} of {FEWEST_SEEDS} builds so far",
            f"by build: {', '.join(map(_points_of, d.by_seed))}",
            *(
                f"{one.setting.index.label}: {one.setting.in_words(compared.n)}, "
                f"{np.mean(one.speedups):.1f}×"
                for one in compared.scored
            ),
        ]
    )


def _points_of(share: float) -> str:
    return f"{100 * share:+.1f}".replace("-", "−")


def _axes(title: str, ladder: Sequence[float], reach: tuple[float, float]) -> dict[str, Any]:
    ends = [float(np.log10(ladder[0] / 1.25)), float(np.log10(ladder[-1] * 1.25))]
    ticks = [speedup for speedup in ladder if f"{speedup:g}".rstrip("0") in ("1", "2", "5")]
    written = {"tickvals": ticks, "ticktext": [f"{tick:g}×" for tick in ticks]}
    words = {"title": {"text": "Speedup both are set to (inner products, log scale)"}}
    return {
        "xaxis": merge(SPEEDUP_AXIS, {"range": ends, **written, **words}),
        "yaxis": {
            **{"title": {"text": title}, "range": list(reach), **_ticks(*reach)},
            **{"zeroline": True, "zerolinecolor": "$text", "zerolinewidth": 1},
        },
    }


def _ticks(low: float, high: float) -> dict[str, Any]:
    """Ticks at round numbers of points, zero without a sign."""
    step = next((s for s in STEPS if (high - low) / s <= MOST_TICKS), STEPS[-1])
    values = [step * i for i in range(int(low / step), int(high / step) + 1)]
    texts = [f"{value:+g}".replace("-", "−") if value else "0" for value in values]
    return {"tickvals": values, "ticktext": texts}


def _sides(first: str, second: str, at: float) -> dict[str, Any]:
    """Whose half of the picture is whose, and a line at the speedup `at`."""
    return {
        "shapes": [
            _side(first, 1),
            _side(second, -1),
            pieces.dotted("$text", x=at, layer="below"),
        ],
        "annotations": [_name(first, 1, "top"), _name(second, 0, "bottom")],
    }


def _side(key: str, sign: int) -> dict[str, Any]:
    """The part of the picture above or below zero, in which the method `key` finds more."""
    return {
        "type": "rect",
        **{"xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": 1000 * sign},  # beyond any axis
        **{"fillcolor": f"${key}@0.07", "line": {"width": 0}, "layer": "below"},
    }


def _name(key: str, height: float, anchor: str) -> dict[str, Any]:
    return {
        "text": f"{METHODS[key].glyph} {_finds_more(key)}",
        **{"xref": "paper", "x": 0, "xanchor": "left", "xshift": 6},
        **{"yref": "paper", "y": height, "yanchor": anchor},
        **{"showarrow": False, "font": {"size": 13, "color": "$text"}},
    }


def _finds_more(key: str) -> str:
    """Flat k-means finds more; Largest norms find more."""
    label = METHODS[key].label
    return f"{label} {verb(label, 'find')} more"
