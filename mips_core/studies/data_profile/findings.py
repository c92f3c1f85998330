"""The facts of a data set in words that an analyst can act on.

What the readers remark on items is measured by `facts` too, and said once: here.
"""

import re
from typing import NamedTuple

from mips_core.base.text import counted
from mips_core.data.dataset import Dataset, Metric
from mips_core.studies.data_profile.facts import REDUCTION, Facts

CROWD = 0.1  # share of items in one direction from which that is a warning

REMARKS = (
    re.compile(r"(1 (row|item) is|[\d,]+ (rows|items) are) all zero"),
    re.compile(r"One norm is "),
    re.compile(r"(1 row repeats another|[\d,]+ rows repeat others)"),
)


class Finding(NamedTuple):
    """A fact in words: its first part, the rest, and whether it is a warning."""

    found: str
    rest: str
    serious: bool


def findings(dataset: Dataset, facts: Facts, metric: Metric | None = None) -> list[Finding]:
    """What matters when `dataset` is searched by `metric`, warnings first; nothing said twice."""
    metric = metric or dataset.metric
    found = []
    if metric != "cosine" and facts.outlier:
        found.append(_long(dataset, facts, metric))
    elif metric == "inner product" and facts.merged >= CROWD * facts.n:
        rest = "Beside the longest items they are too short. Search by cosine if they matter."
        found.append(Finding(f"{_merger(facts)}.", rest, True))
    if facts.zero and metric != "euclidean":
        found.append(_zero(facts.zero, metric))
    if facts.repeats:
        found.append(_repeated(facts, dataset.query_labels is not None))
    found += [] if dataset.logits else _compared(facts)
    if facts.constant and facts.distinct > 1:
        found.append(_constant(facts.constant, dataset.d, metric))
    return found


def remarked(note: str) -> bool:
    """Whether a note of a data set is a remark that `findings` makes too."""
    return any(topic.match(note) for topic in REMARKS)


def _long(dataset: Dataset, facts: Facts, metric: Metric) -> Finding:
    who = f", “{dataset.labels[facts.row]}”" if dataset.labels is not None else ""
    found = f"One norm is {facts.times_median:,.0f} times the median"
    where = f"(row {facts.row:,}{who}, {facts.most:,.4g})."
    if metric == "euclidean":
        return Finding(
            found, f"{where} It may lie far from all others; consider leaving it out.", True
        )
    outcome = f"{_merger(facts)}." if facts.merged else "Others become hard to tell apart."
    scaled = (
        f"The reduction scales the longest item to {REDUCTION.U:g}, "
        f"and the median item to {facts.lifted_median:.2g}."
    )
    return Finding(found, f"{where} {scaled} {outcome} Consider leaving the row out.", True)


def _merger(facts: Facts) -> str:
    return (
        f"{facts.merged:,} of {facts.n:,} items get one direction, within the rounding of float32: "
        "clusters, trees and hashes cannot tell them apart"
    )


def _zero(count: int, metric: Metric) -> Finding:
    rows = counted(count, "row is", "rows are")
    they, their = ("It", "Its") if count == 1 else ("They", "Their")
    stay = "stays" if count == 1 else "stay"
    never = f"{they} can never win a positive score; {they.lower()} {stay} in the count."
    undefined = f"{their} cosine is undefined and counts as 0."
    return Finding(f"{rows} all zero.", undefined if metric == "cosine" else never, True)


def _repeated(facts: Facts, rated: bool) -> Finding:
    rows = counted(facts.repeats, "row repeats another", "rows repeat others")
    distinct = counted(facts.distinct, "is", "are")
    why = "Items that the same users rated alike have one vector, such as those rated once. "
    why = why if rated else ""
    rest = f"{why}{distinct} distinct, of {facts.n:,}. Ties are broken by row number."
    return Finding(f"{rows}.", rest, not rated)


def _compared(facts: Facts) -> list[Finding]:
    if facts.equal:
        rest = "Inner product, cosine and Euclidean distance give the same order here."
        return [Finding("All norms are equal.", rest, False)]
    shares = (facts.agreement, facts.distance_agreement, facts.own_best)
    agreement, near, own = (f"{share:.0%}" for share in shares)
    if agreement == near == own == "100%":
        return []
    best = f"top {facts.top}" if facts.top > 1 else "best answers"
    found = "Inner product is not cosine here."
    if agreement == "100%":
        found = f"Inner product and cosine find the same {best} here."
    rest = (
        f"Of the {best} by inner product, {agreement} are also among those by cosine and {near} "
        f"among those by Euclidean distance; {own} of the items are their own best match "
        f"({facts.sampled:,} asked)."
    )
    return [Finding(found, rest, False)]


def _constant(count: int, d: int, metric: Metric) -> Finding:
    columns = counted(count, "column holds", "columns hold")
    rest = "" if metric == "cosine" else "That changes all scores of a query alike."
    return Finding(f"{columns} one value, of {d:,}.", rest, False)
