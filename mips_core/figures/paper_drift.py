"""The figure behind claim 10 of the paper: clusters while vectors move."""

from mips_core.figures.drawing import Drawn, DrawnPanel, Span, Spot, around
from mips_core.figures.paper_lines import line_of
from mips_core.studies.paper import drift
from mips_core.studies.paper.jackknife import Statistic, share_of
from mips_core.studies.paper.view import View

UPKEEP = {"frozen": "flat", "refreshed": "refreshed", "rebuilt": "rebuilt"}


def drift_panels(view: View) -> list[DrawnPanel]:
    """How precise clusters are that are kept up in three ways, and what they lose to a rebuild."""
    ways = UPKEEP if view.has("drift") else {}
    found = [
        line_of(view, look, way.capitalize(), ((s, _kept(s, way)) for s in drift.SHARES))
        for way, look in ways.items()
    ]
    lost = [
        line_of(view, look, way.capitalize(), ((s, _lost(s, way)) for s in drift.SHARES),
                signed=True)
        for way, look in ways.items() if way != "rebuilt"
    ]  # fmt: skip
    if lost:
        allowed = [Spot(share, *3 * (drift.TOLERANCE,)) for share in drift.SHARES]
        lost.append(Drawn("exact", f"{drift.TOLERANCE:g}, allowed by claim 10", tuple(allowed)))
    ticks = tuple((share, f"{share:.0%}") for share in (0.0, *drift.SHARES))
    x = Span(0.0, 1.03, "Items that moved", ticks)
    return [
        DrawnPanel("(a) Found", x, around(f"Precision@{drift.K}", found), tuple(found)),
        DrawnPanel("(b) Lost to a rebuild", x, around("Precision", lost), tuple(lost)),
    ]


def drift_caption() -> str:
    """What was moved, and what the three ways are."""
    return (
        f"Flat k-means, one cluster in {drift.OPENED} opened. Frozen: what moved joined the "
        "clusters as they were; refreshed: these went on from where they stood; rebuilt: clustered "
        f"anew. The moves are simulated: noise of {drift.SIZE:g} times the root mean square of the "
        "entries. Axes do not begin at 0."
    )


def _kept(share: float, way: str) -> Statistic:
    """Precision where that share of the items moved."""
    return share_of("drift", drift.point_of(share, way), 0)


def _lost(share: float, way: str) -> Statistic:
    """By how much it is less than that of clusters made anew."""
    kept, best = _kept(share, way), _kept(share, "rebuilt")
    return lambda view: best(view) - kept(view)
