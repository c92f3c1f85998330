"""What was searched, and with which queries."""

from mips_core.report.contents import Report
from mips_core.report.markup import Html, element, foreign, joined, pairs


def data(report: Report) -> Html:
    """A list of facts, then what matters about them, then what was left out."""
    d = report.data
    least, low, median, high, most = (f"{norm:,.3g}" for norm in d.norms)
    told: list[tuple[str, str]] = [("Name", foreign(d.name))]
    if d.origin:
        told.append(("Origin", foreign(d.origin)))
    if d.licence:
        told.append(("Licence", d.licence))
    told += [
        ("Items", f"{d.n:,}"),
        ("Dimensions", f"{d.d:,}"),
        ("Queries", foreign(d.queries)),
        ("Ranked by", d.score),
        ("Norms", f"{least} to {most}; median {median}, 90% from {low} to {high}"),
        ("Fingerprint of the items", element("code", d.fingerprint)),
        ("Fingerprint of the queries", element("code", d.query_fingerprint)),
    ]
    lines = [
        *(joined([element("strong", foreign(found)), " ", foreign(rest)])
          for found, rest in d.findings),
        *map(foreign, d.notes),
    ]  # fmt: skip
    listed = element("ul", *(element("li", line) for line in lines)) if lines else Html()
    return joined([pairs(told), listed])
