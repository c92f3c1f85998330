"""Lines over two axes as SVG, in the look of `figures.template`; colours are in the style sheet.

A picture is drawn twice, wide and narrow, and the style sheet shows the one that fits. The wide one
tells each point in a title, which browsers show over it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10
from typing import NamedTuple

from mips_core.figures.styles import METHODS
from mips_core.report.markup import Html, element, joined
from mips_core.report.symbols import DASHES, marker

MARKERS = 5  # a line, so that shape tells methods apart as well as colour


class Spot(NamedTuple):
    """A point of a line, the ends of its interval, and what is told of it."""

    x: float
    y: float
    low: float
    high: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """Spots joined in the style of the method `key`, over a band of their intervals if wanted."""

    key: str
    spots: Sequence[Spot]
    band: bool = False
    marked: bool = True


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
class Frame:
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
) -> Html:
    """Both sizes; `name` is unique in the page, `narrow` the x axis where there is little room."""
    wide = Frame(*axes, 820, 420)
    small = Frame(narrow, axes[1], 350, 300, left=34, right=8)
    return joined(
        [
            _drawn(f"{name}-wide", alt, wide, lines, marks, "wide"),
            _drawn(f"{name}-narrow", alt, small, lines, marks, "narrow"),
        ]
    )


def small_picture(
    name: str, alt: str, axes: tuple[Axis, Axis], lines: Sequence[Line], marks: Marks
) -> Html:
    """One of several side by side."""
    return _drawn(name, alt, Frame(*axes, 400, 300, left=40, right=8), lines, marks, "small")


def swatch(key: str) -> Html:
    """A piece of a method's line with its marker, for a legend or a table."""
    style = METHODS[key]
    line = element("path", d="M1 8H31", class_="line", stroke_dasharray=DASHES[style.dash])
    drawn = element("g", line, marker(style.symbol, 16, 8), class_=f"m-{key}")
    return element("svg", drawn, class_="swatch", viewBox="0 0 32 16", aria_hidden="true")


def named(key: str) -> Html:
    """The name of a method after its swatch, in one line."""
    return element("span", swatch(key), METHODS[key].label, class_="name")


def _drawn(
    name: str, alt: str, frame: Frame, lines: Sequence[Line], marks: Marks, kind: str
) -> Html:
    (left, top), (right, bottom) = (
        frame.at(frame.x.low, frame.y.high), frame.at(frame.x.high, frame.y.low),
    )  # fmt: skip
    inside = _rect(left, top, right, bottom)
    clip = element("clipPath", inside, id=f"{name}-clip")
    data = joined(
        [*(_band(frame, line) for line in lines if line.band),
         *(_line(frame, line) for line in lines)]
    )  # fmt: skip
    told = _hover(frame, lines) if kind != "narrow" else Html()
    return element(
        "svg",
        element("title", alt),
        element("defs", clip),
        _costs_more(frame) if marks.exact else Html(),
        _axes(frame),
        element("g", data, told, clip_path=f"url(#{name}-clip)"),
        _marks(frame, marks),
        class_=f"picture {kind}",
        viewBox=f"0 0 {frame.width} {frame.height}",
        role="img",
        aria_label=alt,
    )


def _rect(left: float, top: float, right: float, bottom: float, **more: str) -> Html:
    size = {"width": f"{right - left:.1f}", "height": f"{bottom - top:.1f}"}
    return element("rect", x=f"{left:.1f}", y=f"{top:.1f}", **size, **more)


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _band(frame: Frame, line: Line) -> Html:
    upper = [frame.at(spot.x, spot.high) for spot in line.spots]
    lower = [frame.at(spot.x, spot.low) for spot in reversed(line.spots)]
    area = element("path", d=f"{_path([*upper, *lower])}Z", class_="band")
    return element("g", area, class_=f"m-{line.key}")


def _line(frame: Frame, line: Line) -> Html:
    style = METHODS[line.key]
    places = [frame.at(spot.x, spot.y) for spot in line.spots]
    path = element("path", d=_path(places), class_="line", stroke_dasharray=DASHES[style.dash])
    last = len(places) - 1
    some = sorted({round(last * i / (MARKERS - 1)) for i in range(MARKERS)}) if line.marked else []
    marks = joined(marker(style.symbol, *places[at]) for at in some)
    return element("g", path, marks, class_=f"m-{line.key}")


def _hover(frame: Frame, lines: Sequence[Line]) -> Html:
    """Over every spot a disc without colour, large enough to be met, that tells of it."""
    return joined(
        element(
            "circle",
            element("title", spot.told),
            **dict(zip(("cx", "cy"), (f"{at:.1f}" for at in frame.at(spot.x, spot.y)),
                       strict=True)),
            r="6",
            class_=f"spot m-{line.key}",
        )
        for line in lines
        for spot in line.spots
        if spot.told
    )  # fmt: skip


def _costs_more(frame: Frame) -> Html:
    """Left of 1×, what costs more than exact search is tinted."""
    left, top = frame.at(frame.x.low, frame.y.high)
    one, bottom = frame.at(1.0, frame.y.low)
    return _rect(left, top, max(one, left), bottom, class_="more")


def _axes(frame: Frame) -> Html:
    (left, bottom), right = frame.at(frame.x.low, frame.y.low), frame.width - frame.right
    drawn = []
    for value, text in frame.y.shown():
        y = frame.at(frame.x.low, value)[1]
        drawn.append(element("path", d=f"M{left} {y:.1f}H{right}", class_="grid"))
        drawn.append(_text(text, left - 6, y + 4, "end"))
    for value, text in frame.x.shown():
        x = frame.at(value, frame.y.low)[0]
        drawn.append(element("path", d=f"M{x:.1f} {frame.top}V{bottom:.1f}", class_="grid"))
        drawn.append(_text(text, x, bottom + 16, "middle"))
    drawn.append(element("path", d=f"M{left} {bottom:.1f}H{right}", class_="axis"))
    drawn.append(_text(frame.y.title, 4, 14, "start"))
    drawn.append(_text(frame.x.title, (left + right) / 2, frame.height - 8, "middle"))
    return element("g", *drawn, class_="axes")


def _text(words: str, x: float, y: float, anchor: str, **more: str) -> Html:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, **more)


def _marks(frame: Frame, marks: Marks) -> Html:
    drawn: list[Html] = []
    right = frame.width - frame.right
    if marks.target is not None:
        y = frame.at(frame.x.low, marks.target)[1]
        drawn.append(element("path", d=f"M{frame.left} {y:.1f}H{right}", class_="target"))
        drawn.append(_text(f"target {marks.target:g}", right, y - 5, "end", class_="told"))
    if marks.exact:
        x, y = frame.at(1.0, 1.0)
        drawn.append(element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="4.5", class_="exact"))
    if marks.ring is not None:
        x, y = frame.at(*marks.ring)
        bottom = frame.at(frame.x.low, frame.y.low)[1]
        drops = f"M{x:.1f} {y + 8:.1f}V{bottom:.1f}M{x - 8:.1f} {y:.1f}H{frame.left}"
        drawn.append(element("path", d=drops, class_="target"))
        ring = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "7", "class_": "ring"}
        drawn.append(element("circle", element("title", marks.ring_words), **ring))
    if marks.simulated:
        drawn.append(_text("Simulated data", right, 14, "end"))
    return element("g", *drawn)
