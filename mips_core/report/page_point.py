"""The setting that is recommended: its numbers, and what a query spends on what."""

from mips_core.base.text import counted, times
from mips_core.report.contents import Report
from mips_core.report.markup import Html, element, joined, pairs, paragraph, table
from mips_core.report.picture import named as method_name
from mips_core.report.sentences import amount, between, effort_of, how_scored, share


def point(report: Report) -> Html:
    """What to set, what that gives, and the ledger of a query."""
    measured = report.point.measured
    setting = report.settings[measured.setting]
    sure = "certain" if report.point.certain else f"95% interval {between(measured)}"
    told = [
        ("Method", method_name(setting.key)),
        ("Setting", setting.words),
        ("Effort", effort_of(report, measured)),
        ("Seed of the build", str(setting.seed)),
        (f"Precision@{report.K}", f"{share(measured.precision)}, {sure}"),
        ("Speedup", times(measured.speedup)),
    ]
    note = (
        f"Speedup = {counted(report.data.n, 'item', 'items')} / {amount(measured.cost)} inner "
        "products, the mean of "
        "a query, whatever the hardware; it is no measure of time. " + how_scored(report)
    )
    return joined([pairs(told), _ledger(report), paragraph(note, class_="about")])


def _ledger(report: Report) -> Html:
    """Every part of the cost; they add up to the total."""
    measured = report.point.measured
    rows = [
        (part.capitalize(), amount(cost), f"{100 * cost / measured.cost:.1f}%")
        for part, cost in report.point.parts.items()
        if cost
    ]
    rows.append(("Total", amount(measured.cost), "100.0%"))
    told = table(
        "What a query costs, in inner products",
        ["Spent on"],
        ["Inner products", "Share"],
        rows,
    )
    return element("div", told, class_="ledger")
