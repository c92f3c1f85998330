"""What was measured beside the curves: noise, two methods compared, what is missed."""

from mips_core.base.text import counted, times
from mips_core.report.contents import Comparison, NoiseResult, Report, Side
from mips_core.report.markup import Html, element, foreign, joined, paragraph, table
from mips_core.report.picture import Axis, Line, Marks, Spot, pictures
from mips_core.report.picture import named as method_name
from mips_core.report.sentences import share

NO_NOISE = "Not measured for this report. Robustness asks every method with noisy queries."
NO_COMPARISON = "Not measured for this report. Compare holds two methods against each other."
ALL_QUERIES = "This is over all queries: those that score, and those that chose settings."


def noise(report: Report) -> Html:
    """Precision against noise, all methods at one speedup."""
    found = report.noise
    if found is None:
        return paragraph(NO_NOISE)
    about = (
        f"Methods are held to a speedup of {found.speedup:g}× without noise, then asked with "
        f"Gaussian noise on every entry of the query; σ is its standard deviation. The items' "
        f"entries have a root mean square (rms) of {found.rms:.3g}. Precision is against the true "
        f"answers of the noisy query, over {counted(found.m, 'query', 'queries')}."
    )
    return joined([paragraph(about), _noise_picture(report, found), _noise_table(report, found)])


def _noise_picture(report: Report, found: NoiseResult) -> Html:
    alt = (
        f"Precision at {report.K} against noise on the queries, of "
        f"{counted(len(found.methods), 'method', 'methods')}. The numbers are in the table below."
    )
    ticks = [(sigma, f"{sigma:g}") for sigma in found.sigmas]
    most = max(found.sigmas) or 1.0
    ends = -0.02 * most, 1.02 * most  # room for the markers
    across = Axis(*ends, "Standard deviation of the noise, σ", ticks)
    few = Axis(*ends, "Noise σ", ticks[::2])
    lines = []
    for method in found.methods:
        spots = [
            Spot(sigma, p, max(p - half, 0), min(p + half, 1),
                 f"{method.method}\nσ {sigma:g}: {share(p)} ± {100 * half:.1f} points, "
                 f"{times(saved)}")
            for sigma, p, half, saved in zip(
                found.sigmas, method.precision, method.half, method.speedup, strict=True
            )
        ]  # fmt: skip
        lines.append(Line(method.key, spots))
    up = Axis(0, 1.03, f"Precision@{report.K}", [(t / 5, f"{t / 5:.1f}") for t in range(6)])
    marks = Marks(simulated=report.data.simulated)
    return element("figure", pictures("noise", alt, (across, up), few, lines, marks))


def _noise_table(report: Report, found: NoiseResult) -> Html:
    rows = []
    for method in found.methods:
        for at, sigma in enumerate(found.sigmas):
            rows.append(
                (
                    method_name(method.key),
                    f"{sigma:g}",
                    f"{found.relative[at]:.2f}",
                    f"{share(method.precision[at])} ± {share(method.half[at])}",
                    share(method.clean[at]),
                    share(found.ceiling[at]),
                    times(method.speedup[at]),
                )
            )
    told = [
        f"{m.method}: {m.setting}"
        + ("" if m.reached else " (the nearest it has)")
        + f", {'seed' if len(m.seeds) == 1 else 'seeds'} {', '.join(map(str, m.seeds))}"
        for m in found.methods
    ]
    caption = (
        "Precision under noise, ± half the 95% interval over queries; against the answers before "
        "noise, where exact search falls too"
    )
    numbers = [
        *("σ", "σ / rms", f"Precision@{report.K}"),
        *("before noise", "exact, before noise", "Speedup"),
    ]
    return joined(
        [
            table(caption, ["Method"], numbers, rows),
            element("ul", *(element("li", t) for t in told)),
        ]
    )


def comparison(report: Report) -> Html:
    """Which of two methods finds more, build by build."""
    found = report.comparison
    if found is None:
        return paragraph(NO_COMPARISON)
    numbers = ["Seed", f"Precision@{report.K}", "95% interval", "Speedup"]
    rows = [row for side in found.sides for row in _side_rows(side)]
    return joined(
        [
            paragraph(found.words),
            table("Both methods, every build", ["Method"], numbers, rows),
            paragraph(_difference(found), class_="about"),
        ]
    )


def _side_rows(side: Side) -> list[tuple[str, ...]]:
    name = joined([method_name(side.key), f", {side.setting}"])
    return [
        (
            *(name, str(seed), share(side.precision[at])),
            f"{share(side.intervals[at][0])} to {share(side.intervals[at][1])}",
            times(side.speedup[at]),
        )
        for at, seed in enumerate(side.seeds)
    ]


def _difference(found: Comparison) -> str:
    points = (f"{100 * value:+.2f}".replace("-", "−") for value in
              (found.mean, found.low, found.high))  # fmt: skip
    mean, low, high = points
    return (
        f"The first less the second: {mean} points, 95% interval {low} to {high}, over the same "
        f"{counted(found.m, 'query', 'queries')} and over builds."
    )


def misses(report: Report) -> Html:
    """What was said of misses; nothing where nothing was."""
    if not report.misses:
        return Html()
    lines = [paragraph(foreign(line)) for line in report.misses]
    if report.split:
        lines.append(paragraph(ALL_QUERIES, class_="about"))
    return joined(lines)
