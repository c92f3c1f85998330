"""Pages of docs/ that a benchmark writes by itself, from the report that it writes as JSON."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from benchmarks.machine import made_on
from benchmarks.tables import NONE, as_markdown, duration

FILE = click.Path(dir_okay=False, path_type=Path)  # what such a benchmark writes to
PRECISION = """# Precision at equal numbers of inner products

Written by `python -m benchmarks.better_curves --markdown docs/precision.md` on {made}.

Inner products are all that is counted, as in the paper. Every method is set, over its grid, to 10,
30 and 100 times fewer of them than exact search takes, on the queries of even number. Against each
stands the most precise of our k-means that is no dearer on those queries. Both are then scored on
the queries of odd number. Intervals are of the paired differences between queries, at 95% each: of
so many comparisons some fall on the wrong side by chance. A row shows the method that is hardest to
beat, and how many of all that reach the speedup ours are ahead of, level with and behind. Multi and
top-down k-means are ours too: a row that names one of them says that the choice among ours, made on
other queries, was not the best. "Beyond the paper" are trees with more coarse clusters, coarse
probes of their own, more rounds of k-means or no reduction. A norm head at effort 1 scans the head
alone. Effort and speedup are those on the queries that score.

Ours are behind in {behind} of {all} comparisons.

{tables}
"""
HELD = ["speedup", "K", "best of ours", "precision", "hardest to beat", "precision"]
HELD += ["difference (95%)", "ahead of, level with, behind"]
APP = """# How soon the app answers

Written by `python -m benchmarks.app_speed --markdown docs/app.md`, in headless Chromium on the same
machine as the server: {made}.

Seconds by the clock, except those of the processor. A start that is cold finds nothing compiled;
one that is warm finds numba's cache. Our own work is the server's processor time less that of an
empty Streamlit app. A page is there when its script has run and it has been at rest for a tenth of
a second. The first visits follow the start at once, while the server still imports pages and loads
kernels beside them. A drag is timed from the pointer's move to the painted frame, which two cores
and no graphics card draw. A target holds for the median; for a drag, for the 95th percentile.

{table}
"""


def precision_page(report: Mapping[str, Any]) -> str:
    """The page of `benchmarks.better_curves`."""
    data = report["data"]
    found = [one for pairs in data.values() for one in pairs]
    return PRECISION.format(
        made=made_on(report["machine"], report["versions"]),
        behind=sum(one["verdict"] == "behind" for one in found),
        all=len(found),
        tables="\n\n".join(f"## {title}\n\n{held_table(each)}" for title, each in data.items()),
    )


def held_table(pairs: Sequence[Mapping[str, Any]]) -> str:
    """A table: at each speedup and K the method that ours are least ahead of."""
    groups: dict[tuple[float, int], list[Mapping[str, Any]]] = {}
    for one in pairs:
        groups.setdefault((one["target"], one["K"]), []).append(one)
    return as_markdown([HELD, *(_held_line(*key, group) for key, group in groups.items())])


def _held_line(target: float, K: int, group: Sequence[Mapping[str, Any]]) -> list[str]:
    least = min(group, key=lambda one: one["difference"])
    verdicts = [one["verdict"] for one in group]
    ours, other = least["ours"], least["other"]
    return [
        f"{target:g}×",
        str(K),
        _words(ours),
        f"{ours['precision']:.3f}",
        _words(other),
        f"{other['precision']:.3f}",
        f"{least['difference']:+.3f} ({least['low']:+.3f} to {least['high']:+.3f})",
        ", ".join(str(verdicts.count(verdict)) for verdict in ("ahead", "level", "behind")),
    ]


def _words(chosen: Mapping[str, Any]) -> str:
    speedup = f"{chosen['speedup']:.1f}×"
    return f"{chosen['method']}, {chosen['setting']}, effort {chosen['effort']} ({speedup})"


def app_page(report: Mapping[str, Any]) -> str:
    """The page of `benchmarks.app_speed`."""
    lines = [["", "median", "95th percentile", "target", "samples"]]
    for row in report["rows"]:
        target = NONE if row["target_s"] is None else f"≤ {duration(row['target_s'])}"
        times = [duration(row["median_s"]), duration(row["p95_s"])]
        lines.append([row["work"], *times, target, str(row["samples"])])
    return APP.format(made=made_on(report["machine"], report["versions"]), table=as_markdown(lines))
