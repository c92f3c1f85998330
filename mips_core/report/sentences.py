"""The numbers of a report in sentences, with the words of the pages."""

from dataclasses import replace
from datetime import datetime

from mips_core.base.text import counted, inner_products, percent, saved, times, verb
from mips_core.report.contents import Measured, Report, TargetRow


def named(report: Report, measured: Measured) -> str:
    """Flat k-means, 141 clusters, 10 probes."""
    return f"{report.settings[measured.setting].method}, {setting_of(report, measured)}"


def setting_of(report: Report, measured: Measured) -> str:
    """141 clusters, 10 probes; where the numbers are a mean, each: …; 283 clusters, 19 probes."""
    others = (replace(measured, setting=at, effort=effort) for at, effort in measured.others)
    return "; ".join(
        f"{report.settings[one.setting].words}, {effort_of(report, one)}"
        for one in (measured, *others)
    )


def effort_of(report: Report, measured: Measured) -> str:
    """10 probes."""
    return counted(measured.effort, *report.settings[measured.setting].efforts)


def finding(report: Report) -> str:
    """What the chosen setting finds and saves: the one sentence to remember."""
    measured = report.point.measured
    finds = verb(report.settings[measured.setting].method, "find")
    low, high = 100 * measured.low, 100 * measured.high
    over = counted(report.m_scoring, "query", "queries")
    savings = saved(measured.cost, report.data.n).replace("**", "")
    sure = (
        ", which is certain"
        if report.point.certain
        else f" (95% interval {low:.1f} to {high:.1f}, over {over})"
    )
    return (
        f"{named(report, measured)}, {finds} {percent(measured.precision)} of the true top "
        f"{report.answers}{sure}, {savings}.{_short_of(report)}"
    )


def _short_of(report: Report) -> str:
    """That the setting found less than was asked for where it was scored; "" where it did not."""
    target = report.point.target
    short = target is not None and report.point.measured.precision < target
    if not short:
        return ""
    where = "On these queries, which did not choose it, that" if report.split else "That"
    return f" {where} is below the {target:g} asked for."


def estimate_or_promise(report: Report) -> str:
    """Why the table of settings at a precision and the setting to run differ."""
    marked = "; what then finds less where it is scored is marked ✕" if report.split else ""
    return (
        f"These are estimates, from the queries that choose{marked}. The setting to run, where it "
        "is Tune's answer, must be sure of its precision on queries it has not seen, and that "
        "margin costs inner products."
    )


def how_scored(report: Report) -> str:
    """Which queries chose, and which scored."""
    if not report.split:
        queries = counted(report.m_scoring, "query", "queries")
        return (
            f"With {queries}, settings are chosen and scored on the same, which flatters them. "
            "Intervals are 95%, over queries."
        )
    return (
        f"Settings are chosen on {counted(report.m_choosing, 'query', 'queries')} and scored on "
        f"the other {report.m_scoring:,}. Intervals are 95%, over queries."
    )


def made_on(report: Report) -> str:
    """28 November 2026, 22:45 UTC."""
    moment = datetime.fromisoformat(report.made)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def share(value: float) -> str:
    """A precision in a table: 0.930."""
    return f"{value:.3f}"


def scored(row: TargetRow) -> str:
    """A precision in a table, marked where it is below what was asked for: 0.946 ✕."""
    below = row.asked == "precision" and row.measured.precision < row.value
    return f"{share(row.measured.precision)}{' ✕' if below else ''}"


def between(measured: Measured) -> str:
    """An interval in a table: 0.921 to 0.939."""
    return f"{share(measured.low)} to {share(measured.high)}"


def amount(cost: float) -> str:
    """Inner products in a table: 1,602."""
    return inner_products(cost).partition(" ")[0]


def points(share: float) -> str:
    """A difference of precisions, in points: +1.20, −0.35."""
    return f"{100 * share:+.2f}".replace("-", "−")


def heads(K: int) -> list[str]:
    """Over the columns of `cells`."""
    return [f"Precision@{K}", "95% interval", "Speedup", "Inner products"]


def cells(measured: Measured) -> list[str]:
    """A measurement in a table."""
    return [
        share(measured.precision),
        between(measured),
        times(measured.speedup),
        amount(measured.cost),
    ]
