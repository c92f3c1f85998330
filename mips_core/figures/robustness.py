"""Precision under noise, and the speedup really reached, of methods set to the same speedup.

Two panels over one axis of noise. `figure` holds what does not change with the speedup asked for,
and `scene` is laid over it. Figures are plain dictionaries with colour tokens; the browser, or
`styles.resolve`, paints them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.evaluation.intervals import precision_interval
from mips_core.evaluation.precision import mean_precision
from mips_core.figures import pieces
from mips_core.figures.styles import METHODS, plain
from mips_core.figures.template import PRECISION_AXIS, merge
from mips_core.figures.tradeoff import MOST_BANDS, SIMULATED
from mips_core.studies.noise import Against, Unit
from mips_core.studies.robustness import RobustMethod

CEILING = "exact"  # the method whose curve bounds the others where the truth is that before noise
LOWER, UPPER = (0.0, 0.24), (0.37, 1.0)  # shares of the height: speedup below, precision above
ASIDE = 1.6  # the axis shows at least so many times the speedup asked for, up and down
STEPS = (  # how often the axis is marked in a decade, by how many times its end its start is
    (5, (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)),
    (15, (1, 2, 3, 5, 7)),
    (100, (1, 2, 5)),
    (np.inf, (1,)),
)
BETWEEN = "%{y:.3f}, %{customdata[0]:.3f} to %{customdata[1]:.3f}"  # a precision, in hover text
NARROW: dict[str, Any] = {
    "margin": {"l": 40, "r": 28, "t": 26, "b": 62},
    "xaxis": {"title": {"text": "Noise, σ"}},
}


@dataclass(frozen=True, slots=True)
class NoiseQuestion:
    """What all methods are asked alike: K answers of n items, under noise of each of sigmas (S,).

    rms is the data's, None while it is not known; simulated data is marked in the picture.
    """

    n: int
    K: int
    truth: Against
    sigmas: tuple[float, ...]
    unit: Unit
    rms: float | None = None
    simulated: bool = False

    def in_both_units(self, sigma: float) -> tuple[str, str]:
        """σ as it is asked for, and in the other unit; the latter "" where rms is not known."""
        if sigma == 0:
            return "0", ""
        if self.unit == "absolute":
            return f"{sigma:g}", "" if self.rms is None else f"{_short(sigma / self.rms)} rms"
        return f"{sigma:g} rms", "" if self.rms is None else f"{sigma * self.rms:.3g}"


def _short(multiple: float) -> str:
    return f"{multiple:.2f}" if multiple < 10 else f"{multiple:,.0f}"


def figure(keys: Sequence[str], question: NoiseQuestion) -> dict[str, Any]:
    """The picture before anything is measured: the traces of the methods `keys`, and the axes.

    With the truth before noise the ceiling, exact search, has a curve too. The lower axis comes
    with `scene`.
    """
    traces = [(key, trace) for key in keys for trace in _curves(key, question, banded(keys))]
    if question.truth == "clean":
        traces.append((CEILING, _line(CEILING, question, [0] * len(question.sigmas))))
    data = [
        {"type": "scatter", "legendgroup": key, "name": METHODS[key].label, **trace}
        for key, trace in traces
    ]
    return {"data": data, "layout": _layout(question)}


def scene(
    keys: Sequence[str],
    question: NoiseQuestion,
    speedup: float,
    methods: Mapping[str, RobustMethod],
    ceiling: Ids | None = None,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What changes of every trace of `figure`, and of its layout, where `speedup` is asked for.

    methods: key -> what is known of it, the first seed first; ceiling (S, K'+1): what
    `noise.ceiling` gives.
    """
    traces = []
    for key in keys:
        measured = key in methods and methods[key].by_seed
        drawn = _values(methods[key], question, speedup) if measured else [_nothing(question)] * 4
        traces += drawn if banded(keys) else drawn[1:]
    if question.truth == "clean":
        traces.append(_nothing(question) if ceiling is None else _ceiling(ceiling, question))
    reached = [under.speedup for method in methods.values() for under in method.by_seed[:1]]
    return traces, _speedup_panel(question, speedup, np.concatenate([[speedup], *reached]))


def banded(keys: Sequence[str]) -> bool:
    """Whether intervals are drawn: those of many methods would make grey soup."""
    return len(keys) <= MOST_BANDS


def _curves(key: str, question: NoiseQuestion, banded: bool) -> list[dict[str, Any]]:
    """A method's traces, in the order of `_values`: interval, other builds, precision, speedup."""
    sigmas = np.array(question.sigmas)
    band = {
        "mode": "lines",
        "x": np.concatenate([sigmas, sigmas[::-1]]),
        "fill": "toself",
        "fillcolor": f"${key}@band",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    others = {
        "mode": "lines",
        "x": np.concatenate([sigmas, [np.nan], sigmas]),
        "line": {"color": f"${key}@0.45", "width": 1},
        "hoverinfo": "skip",
    }
    every_second = [8 - 8 * (at % 2) for at in range(len(sigmas))]
    line = _line(key, question, every_second)
    below = merge(line, {"yaxis": "y2", "line": {"width": 1.5}})
    return [*([band] if banded else []), others, line, below]


def _line(key: str, question: NoiseQuestion, sizes: Sequence[int]) -> dict[str, Any]:
    style = METHODS[key]
    return {
        "mode": "lines+markers",
        "x": np.array(question.sigmas),
        "line": {"color": f"${key}", "width": 2, "dash": style.dash},
        "marker": pieces.marker(style.symbol, list(sizes), f"${key}") | {"opacity": 1},
    }


def _nothing(question: NoiseQuestion) -> dict[str, Any]:
    return {"y": np.full(len(question.sigmas), np.nan, np.float32)}


def _values(method: RobustMethod, question: NoiseQuestion, speedup: float) -> list[dict[str, Any]]:
    """Interval, other builds, precision and speedup of a method that is measured."""
    under, *others = method.by_seed
    truth, index = question.truth, under.setting.index
    low, high = under.interval(truth).T
    broken = [values for other in others for values in ([np.nan], other.precision(truth))]
    about = np.stack([low, high, under.speedup, *method.seed_range(truth)], axis=1)
    head = f"<b>{METHODS[index.key].label}</b><br>{plain(under.setting.in_words(question.n))}<br>"
    precision = f"precision@{question.K} {BETWEEN}"
    ends = "%{customdata[3]:.3f} to %{customdata[4]:.3f}"
    spread = f"<br>{len(method.by_seed)} builds: {ends}" if others else ""
    return [
        _float32(y=np.concatenate([high, low[::-1]])),
        _float32(y=np.concatenate(broken[1:])) if others else _nothing(question),
        _float32(y=under.precision(truth), customdata=about)
        | _hover(
            f"{head}σ %{{x:~g}}: {precision}<br>speedup reached %{{customdata[2]:.1f}}×{spread}"
        ),
        _float32(y=under.speedup)
        | _hover(f"{head}σ %{{x:~g}}: speedup reached %{{y:.1f}}×, asked for {speedup:g}×"),
    ]


def _hover(text: str) -> dict[str, str]:
    return {"hovertemplate": f"{text}<extra></extra>"}


def _ceiling(histograms: Ids, question: NoiseQuestion) -> dict[str, Any]:
    about = precision_interval(histograms)
    return _float32(y=mean_precision(histograms), customdata=about) | _hover(
        f"<b>Exact search, the ceiling</b><br>σ %{{x:~g}}: precision@{question.K} {BETWEEN}"
    )


def _float32(**arrays: Floats) -> dict[str, Any]:
    return {name: values.astype(np.float32) for name, values in arrays.items()}


def _layout(question: NoiseQuestion) -> dict[str, Any]:
    most = max(*question.sigmas, 1e-9)
    written = question.sigmas[::2]
    return {
        "margin": {"l": 52, "r": 180, "t": 26, "b": 64},
        "xaxis": {
            "range": [-0.03 * most, 1.03 * most],
            "tickvals": written,
            "ticktext": ["<br>".join(filter(None, question.in_both_units(s))) for s in written],
            "title": {"text": "Standard deviation of the noise, σ"},
            "anchor": "y2",
        },
        "yaxis": merge(PRECISION_AXIS, {"domain": UPPER}),
    }


def _speedup_panel(question: NoiseQuestion, speedup: float, reached: Floats) -> dict[str, Any]:
    """The lower axis over all that is reached, with a line at what was asked for."""
    low, high = min(speedup / ASIDE, reached.min() / 1.1), max(speedup * ASIDE, reached.max() * 1.1)
    steps = next(steps for ratio, steps in STEPS if high / low <= ratio)
    decades = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    ticks = [tick for tick in np.outer(decades, steps).ravel() if low <= tick <= high]
    return {
        "yaxis2": {
            **{"type": "log", "domain": LOWER, "range": [np.log10(low), np.log10(high)]},
            **{"showgrid": True, "gridcolor": "$grid", "zeroline": False, "automargin": True},
            **{"tickvals": ticks, "ticktext": [f"{tick:,g}×" for tick in ticks]},
            "tickfont": {"size": 12, "color": "$muted"},
        },
        "shapes": [pieces.dotted("$text@0.7", y=speedup, yref="y2")],
        "annotations": _annotations(question, speedup),
    }


def _annotations(question: NoiseQuestion, speedup: float) -> list[dict[str, Any]]:
    """The names of the panels above them, the speedup asked for, and the mark of simulated data."""
    above = {"yref": "paper", "yanchor": "bottom", "yshift": 3, "showarrow": False}
    title = above | {"xref": "paper", "x": 0, "xanchor": "left", "font": {"size": 13}}
    beside = {"name": "wide", "xref": "paper", "x": 1, "xanchor": "left", "xshift": 6}
    return [
        title | {"text": f"<b>Precision@{question.K}</b>", "y": UPPER[1]},
        title | {"text": "<b>Speedup really reached</b>", "y": LOWER[1]},
        beside
        | {"text": f"asked: {speedup:g}×", "yref": "y2", "y": np.log10(speedup), "showarrow": False}
        | {"font": {"size": 12, "color": "$muted"}},
        *([SIMULATED | above] if question.simulated else []),
    ]
