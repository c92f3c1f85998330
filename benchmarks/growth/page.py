"""The page of what was measured: text, and the tables that it speaks of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.growth.axes import QUERIES
from benchmarks.growth.lines import Axial, Move, hierarchical_gains, moves, pays_after
from benchmarks.growth.points import (
    ENOUGH,
    FULL,
    GROUPED,
    GROWING,
    TREE_GROUPED,
    K,
    Point,
)
from benchmarks.machine import made_on
from benchmarks.tables import as_markdown, duration, number
from mips_core.base.text import counted, rounded
from mips_core.data.simulated_vectors import DECAY

Lines = list[list[str]]

START = """# How cost grows

Written by `{quick}python -m benchmarks.growth --markdown docs/growth.md` on
{made}.

Simulated vectors, about as hard to search as word vectors: entry j spreads like 1/j^{decay}. Times
are those of one processor; two take about half of them. Memory is the most that a work takes on top
of the vectors and whatever else is there before it. Searches have a precision@{K} of {enough} or
more; k is √n where it is not named. A cost that grows with the power 1 doubles with the size; ± is
the standard error of the power.

## When to move on

{moves}

Sizes beyond what was measured are read off the fitted line, and marked ~; those “over” a size lie
farther than the line is trusted. An index that answers a batch must make up for its build: so many
queries asked together do, against exact search for them.

{pays}

What growing samples and groups lose, and what hierarchical clusters gain, in inner products:
speedup and precision@{K} of each index at the least effort with precision {enough} or more.

{gains}

How many queries an evaluation needs is a matter of how sure it must be, not of n.

{intervals}
"""
END = "Maps have a benchmark of their own: `python -m benchmarks.map`."


def page(
    axials: Sequence[Axial],
    machine: Mapping[str, Any],
    versions: Mapping[str, str],
    quick: bool = False,
) -> str:
    """The whole page in Markdown."""
    items = axials[0]
    start = START.format(
        quick="QUICK=1 " * quick,
        made=made_on(machine, versions),
        K=K,
        enough=ENOUGH,
        decay=DECAY,
        moves=as_markdown(move_lines(moves(items))),
        pays=as_markdown(pay_lines(items)),
        gains=as_markdown(gain_lines(items)),
        intervals=as_markdown(interval_lines(axials)),
    )
    parts = [start]
    for axial in axials:
        parts += [f"## {_title(axial)}", as_markdown(axial_lines(axial))]
    parts.append(END)
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _title(axial: Axial) -> str:
    """What changes, and what stays: "Growth in items, n (d 100, m 1,000)"."""
    first, last = axial.axis.sizes[0], axial.axis.sizes[-1]
    fixed = [
        f"{letter} {getattr(first, letter):,}"
        for letter in ("n", "d", "k", "m")
        if getattr(first, letter) == getattr(last, letter)
    ]
    return f"Growth in {axial.axis.name} ({', '.join(fixed)})"


def axial_lines(axial: Axial) -> Lines:
    """Times at every size, the power they grow with and its standard error, and memory."""
    lines = [["", *(f"{value:,}" for value in axial.axis.values), "power", "memory, last size"]]
    for work in axial.axis.works:
        points, growth = axial.of(work), axial.growth(work)
        times = [duration(point.seconds) for point in points]
        power = f"{growth.exponent:.2f} ± {growth.error:.2f}"
        lines.append([work, *times, power, _megabytes(points[-1].grown)])
    return lines


def _megabytes(grown: float) -> str:
    return f"{grown / 2**20:,.0f} MB" if grown >= 2**20 else ""


def move_lines(found: Iterable[Move]) -> Lines:
    """From how many items on to do what."""
    lines = [["move on", "from about, items", "because"]]
    for move in found:
        lines.append([move.what, _from(move), move.why])
    return lines


def _from(move: Move) -> str:
    """The size, as sure as it is."""
    if move.size is None:
        return "at no size measured"
    return move.sign + f"{rounded(move.size):,}"


def pay_lines(items: Axial) -> Lines:
    """How many queries make up for a build."""
    found = pays_after(items)
    queries = ("never" if q is None else counted(rounded(round(q)), "query", "queries")
               for _, q in found)  # fmt: skip
    return [["items", *(f"{n:,}" for n, _ in found)], ["an index pays after", *queries]]


def gain_lines(items: Axial) -> Lines:
    """Precision and speedup in inner products of each way to build."""
    lines = [["items", *(f"{n:,}" for n in items.axis.values)]]
    flat, tree = zip(*hierarchical_gains(items), strict=True)
    for name, points in (
        ("flat, all items in every round", items.of(FULL)),
        ("flat, grouped", items.of(GROUPED)),
        ("flat, growing", flat),
        ("hierarchical, grouped", items.of(TREE_GROUPED)),
        ("hierarchical, growing", tree),
    ):
        lines.append([name, *map(_speedup, points)])
    return lines


def _speedup(point: Point) -> str:
    return f"{number(point.told['speedup'])}× at {point.told['precision']:.3f}"


def interval_lines(axials: Sequence[Axial]) -> Lines:
    """Half the 95% interval of precision by the number of queries."""
    queries = next(axial for axial in axials if axial.axis.name == QUERIES)
    halves = [f"± {point.told['half']:.4f}" for point in queries.of(GROWING)]
    values = [f"{value:,}" for value in queries.axis.values]
    return [["queries", *values], [f"precision@{K}, 95% interval", *halves]]
