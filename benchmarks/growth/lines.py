"""Growth as powers of a size, and the sizes at which another way is the better one."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from benchmarks.growth.axes import Axis
from benchmarks.growth.points import (
    BATCH,
    EXACT,
    EXACT_ONE,
    FULL,
    GROWING,
    ONE,
    TREE,
    TREE_BATCH,
    TREE_ONE,
    TRUTH,
    Point,
)
from mips_core.studies.growth.power_law import PowerLaw

PATIENCE = {"query": 0.01, "build": 60.0, "truth": 60.0, "long build": 3600.0}  # seconds
MEMORY = 16e9  # bytes of a usual machine
FARTHEST = 10  # times the largest size measured: the line is followed no farther


@dataclass(frozen=True)
class Axial:
    """An axis and all that was measured along it."""

    axis: Axis
    points: Sequence[Point]

    def of(self, work: str) -> list[Point]:
        """The points of one work, smallest first."""
        return [point for point in self.points if point.work == work]

    def growth(self, work: str) -> PowerLaw:
        """How its seconds grow. Three sizes or more are needed."""
        return PowerLaw.of(self.axis.values, [point.seconds for point in self.of(work)])


@dataclass(frozen=True)
class Move:
    """From `size` items on, do `what`, None: at no size that was measured.

    sign: "" where the size was measured, "~" where it is read off the line beyond that, "over " or
    "under " where the line is not to be trusted that far.
    """

    what: str
    why: str
    size: int | None
    sign: str = ""


def moves(items: Axial) -> list[Move]:
    """When to move on, from what was measured along the number of items."""
    return [
        _reached(items, EXACT_ONE, PATIENCE["query"],
                 "build an index to answer single queries", "one exact query takes 10 ms"),
        _reached(items, TRUTH, PATIENCE["truth"],
                 "evaluate on fewer queries", "the truth of {m:,} queries takes a minute"),
        _reached(items, FULL, PATIENCE["build"],
                 "build by growing samples", "k-means on all items in every round takes a minute"),
        _cheaper(items, TREE_ONE, ONE,
                 "use hierarchical clusters for single queries", "they answer one query sooner"),
        _cheaper(items, TREE_BATCH, BATCH,
                 "use hierarchical clusters for batches", "they answer all queries sooner"),
        _reached(items, GROWING, PATIENCE["long build"],
                 "share the work among machines", "even growing samples take an hour"),
        _filled(items),
    ]  # fmt: skip


def _reached(items: Axial, work: str, seconds: float, what: str, why: str) -> Move:
    """The size at which the line of `work` reaches `seconds`."""
    growth, why = items.growth(work), why.format(m=items.axis.sizes[0].m)
    if growth.exponent <= 0:
        return Move(what, why, None)
    least, most = items.axis.values[0], items.axis.values[-1]
    size = exp(min(growth.center + (log(seconds) - growth.level) / growth.exponent, 50.0))
    if size < least:
        return Move(what, why, least, "under ")
    if size > FARTHEST * most:
        return Move(what, why, FARTHEST * most, "over ")
    return Move(what, why, round(size), "" if size <= most else "~")


def _cheaper(items: Axial, work: str, other: str, what: str, why: str) -> Move:
    """The least measured size from which on `work` takes less than `other`."""
    size = None
    for mine, its in zip(items.of(work), items.of(other), strict=True):
        if mine.seconds >= its.seconds:
            size = None
        elif size is None:
            size = mine.size.n
    return Move(what, why, size)


def _filled(items: Axial) -> Move:
    """The size whose vectors, and what building takes beside them, fill MEMORY."""
    last = items.of(GROWING)[-1]
    a_row = 4 * last.size.d + last.grown / last.size.n
    why = f"{a_row:,.0f} bytes an item at {last.size.d} dimensions fill 16 GB"
    what = "keep vectors in float16 on disk, or share them among machines"
    return Move(what, why, round(MEMORY / a_row), "~")


def pays_after(items: Axial) -> list[tuple[int, float | None]]:
    """(n, queries): how many queries asked together make an index worth its build; None: never."""
    found: list[tuple[int, float | None]] = []
    works = (EXACT, GROWING, BATCH)
    for exact, build, batch in zip(*map(items.of, works), strict=True):
        saved = (exact.seconds - batch.seconds) / exact.size.m
        found.append((exact.size.n, build.seconds / saved if saved > 0 else None))
    return found


def hierarchical_gains(items: Axial) -> list[tuple[Point, Point]]:
    """Flat and hierarchical builds of the same items, with what their searches cost."""
    return list(zip(items.of(GROWING), items.of(TREE), strict=True))
