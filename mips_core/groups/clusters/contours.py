"""Closed lines around the parts of a field on a grid that are above a height: marching squares.

Lorensen and Cline, "Marching cubes", SIGGRAPH 1987, in two dimensions.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Mask, Matrix


def rings_above(field: Floats, height: float) -> Iterator[Floats]:
    """Rings (v, 2) of (column, row) around each part of `field` (h, w) that is not below `height`.

    The border of the field must be below. Outer lines only, not those around holes;
    counterclockwise where rows go up, the last point not repeated. Parts that touch at a corner
    are one. Places between two cells are interpolated.
    """
    points, starts = _rings(field, height, _next_edges(field >= height))
    for start, stop in pairwise(starts):
        if signed_area(points[start:stop]) > 0:
            yield points[start:stop]


def signed_area(ring: Floats | Matrix) -> float:
    """Area in a closed ring (v, 2); negative where it runs clockwise."""
    x, y = (ring - ring[0]).astype(np.float64).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@njit(cache=True, nogil=True)
def _next_edges(above: Mask) -> Ids:
    """(2 h w,) for each edge of the grid where a line enters a square, the edge where it leaves.

    Edge 2 c leads from cell c to the next column, edge 2 c + 1 to the next row; cells are counted
    row by row. -1 where no line crosses. What is above lies to the left of the line: it enters
    where, counterclockwise round the square, above turns to below, and leaves at the next edge
    where below turns to above.
    """
    h, w = above.shape
    following = np.full(2 * h * w, -1, np.int64)
    inside = np.empty(4, np.bool_)
    edges = np.empty(4, np.int64)
    for row in range(h - 1):
        for column in range(w - 1):
            inside[0], inside[1] = above[row, column], above[row, column + 1]
            inside[3], inside[2] = above[row + 1, column], above[row + 1, column + 1]
            if inside.all() or not inside.any():
                continue
            cell = row * w + column
            edges[0], edges[2] = 2 * cell, 2 * (cell + w)
            edges[3], edges[1] = 2 * cell + 1, 2 * cell + 3
            for enter in range(4):
                if inside[enter] and not inside[(enter + 1) % 4]:
                    leave = (enter + 1) % 4
                    while inside[leave] or not inside[(leave + 1) % 4]:
                        leave = (leave + 1) % 4
                    following[edges[enter]] = edges[leave]
    return following


@njit(cache=True, nogil=True)
def _rings(field: Floats, height: float, following: Ids) -> tuple[Floats, Ids]:
    """All lines: points (v, 2) as (column, row), ring r is points[starts[r]:starts[r + 1]]."""
    w = field.shape[1]
    points = np.empty((int(np.sum(following >= 0)), 2), np.float64)
    starts = [0]
    size = 0
    for first in range(len(following)):
        edge = first
        while following[edge] >= 0:
            row, column = edge // 2 // w, edge // 2 % w
            down = edge % 2
            low = field[row, column]
            part = (height - low) / (field[row + down, column + 1 - down] - low)
            points[size, 0] = column + (1 - down) * part
            points[size, 1] = row + down * part
            size += 1
            following[edge], edge = -1, following[edge]
        if size > starts[-1]:
            starts.append(size)
    return points, np.array(starts)
