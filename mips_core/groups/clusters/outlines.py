"""Outlines of groups on a map: around all items of a group, or around where most of them lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from scipy import ndimage
from scipy.spatial import cKDTree

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.base.errors import DataError, ParamError
from mips_core.base.threads import map_blocks
from mips_core.groups.clusters.centres import members_of
from mips_core.groups.clusters.contours import rings_above

Outline = Literal["hull", "dense"]

SMALL = 0.004  # of the extent of the map: radius of a ring around one place
HEIGHT = np.exp(-0.5)  # share of the median item's density where the line runs
LEAST_PIECE = 0.05  # share of a group's items in a piece that is drawn
STRAYS = 0.005  # share of a group's items left aside at each side of it
NEIGHBOUR = 5  # the distance to this one tells how far to smooth
QUANTILE = 0.3  # of those distances: that in the denser parts
ASKED = 500  # items of a group whose distances are taken
MOST_BLUR = 2.5  # radii of SMALL
CELLS = 3.0  # of the grid in the distance smoothed over, unless there are too many
MOST_CELLS = 300  # on a side of the grid
BLOCK = 16  # groups outlined at once


@dataclass(frozen=True, slots=True, eq=False)
class OutlineRings:
    """Closed lines around groups: ring r is points[starts[r]:starts[r + 1]], counterclockwise.

    points (v, 2) float32, starts (r + 1,) int32, groups (r,) int32 ascending. A ring has three
    points or more; its last is joined with its first, which is not repeated.
    """

    points: Matrix
    starts: Ranks
    groups: Ranks


def outlines_of(xy: Matrix, of: Ranks, kind: Outline) -> OutlineRings:
    """The rings of the groups that `of` (n,) puts the items at xy (n, 2) into.

    hull: one ring a group, the convex hull of its items; a small one where they are all at one
    place, a thin one where they are on a line. dense: one ring for each piece of a
    group with LEAST_PIECE of its items or more, the largest piece where none has so many. Pieces
    are where the density of its items is HEIGHT of that at its median item or more, which holds
    70% of a normal distribution. Groups without items have no ring. Raises ParamError for another
    kind, DataError where the counts of places and items differ.
    """
    if kind not in ("hull", "dense"):
        raise ParamError(f"There is no outline {kind!r}.", "Known: hull, dense.")
    if len(xy) != len(of):
        raise DataError(f"There are {len(xy):,} places for {len(of):,} items.", "Give one an item.")
    members = members_of(of, int(of.max()) + 1)
    radius = SMALL * float(np.ptp(xy, axis=0).max()) or SMALL
    outline = _hull if kind == "hull" else _dense

    def work(start: int, stop: int) -> list[tuple[int, Floats]]:
        return [
            (group, ring)
            for group in range(start, stop)
            if members.sizes[group]
            for ring in outline(xy[members.of(group)].astype(np.float64), radius)
        ]

    return _joined([pair for part in map_blocks(work, len(members.sizes), BLOCK) for pair in part])


def _joined(rings: Sequence[tuple[int, Floats]]) -> OutlineRings:
    starts = np.cumsum([0, *(len(ring) for _, ring in rings)]).astype(np.int32)
    points = np.concatenate([ring for _, ring in rings]).astype(np.float32)
    return OutlineRings(points, starts, np.array([group for group, _ in rings], np.int32))


def _hull(places: Floats, radius: float) -> list[Floats]:
    """The convex hull of places (s, 2): one ring."""
    ordered = places[np.lexsort((places[:, 1], places[:, 0]))]
    corners = _chain(ordered)
    if len(corners) < 3:
        turns = np.arange(8) * (np.pi / 4)
        circle = radius * np.column_stack([np.cos(turns), np.sin(turns)])
        around = np.concatenate([ordered[0] + circle, ordered[-1] + circle])
        return _hull(around, radius)
    return [corners]


@njit(cache=True, nogil=True)
def _chain(ordered: Floats) -> Floats:
    """Corners of the convex hull of places (s, 2) ordered by x, then y (Andrew, 1979)."""
    s = len(ordered)
    corners = np.empty((2 * s + 1, 2), np.float64)
    size = 0
    for side in range(2):  # the lower side from left to right, then the upper one back
        least = size + 1
        for at in range(s):
            x, y = ordered[at] if side == 0 else ordered[s - 1 - at]
            while size > least:
                ax, ay = corners[size - 2]
                bx, by = corners[size - 1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                size -= 1
            corners[size, 0], corners[size, 1] = x, y
            size += 1
        size -= 1  # the last place of one side is the first of the other
    return corners[:size].copy()


def _dense(places: Floats, radius: float) -> list[Floats]:
    """Rings around the pieces where most of places (s, 2) lie."""
    low, high = np.quantile(places, [STRAYS, 1 - STRAYS], axis=0)
    spans = high - low
    if len(places) < 3 or spans.max() == 0:
        return _hull(places, radius)
    blur = _blur(places, radius)
    cell = max(blur / CELLS, float(spans.max()) / MOST_CELLS)
    reach = int(np.ceil(3 * blur / cell))
    border = 2 * reach + 1
    columns, rows = (np.ceil(spans / cell).astype(int) + 2 * border).tolist()
    corner = low - border * cell
    at = np.rint((places - corner) / cell).astype(np.int64)
    at = at[((at > reach) & (at < np.array([columns, rows]) - reach - 1)).all(axis=1)]
    at = at[:, 1] * columns + at[:, 0]
    weights = np.exp(-(((np.arange(2 * reach + 1) - reach) * cell / blur) ** 2) / 2)
    density = _smoothed(*np.unique(at, return_counts=True), weights, np.zeros((rows, columns)))
    height = HEIGHT * float(np.median(density.ravel()[at]))
    drawn = _pieces(density >= height, at, len(places))
    return [corner + cell * ring for ring in rings_above(np.where(drawn, density, 0.0), height)]


@njit(cache=True, nogil=True)
def _smoothed(cells: Ids, counts: Ids, weights: Floats, field: Floats) -> Floats:
    """Add to `field` (h, w) weights (2 r + 1,) down and across, around each of the cells (c,)."""
    reach = len(weights) // 2
    for cell, count in zip(cells, counts):  # noqa: B905 (numba knows no strict)
        row, column = cell // field.shape[1] - reach, cell % field.shape[1] - reach
        for i in range(len(weights)):
            for j in range(len(weights)):
                field[row + i, column + j] += count * weights[i] * weights[j]
    return field


def _blur(places: Floats, radius: float) -> float:
    """The standard deviation by which the density of places (s, 2) is smoothed.

    The QUANTILE of the distances to the neighbour of number NEIGHBOUR, asked of about ASKED places;
    from 1 to MOST_BLUR radii: finer pieces cannot be told apart, coarser ones would hide others.
    """
    some = places[:: len(places) // ASKED + 1]
    number = min(NEIGHBOUR, len(places) - 1)
    distances, _ = cKDTree(places).query(some, [number + 1])
    return float(np.clip(np.quantile(distances, QUANTILE), radius, MOST_BLUR * radius))


def _pieces(above: Mask, at: Ids, size: int) -> Mask:
    """The connected parts of `above` (h, w) with enough of a group's items; else the largest.

    at (s',): the cell of each item that is on the grid; size: items of the group.
    """
    parts, count = ndimage.label(above, structure=np.ones((3, 3)))
    held = np.bincount(parts.ravel()[at], minlength=count + 1)
    held[0] = 0
    large = held >= LEAST_PIECE * size
    large[np.argmax(held)] = True
    large[0] = False
    return large[parts]
