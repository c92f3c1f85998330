"""The pictures of a report: lines over two axes as SVG, in the look of `figures.template`.

A picture is drawn twice, wide and narrow, and the style sheet shows the one that fits. The wide one
tells each point in a title, which browsers show over it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10

from markupsafe import Markup

from mips_core.base.text import counted, times
from mips_core.figures.drawing import Spot
from mips_core.figures.template import SPEEDUP_TICKS
from mips_core.figures.tradeoff import LITTLE, MOST_BANDS
from mips_core.report.contents import Measured, MethodCurve, NoiseResult, Report
from mips_core.report.sentences import amount, named, share
from mips_core.report.templates import render

MARKERS = 5  # a line, so that shape tells methods apart as well as colour
FEW_TICKS = (0.1, 1, 10, 100, 1000, 10_000)


@dataclass(frozen=True, slots=True)
class Line:
    """Spots joined in the style of the method `key`, over a band of their intervals if wanted."""

    key: str
    spots: Sequence[Spot]
    band: bool = False

    def marked(self) -> list[Spot]:
        """Those with a marker: both ends, and some between."""
        last = len(self.spots) - 1
        return [
            self.spots[at]
            for at in sorted({round(last * i / (MARKERS - 1)) for i in range(MARKERS)})
        ]


@dataclass(frozen=True, slots=True)
class Axis:
    """From low to high; what is written at its ticks, and below or over it."""

    low: float
    high: float
    title: str
    ticks: Sequence[tuple[float, str]]
    log: bool = False

    def share(self, value: float) -> float:
        """Where a value lies between the ends, from 0 to 1; beyond them outside of that."""
        scale: Callable[[float], float] = log10 if self.log else float
        return (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))

    def shown(self) -> list[tuple[float, str]]:
        """The ticks between the ends."""
        return [(at, text) for at, text in self.ticks if -1e-9 <= self.share(at) <= 1 + 1e-9]


@dataclass(frozen=True, slots=True)
class Canvas:
    """How large a picture is in px, and where its plot lies: x to the right, y down."""

    x: Axis
    y: Axis
    width: int
    height: int
    left: int = 46
    top: int = 26
    right: int = 14
    bottom: int = 46

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a value in px."""
        wide, high = self.width - self.left - self.right, self.height - self.top - self.bottom
        return self.left + self.x.share(x) * wide, self.top + (1 - self.y.share(y)) * high

    def path(self, values: Sequence[tuple[float, float]]) -> str:
        """From one value to the next."""
        return "M" + "L".join("{:.1f} {:.1f}".format(*self.at(*value)) for value in values)

    def line(self, line: Line) -> str:
        """Through its spots."""
        return self.path([(spot.x, spot.y) for spot in line.spots])

    def band(self, line: Line) -> str:
        """Around the intervals of its spots."""
        upper = [(spot.x, spot.high) for spot in line.spots]
        return self.path(upper + [(spot.x, spot.low) for spot in reversed(line.spots)]) + "Z"


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn over lines: the chosen point, the target, and exact search at (1, 1)."""

    ring: tuple[float, float] | None = None
    ring_words: str = ""
    target: float | None = None
    exact: bool = False
    simulated: bool = False


def pictures(
    name: str, alt: str, axes: tuple[Axis, Axis], narrow: Axis, lines: Sequence[Line], marks: Marks
) -> Markup:
    """Both sizes; `name` is unique in the page, `narrow` the x axis where there is little room."""
    wide = Canvas(*axes, 820, 420)
    small = Canvas(narrow, axes[1], 350, 300, left=34, right=8)
    return _drawn(f"{name}-wide", alt, wide, lines, marks, "wide") + _drawn(
        f"{name}-narrow", alt, small, lines, marks, "narrow"
    )


def _drawn(
    name: str, alt: str, frame: Canvas, lines: Sequence[Line], marks: Marks, kind: str
) -> Markup:
    return render(
        "picture.svg", name=name, alt=alt, frame=frame, lines=lines, marks=marks, kind=kind
    )


def curves_picture(report: Report, curves: Sequence[MethodCurve]) -> Markup:
    """The curves of one K, one or more, with the setting to run."""
    K, point = curves[0].K, report.point.measured
    alt = (
        f"Precision at {K} against speedup of {counted(len(curves), 'method', 'methods')}. "
        "The numbers are in the tables below."
    )
    marks = Marks(
        ring=(point.speedup, point.precision),
        ring_words=_about(report, point, K),
        target=report.point.target,
        exact=True,
        simulated=report.data.simulated,
    )
    low, high = _ends(curves, [1.0, 2.0, point.speedup])
    band = len(curves) <= MOST_BANDS
    lines = [
        Line(c.key, [_spot(p, _about(report, p, c.K)) for p in c.points], band) for c in curves
    ]
    wide = (_speedups(low, high), _precisions(K))
    return pictures(f"curves-{K}", alt, wide, _speedups(low, high, FEW_TICKS), lines, marks)


def small_picture(report: Report, curves: Sequence[MethodCurve]) -> Markup:
    """The curves of another K, one of several side by side."""
    K = curves[0].K
    answers = counted(K, "answer", "answers")
    alt = f"The same at {answers} a query. The numbers are in this file, as JSON."
    axes = (_speedups(*_ends(curves, [1.0, 2.0]), FEW_TICKS), _precisions(K))
    lines = [Line(c.key, [_spot(p, "") for p in c.points]) for c in curves]
    marks = Marks(exact=True, simulated=report.data.simulated)
    frame = Canvas(*axes, 400, 300, left=40, right=8)
    return _drawn(f"curves-{K}", alt, frame, lines, marks, "small")


def noise_picture(report: Report, noise: NoiseResult) -> Markup:
    """Precision against noise, a line for each method."""
    alt = (
        f"Precision at {report.K} against noise on the queries, of "
        f"{counted(len(noise.methods), 'method', 'methods')}. The numbers are in the table below."
    )
    ticks = [(sigma, f"{sigma:g}") for sigma in noise.sigmas]
    most = max(noise.sigmas) or 1.0
    ends = -0.02 * most, 1.02 * most  # room for the markers
    across = Axis(*ends, "Standard deviation of the noise, σ", ticks)
    lines = []
    for method in noise.methods:
        spots = [
            Spot(sigma, p, max(p - half, 0), min(p + half, 1),
                 f"{method.method}\nσ {sigma:g}: {share(p)} ± {100 * half:.1f} points, "
                 f"{times(saved)}")
            for sigma, p, half, saved in zip(
                noise.sigmas, method.precision, method.half, method.speedup, strict=True
            )
        ]  # fmt: skip
        lines.append(Line(method.key, spots))
    few = Axis(*ends, "Noise σ", ticks[::2])
    marks = Marks(simulated=report.data.simulated)
    return pictures("noise", alt, (across, _precisions(report.K)), few, lines, marks)


def _spot(point: Measured, about: str) -> Spot:
    return Spot(point.speedup, point.precision, point.low, point.high, about)


def _about(report: Report, point: Measured, K: int) -> str:
    half = 50 * (point.high - point.low)
    return (
        f"{named(report, point)}\nprecision@{K} {share(point.precision)} ± {half:.1f} points\n"
        f"{times(point.speedup)} · {amount(point.cost)} inner products a query"
    )


def _ends(curves: Sequence[MethodCurve], others: Sequence[float]) -> tuple[float, float]:
    """The speedups worth showing: where something is found, and those of `others`."""
    speedups = [p.speedup for c in curves for p in c.points if p.precision >= LITTLE] + [*others]
    return min(speedups) / 1.12, max(speedups) * 1.25


def _speedups(low: float, high: float, ticks: Sequence[float] = SPEEDUP_TICKS) -> Axis:
    title = "Speedup over exact search (inner products, log scale)"
    if ticks is FEW_TICKS:
        title = "Speedup (log scale)"
    return Axis(low, high, title, [(t, f"{t:,g}×") for t in ticks], log=True)


def _precisions(K: int) -> Axis:
    return Axis(0, 1.03, f"Precision@{K}", [(t / 5, f"{t / 5:.1f}") for t in range(6)])
