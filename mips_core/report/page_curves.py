"""The best of every method: its curve, then a table at usual precisions and speedups."""

from collections.abc import Sequence

from mips_core.base.text import times
from mips_core.figures.template import SPEEDUP_TICKS
from mips_core.figures.tradeoff import LITTLE, MOST_BANDS
from mips_core.report.contents import Asked, Measured, MethodCurve, Report, TargetRow
from mips_core.report.markup import Html, element, joined, paragraph, table
from mips_core.report.picture import (
    Axis,
    Line,
    Marks,
    Spot,
    pictures,
    small_picture,
)
from mips_core.report.picture import (
    named as method_name,
)
from mips_core.report.sentences import amount, between, effort_of, how_scored, named, share

FEW_TICKS = (0.1, 1, 10, 100, 1000, 10_000)


def curves(report: Report) -> Html:
    """Pictures of each K, the legend, the tables."""
    by_k: dict[int, list[MethodCurve]] = {}
    for curve in report.curves:
        by_k.setdefault(curve.K, []).append(curve)
    first, *others = by_k.items()
    small = [_small(report, *other) for other in others]
    return joined(
        [
            paragraph(
                "How many of the true best a search keeps, and how many inner products it saves: "
                "the best settings of each method. Up and to the right is better."
            ),
            _large(report, *first),
            _legend(first[1]),
            element("div", *small, class_="row") if small else Html(),
            _targets(report, "precision"),
            _targets(report, "speedup"),
            paragraph(how_scored(report), class_="about"),
            *(_points(report, curve) for curve in first[1]),
        ]
    )


def _large(report: Report, K: int, curves: Sequence[MethodCurve]) -> Html:
    alt = (
        f"Precision at {K} against speedup of {len(curves)} "
        f"{'method' if len(curves) == 1 else 'methods'}. The numbers are in the tables below."
    )
    point = report.point.measured
    marks = Marks(
        ring=(point.speedup, point.precision),
        ring_words=_told(report, point, K),
        target=report.point.target,
        exact=True,
        simulated=report.data.simulated,
    )
    low, high = _ends(curves, point)
    lines = _lines(report, curves, len(curves) <= MOST_BANDS)
    wide = (_speedups(low, high), _precisions(K))
    drawn = pictures(f"curves-{K}", alt, wide, _speedups(low, high, FEW_TICKS), lines, marks)
    return element("figure", drawn)


def _small(report: Report, K: int, curves: Sequence[MethodCurve]) -> Html:
    answers = "answer" if K == 1 else "answers"
    alt = f"The same at {K} {answers} a query. The numbers are in this file, as JSON."
    low, high = _ends(curves, None)
    marks = Marks(exact=True, simulated=report.data.simulated)
    axes = (_speedups(low, high, FEW_TICKS), _precisions(K))
    lines = [Line(c.key, [_spot(p, "") for p in c.points]) for c in curves]
    return element("figure", small_picture(f"curves-{K}", alt, axes, lines, marks))


def _lines(report: Report, curves: Sequence[MethodCurve], band: bool) -> list[Line]:
    return [
        Line(c.key, [_spot(p, _told(report, p, c.K)) for p in c.points], band=band) for c in curves
    ]


def _spot(point: Measured, told: str) -> Spot:
    return Spot(point.speedup, point.precision, point.low, point.high, told)


def _told(report: Report, point: Measured, K: int) -> str:
    half = 50 * (point.high - point.low)
    return (
        f"{named(report, point)}\nprecision@{K} {share(point.precision)} ± {half:.1f} points\n"
        f"{times(point.speedup)} · {amount(point.cost)} inner products a query"
    )


def _ends(curves: Sequence[MethodCurve], chosen: Measured | None) -> tuple[float, float]:
    """The speedups worth showing: where something is found, 1× and the chosen point."""
    found = [p.speedup for c in curves for p in c.points if p.precision >= LITTLE]
    found += [1.0, 2.0] if chosen is None else [1.0, 2.0, chosen.speedup]
    return min(found) / 1.12, max(found) * 1.25


def _speedups(low: float, high: float, ticks: Sequence[float] = SPEEDUP_TICKS) -> Axis:
    title = "Speedup over exact search (inner products, log scale)"
    if ticks is FEW_TICKS:
        title = "Speedup (log scale)"
    return Axis(low, high, title, [(t, f"{t:,g}×") for t in ticks], log=True)


def _precisions(K: int) -> Axis:
    return Axis(0, 1.03, f"Precision@{K}", [(t / 5, f"{t / 5:.1f}") for t in range(6)])


def _legend(curves: Sequence[MethodCurve]) -> Html:
    entries = (element("li", method_name(curve.key)) for curve in curves)
    return element("ul", *entries, class_="legend")


def _targets(report: Report, asked: Asked) -> Html:
    """The best of each method for what is asked; what has it not says so."""
    rows = [row for row in report.targets if row.asked == asked]
    what = (
        "The fewest inner products at a precision"
        if asked == "precision"
        else "The highest precision at a speedup (0.9 to 1.2 times it)"
    )
    return table(
        f"{what}, of each method",
        ["Asked for", "Method", "Setting"],
        _numbers(report.K),
        [_target(report, row) for row in rows],
    )


def _target(report: Report, row: TargetRow) -> tuple[str, ...]:
    measured = row.measured
    asked = f"{row.value:g}" if row.asked == "precision" else f"{row.value:g}×"
    reached = "" if row.reached else "not reached; nearest: "
    return (
        asked,
        method_name(row.key),
        f"{reached}{report.settings[measured.setting].words}, {effort_of(report, measured)}",
        share(measured.precision),
        between(measured),
        times(measured.speedup),
        amount(measured.cost),
    )


def _points(report: Report, curve: MethodCurve) -> Html:
    """Every point of a curve, folded."""
    rows = [
        (
            f"{report.settings[p.setting].words}, {effort_of(report, p)}",
            *(share(p.precision), between(p), times(p.speedup), amount(p.cost)),
        )
        for p in curve.points
    ]
    told = table(f"{curve.method}: the best of its settings", ["Setting"], _numbers(curve.K), rows)
    return element("details", element("summary", f"Every point of {curve.method}"), told)


def _numbers(K: int) -> list[str]:
    return [f"Precision@{K}", "95% interval", "Speedup", "Inner products"]
